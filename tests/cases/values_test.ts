/** Cases of numbers, texts and configured values that must come out as they went in, through the whole program. */

import assert from "node:assert/strict";
import { programTest, runProgram } from "../e2e/program.ts";

const RUN = ["run", "--json", "--ephemeral", "--config", "pipeline.yaml"];

/** Lines as they are read and as they must be written, untouched and with a field added. */
const LINES: readonly (readonly [line: string, touched: string])[] = [
  ['{"id":228930314431312345}', '{"id":228930314431312345,"seen":true}'],
  ['{"id":-9223372036854775808}', '{"id":-9223372036854775808,"seen":true}'],
  ['{"f":1626175065.5934923}', '{"f":1626175065.5934923,"seen":true}'],
  ['{"f":0.12379999458789825}', '{"f":0.12379999458789825,"seen":true}'],
  ['{"f":5e-324}', '{"f":5e-324,"seen":true}'],
  [
    '{"z":-0,"one":1.0,"e":1E5,"u":18446744073709551615}',
    '{"z":0,"one":1,"e":100000,"u":18446744073709551615,"seen":true}',
  ],
  ['{"t":"\\ud83e\\udd17","half":"\\ud83e"}', '{"t":"🤗","half":"\\ud83e","seen":true}'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"seen":true}'],
  ['{"a":1,"a":2}', '{"a":2,"seen":true}'],
];

programTest("cases N01, N03, N04, T08: values keep every digit and character", async (subject, cwd) => {
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, LINES.map(([line]) => `${line}\n`).join(""));
  Deno.writeTextFileSync(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: values }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  touch: { depends_on: in, script: "payload.seen = True" }
sinks:
  untouched: { depends_on: in, file: { path: untouched.ndjson } }
  touched: { depends_on: touch, file: { path: touched.ndjson } }
  chosen:
    depends_on: [in: { when: "has(payload.id) && payload.id == 228930314431312345" }]
    file: { path: chosen.ndjson }
`,
  );
  const { code, stderr } = await runProgram(subject, RUN, { cwd });
  assert.equal(code, 0, stderr);
  const lines = (name: string) => Deno.readTextFileSync(`${cwd}/${name}.ndjson`).trimEnd().split("\n");
  assert.deepEqual(lines("untouched"), LINES.map(([line]) => line));
  assert.deepEqual(lines("touched"), LINES.map(([, touched]) => touched));
  assert.deepEqual(lines("chosen"), ['{"id":228930314431312345}']);
});

programTest("case N04: what JSON cannot say is never written, deep nesting breaks nothing", async (subject, cwd) => {
  const deep = `{"n":1,"deep":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, `{"n":0}\n${deep}\n{"n":2}\n`);
  Deno.writeTextFileSync(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: values }
run: { mode: batch }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  spoil:
    depends_on: in
    script: |
      if payload.n == 0:
        payload.x = float("nan")
      if payload.n == 2:
        payload.x = 1.5
sinks:
  out: { depends_on: spoil, file: { path: out.ndjson } }
`,
  );
  const { stdout, stderr } = await runProgram(subject, RUN, { cwd });
  const { status, counts } = JSON.parse(stdout);
  const written = Deno.readTextFileSync(`${cwd}/out.ndjson`).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(counts.committed, 3, stderr);
  assert.equal(written.length + counts.deadLettered, 3);
  assert.ok(status === "partial" && counts.deadLettered >= 1, stdout);
  assert.ok(written.some(({ n, x }) => n === 2 && x === 1.5));
  assert.ok(!written.some(({ n }) => n === 0));
});

programTest("case N04: a number beyond a double is a dead letter that names the field", async (subject, cwd) => {
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, '{"n":1}\n{"order":{"lines":[{"n":1e400}]}}\n{"n":1e308}\n');
  Deno.writeTextFileSync(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: values }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
sinks:
  out: { depends_on: in, file: { path: out.ndjson } }
`,
  );
  const { stdout, stderr } = await runProgram(subject, RUN, { cwd });
  assert.deepEqual(JSON.parse(stdout).counts.deadLetters, { in: { decode: 1 } }, stderr);
  assert.match(stderr, /payload\.order\.lines\[0\]\.n is a number beyond what a double holds/);
  assert.equal(Deno.readTextFileSync(`${cwd}/out.ndjson`), '{"n":1}\n{"n":1e308}\n');
});

/** What an environment may hold. */
const VALUES: Readonly<Record<string, string>> = {
  PEM: "-----BEGIN KEY-----\nMIIB+/=\nAAAA\n-----END KEY-----\n",
  HASH: "before # after",
  COLON: "key: value",
  QUOTES: `"double" and 'single'`,
  REFERENCE: "${HASH}",
  STAR: "*alias",
  AMPERSAND: "&anchor",
  EMOJI: "🤗 ü",
  EMPTY: "",
  OCTAL: "0123",
  EXPONENT: "1e3",
  NO: "no",
  NULL: "null",
  CLOCK: "12:30",
  HEX: "0x1F",
  DATE: "2026-01-01",
  LONG: "012345678912",
};

programTest("cases C01, C03: what the environment holds arrives byte for byte, as text", async (subject, cwd) => {
  const fields = Object.keys(VALUES).map((name) => `        ${name}: \${${name}}`);
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, "{}\n");
  Deno.writeTextFileSync(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: values }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  set:
    depends_on: in
    fields:
      fields:
${fields.join("\n")}
        DEFAULT: \${NOT_SET:-stands in}
        QUOTED: "0123"
sinks:
  out: { depends_on: set, file: { path: out.ndjson } }
`,
  );
  const { code, stderr } = await runProgram(subject, RUN, { cwd, env: VALUES });
  assert.equal(code, 0, stderr);
  const written = JSON.parse(Deno.readTextFileSync(`${cwd}/out.ndjson`));
  assert.deepEqual(written, { ...VALUES, DEFAULT: "stands in", QUOTED: "0123" });
});

const CSV = [
  "name,note\r\n",
  'a,"first line\r\nsecond, line"\r\n',
  'b,"say ""hi"""\r\n',
  'c,"back\\" slash"\r\n',
  '"d" ,blank behind a quote\r\n',
  'e,5" pipe\r\n',
  'f,"three\n\nlines"\r\n',
  "g,plain\r\n",
].join("");

programTest(
  "case T09: records of CSV are what RFC 4180 says, and a wrong one takes no other along",
  async (subject, cwd) => {
    Deno.writeTextFileSync(`${cwd}/in.csv`, CSV);
    Deno.writeTextFileSync(
      `${cwd}/pipeline.yaml`,
      `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: records }
run: { mode: batch }
codecs:
  table: { type: csv, header: true, columns: [{ name: name, type: string }, { name: note, type: string }] }
sources:
  in: { decoder: table, file: { path: in.csv, on_eof: stop } }
sinks:
  json: { depends_on: in, file: { path: out.ndjson } }
  csv: { depends_on: in, encoder: table, file: { path: out.csv } }
`,
    );
    const { stdout } = await runProgram(subject, RUN, { cwd });
    const records = Deno.readTextFileSync(`${cwd}/out.ndjson`).trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(records, [
      { name: "a", note: "first line\nsecond, line" },
      { name: "b", note: 'say "hi"' },
      { name: "f", note: "three\n\nlines" },
      { name: "g", note: "plain" },
    ]);
    assert.deepEqual(JSON.parse(stdout).counts.deadLetters, { in: { decode: 3 } });
    assert.equal(
      Deno.readTextFileSync(`${cwd}/out.csv`),
      'name,note\na,"first line\nsecond, line"\nb,"say ""hi"""\nf,"three\n\nlines"\ng,plain\n',
    );
  },
);
