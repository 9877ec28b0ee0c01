/** A hundred thousand dead letters, looked at by a program that has no room for them. */

import assert from "node:assert/strict";
import { type DeadLetterRecord, hostStore, SqliteBackend } from "../../src/store/mod.ts";
import { runProgram, sourceProgram } from "../e2e/program.ts";

const LETTERS = 100_000;
const LETTERS_A_WRITE = 2_000;
/** Less than the letters take by themselves, and not much more than the program does. */
const HEAP_MEGABYTES = 40;
const PADDING = "x".repeat(400);

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: many }
sources:
  in: { file: { path: in.ndjson } }
sinks:
  out: { depends_on: in, drop: {} }
`;

const encoder = new TextEncoder();

function letter(n: number): DeadLetterRecord {
  return {
    seq: n + 1,
    node: "out",
    edge: "in->out",
    branch: "",
    messageId: `id-${n}`,
    timeMs: 1_700_000_000_000 + n,
    reason: `the server said 400 to ${n}`,
    class: n % 10 === 0 ? "encode" : "delivery",
    attempts: 4,
    source: "in",
    bytes: encoder.encode(`{"n":${n},"padding":"${PADDING}"}`),
    codec: "json",
    meta: { source: "in", n },
  };
}

async function fill(path: string): Promise<void> {
  const store = await hostStore(new SqliteBackend(path, { durability: "process", reserveBytes: 0 }));
  for (let from = 0; from < LETTERS; from += LETTERS_A_WRITE) {
    await store.writeDeadLetters(Array.from({ length: LETTERS_A_WRITE }, (_, i) => letter(from + i)));
  }
  await store.close();
}

Deno.test("dlq: a hundred thousand letters are listed, counted and exported in a heap of 40 MB", async () => {
  const cwd = await Deno.makeTempDir({ prefix: "eventboat-letters-" });
  try {
    await fill(`${cwd}/data/stores/many.db`);
    await Deno.writeTextFile(`${cwd}/pipeline.yaml`, PIPELINE);
    const program = sourceProgram("src/main.ts");
    const [run = "", ...flags] = program.args;
    const small = { ...program, args: [run, `--v8-flags=--max-old-space-size=${HEAP_MEGABYTES}`, ...flags] };
    const lines = async (...args: string[]) => {
      const { code, stdout, stderr } = await runProgram(small, [...args, "--config", "pipeline.yaml"], { cwd });
      assert.equal(code, 0, stderr);
      return stdout.split("\n").length - 1;
    };
    assert.equal(
      await lines("dlq", "list", "--limit", String(LETTERS), "--where", "payload.n >= 50000.0", "--json"),
      LETTERS / 2 + 2,
    );
    assert.equal(await lines("dlq", "count", "--where", "meta.n < 10"), 3);
    assert.equal(await lines("dlq", "export"), LETTERS);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});
