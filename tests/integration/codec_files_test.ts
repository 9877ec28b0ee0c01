/** Codecs that read a file: what verify says of it and where, and that a pipeline runs with no more than that. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { compileProto } from "../../scripts/proto_compiler.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { verifyFile } from "../../src/verify/mod.ts";
import { programTest, runProgram } from "../e2e/program.ts";

const PROTO = 'syntax = "proto3"; package p; message Event { int64 n = 1; }';

/** A pipeline whose codecs are these lines, in a folder with what they name. */
function write(folder: string, codecs: string, nodes = ""): void {
  Deno.writeTextFileSync(
    join(folder, "event.avsc"),
    '{"type":"record","name":"E","fields":[{"name":"n","type":"long"}]}',
  );
  Deno.writeTextFileSync(
    join(folder, "wrong.avsc"),
    '{"type":"record","name":"E","fields":[{"name":"n","type":"lng"}]}',
  );
  Deno.writeFileSync(join(folder, "event.binpb"), compileProto(new Map([["event.proto", PROTO]])));
  Deno.writeTextFileSync(
    join(folder, "pipeline.yaml"),
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: files }
run: { mode: batch }
codecs:
${codecs}
${nodes || "sources: { in: { file: { path: in.ndjson, on_eof: stop } } }\nsinks: { out: { depends_on: in, drop: {} } }"}
`,
  );
}

/** Code, line and column of each finding, and the hint. */
function findings(codecs: string): readonly (readonly [string, number, number, string])[] {
  const folder = Deno.makeTempDirSync();
  try {
    write(folder, codecs);
    const { diagnostics } = verifyFile({ file: join(folder, "pipeline.yaml"), registry: new Registry(builtins()) });
    return diagnostics.map(({ code, line = 0, column = 0, hint = "" }) => [code, line, column, hint]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("codecs with files: what is wrong is told at the field that names it, or at the part of the schema", () => {
  assert.deepEqual(findings("  a: { type: avro, schema_file: event.avsc }"), []);
  const wrong = [
    ["  a: { type: avro, schema_file: gone.avsc }", 6, 33],
    ["  a: { type: avro, schema_file: wrong.avsc }", 6, 33],
    ["  a: { type: protobuf, descriptor_set: event.avsc, message: p.Event }", 6, 40],
    ["  a: { type: protobuf, descriptor_set: event.binpb, message: p.Evnt }", 6, 62],
    ["  a:\n    type: avro\n    schema:\n      type: array\n      items: strng", 10, 14],
    ["  a: { type: csv, columns: [{ name: x, type: int }, { name: x, type: int }] }", 6, 61],
  ] as const;
  for (const [codecs, line, column] of wrong) {
    assert.deepEqual(
      findings(codecs).map(([code, at, from]) => [code, at, from]),
      [["codec_config", line, column]],
      codecs,
    );
  }
  assert.match(
    findings("  a: { type: protobuf, descriptor_set: event.binpb, message: p.Evnt }")[0]?.[3] ?? "",
    /p\.Event/,
  );
});

programTest("codecs with files: an isolate may read what they name, used or not", async (subject, folder) => {
  const codecs = `  wire: { type: protobuf, descriptor_set: event.binpb, message: p.Event }
  unused: { type: avro, schema_file: event.avsc }`;
  const nodes = `sources: { in: { file: { path: in.ndjson, on_eof: stop } } }
sinks: { out: { depends_on: in, encoder: wire, file: { path: out/events.bin } } }`;
  write(folder, codecs, nodes);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, '{"n":9007199254740993}\n');
  const args = ["run", "--json", "--ephemeral", "--config", "pipeline.yaml"];
  const { code, stdout, stderr } = await runProgram(subject, args, { cwd: folder });
  assert.equal(code, 0, stderr + stdout);
  assert.deepEqual([...Deno.readFileSync(`${folder}/out/events.bin`)], [
    0x08,
    0x81,
    0x80,
    0x80,
    0x80,
    0x80,
    0x80,
    0x80,
    0x10,
    0x0a,
  ]);
});
