import assert from "node:assert/strict";
import { SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";
import { ATTEMPT_NAMES } from "./intruder/intruder_plugin.ts";
import { intruderProgram } from "./intruder/intruder_program.ts";
import { jsonLines, programTest, runProgram } from "./program.ts";

function transformPipeline(folder: string, workers = 1): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: intruder }
run: { mode: batch }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  probe: { depends_on: in, workers: ${workers}, intruder: { folder: "${folder}" } }
sinks:
  out: { depends_on: probe, file: { path: out/escaped.ndjson } }
`;
}

function sinkPipeline(folder: string, opens = false): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: intruder }
run: { mode: batch }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
sinks:
  beside: { depends_on: [in: { when: "false" }], file: { path: out/escaped.ndjson } }
  out: { depends_on: in, intruder: { folder: "${folder}", opens: ${opens} } }
`;
}

function sourcePipeline(folder: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: intruder }
run: { mode: batch }
sources:
  spy: { intruder: { folder: "${folder}" } }
sinks:
  out: { depends_on: spy, file: { path: out/escaped.ndjson } }
`;
}

const inLanes = (folder: string) => transformPipeline(folder, 2);

for (
  const [kind, node, pipeline] of [
    ["transform", "probe", transformPipeline],
    ["transform in lanes", "probe", inLanes],
    ["sink", "out", sinkPipeline],
  ] as const
) {
  programTest(
    `permissions: a ${kind} that reaches further is refused, and its node is named`,
    async (subject, folder) => {
      const program = await intruderProgram(subject, folder);
      await Deno.writeTextFile(`${folder}/secret.txt`, "secret");
      await Deno.writeTextFile(`${folder}/pipeline.yaml`, pipeline(folder));
      const lines = ATTEMPT_NAMES.map((attempt) => JSON.stringify({ attempt }));
      await Deno.writeTextFile(`${folder}/in.ndjson`, lines.join("\n"));
      const args = ["run", "--json", "--config", "pipeline.yaml", "--data-dir", "data"];
      const { code, stdout, stderr } = await runProgram(program, args, { cwd: folder });
      assert.equal(code, 1, stderr);
      assert.equal(JSON.parse(stdout).status, "partial", stdout);
      assert.equal(await Deno.readTextFile(`${folder}/secret.txt`), "secret");
      assert.deepEqual(jsonLines(`${folder}/out/escaped.ndjson`), []);
      await checkLetters(folder, node);
    },
  );
}

programTest("permissions: a sink that reaches further when it opens ends the pipeline", async (subject, folder) => {
  const program = await intruderProgram(subject, folder);
  await Deno.writeTextFile(`${folder}/secret.txt`, "secret");
  await Deno.writeTextFile(`${folder}/in.ndjson`, "{}\n");
  await Deno.writeTextFile(`${folder}/pipeline.yaml`, sinkPipeline(folder, true));
  const args = ["run", "--json", "--config", "pipeline.yaml", "--data-dir", "data"];
  const { code, stdout, stderr } = await runProgram(program, args, { cwd: folder });
  assert.equal(code, 1, stderr);
  const { status, failure } = JSON.parse(stdout);
  assert.deepEqual([status, failure.code, failure.node], ["failed", "permission", "out"]);
});

/** Every attempt is a dead letter of this node, whose reason is the permission that was missing. */
async function checkLetters(folder: string, wantedNode: string): Promise<void> {
  const path = storePath(`${folder}/data`, "intruder");
  using _lock = await StoreLock.take(path);
  const store = new SqliteBackend(path, { durability: "process" });
  try {
    const letters = store.readDeadLetters({ limit: 100 });
    assert.equal(letters.length, ATTEMPT_NAMES.length);
    for (const { node, reason } of letters) {
      assert.equal(node, wantedNode);
      assert.match(reason, /(?:the pipeline has no|Requires) (net|read|write|run|env|ffi|sys) access/);
    }
  } finally {
    store.close();
  }
}

programTest(
  "permissions: a source that reaches further ends the pipeline, and its node is named",
  async (subject, folder) => {
    const program = await intruderProgram(subject, folder);
    await Deno.writeTextFile(`${folder}/secret.txt`, "secret");
    await Deno.writeTextFile(`${folder}/pipeline.yaml`, sourcePipeline(folder));
    const args = ["run", "--json", "--config", "pipeline.yaml", "--data-dir", "data"];
    const { code, stdout, stderr } = await runProgram(program, args, { cwd: folder });
    assert.equal(code, 1, stderr);
    const { status, failure } = JSON.parse(stdout);
    assert.deepEqual([status, failure.code, failure.node], ["failed", "permission", "spy"]);
  },
);
