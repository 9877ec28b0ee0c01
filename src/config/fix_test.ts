import assert from "node:assert/strict";
import { fixPipeline } from "./fix.ts";

const OLD = `# my pipeline
apiVersion:   eventboat/v3   # old
kind: Pipeline
sources:
  from: { cron: {} }   # a node of that name
transforms:
  t:
    from:   [ from ]   # renamed
    script: |
      payload.from = "from"
sinks:
  a: { "from": t, drop: {} }
  b: { from: t, depends_on: t, drop: {} }
`;

const FIXED = `# my pipeline
apiVersion:   eventboat/v1   # old
kind: Pipeline
sources:
  from: { cron: {} }   # a node of that name
transforms:
  t:
    depends_on:   [ from ]   # renamed
    script: |
      payload.from = "from"
sinks:
  a: { "depends_on": t, drop: {} }
  b: { from: t, depends_on: t, drop: {} }
`;

Deno.test("fixPipeline: rewrites what was renamed and leaves comments, layout and everything else alone", () => {
  const { text, fixes } = fixPipeline(OLD);
  assert.equal(text, FIXED);
  assert.deepEqual(fixes.map(({ code, line, column }) => [code, line, column]), [
    ["cfg_api_version", 2, 15],
    ["cfg_from_renamed", 8, 5],
    ["cfg_from_renamed", 12, 8],
  ]);
  assert.deepEqual(fixPipeline(text), { text, fixes: [] });
});

Deno.test("fixPipeline: keeps CRLF and a byte order mark", () => {
  const text = (version: string, key: string) =>
    `\ufeffapiVersion: ${version}\r\nsinks: { a: { ${key}: x, ${key}2: y } }\r\n`;
  assert.equal(
    fixPipeline(text("eventboat/v3", "from")).text,
    text("eventboat/v1", "depends_on").replace("depends_on2", "from2"),
  );
});

Deno.test("fixPipeline: an anchor that several nodes share is edited once", () => {
  const { text, fixes } = fixPipeline("x: &x { from: a, drop: {} }\nsinks: { a: *x, b: { <<: *x } }\n");
  assert.equal(text, "x: &x { depends_on: a, drop: {} }\nsinks: { a: *x, b: { <<: *x } }\n");
  assert.equal(fixes.length, 1);
});

Deno.test("fixPipeline: leaves a text alone that is no YAML", () => {
  assert.deepEqual(fixPipeline("a: [\n"), { text: "a: [\n", fixes: [] });
});
