import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { parse } from "yaml";
import { Registry } from "../plugin/mod.ts";
import { builtins } from "../plugins/mod.ts";
import { documentSchema } from "./document_schema.ts";

const validate = new Ajv2020({ strict: false, logger: false }).compile(documentSchema(new Registry(builtins())));
const EXAMPLES = new URL("../../examples/", import.meta.url);

const PIPELINE_REGEXP = /^kind: Pipeline$/m;

const HEAD = "apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: {name: p}\n";
const SOURCES = "sources: {in: {file: {path: a, poll_every_ms: '${MS}'}}}\n";
const SINKS = "sinks: {out: {depends_on: {in: {when: payload.a == 1}}, drop: {}}}\n";

for (const folder of Deno.readDirSync(EXAMPLES)) {
  if (!folder.isDirectory) continue;
  for (const file of Deno.readDirSync(new URL(`${folder.name}/`, EXAMPLES))) {
    if (!file.name.endsWith(".yaml")) continue;
    const text = Deno.readTextFileSync(new URL(`${folder.name}/${file.name}`, EXAMPLES));
    // The servers of the examples are described in YAML too.
    if (!PIPELINE_REGEXP.test(text)) continue;
    Deno.test(`documentSchema: takes the example ${folder.name}/${file.name}`, () => {
      assert.equal(validate(parse(text)), true, JSON.stringify(validate.errors));
    });
  }
}

Deno.test("documentSchema: takes references for numbers, extensions, external plugins", () => {
  const external = "transforms: {t: {depends_on: in, grpc: {command: [x], schema: m.json}, mine: {a: 1}}}\n";
  assert.equal(
    validate(parse(`${HEAD}${SOURCES}${SINKS}${external}x-anchors: {}\n`)),
    true,
    JSON.stringify(validate.errors),
  );
});

Deno.test("documentSchema: refuses what verification refuses", () => {
  const wrong = [
    `${HEAD}${SINKS}`,
    `${HEAD}${SOURCES}${SINKS}limits: {max_in_flight: 0}\n`,
    `${HEAD}${SOURCES}${SINKS}limits: {drain_timeout: 10}\n`,
    `${HEAD}${SOURCES}${SINKS}run: {mode: once}\n`,
    `${HEAD}${SOURCES}${SINKS}edge_defaults: {when: "true"}\n`,
    `${HEAD}${SOURCES}sinks: {out: {drop: {}}}\n`,
    `${HEAD}${SOURCES}sinks: {out: {depends_on: in, drop: {}, debug: {}}}\n`,
    `${HEAD}${SOURCES}sinks: {out: {depends_on: in, dorp: {}}}\n`,
    `${HEAD}sources: {in: {file: {}}}\n${SINKS}`,
    `${HEAD}sources: {in: {depends_on: out, file: {path: a}}}\n${SINKS}`,
  ];
  for (const text of wrong) assert.equal(validate(parse(text)), false, text);
});
