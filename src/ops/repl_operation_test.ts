import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { define } from "../schema/mod.ts";
import { silentLogger } from "../telemetry/mod.ts";
import { openRegistry, type OperationContext, perform } from "./operation.ts";
import { type ReplAnswer, replOperation } from "./repl_operation.ts";

const CONTEXT: OperationContext = {
  registry: openRegistry([]),
  entries: { pipeline: new URL("file:///none"), store: new URL("file:///none") },
  clock: new HeldClock(),
  signal: new AbortController().signal,
  env: () => undefined,
  openLog: () => silentLogger,
};

/** The answer, which fits the schema that the table gives. */
async function ask(request: { readonly [field: string]: unknown }): Promise<ReplAnswer> {
  const answer = await perform(replOperation, request, CONTEXT);
  const parsed = define(replOperation.output).parse(answer);
  assert.deepEqual(parsed.ok ? [] : parsed.issues, []);
  return answer;
}

Deno.test("repl: a script gives the message, what it printed and its steps, with every digit", async () => {
  const script = "print('a', payload.n)\npayload.n += 1\nmeta.k = constants.k\nprint('b\\nc')";
  const message = '{"n": 9007199254740993}';
  const answer = await ask({ script, message, constants: '{"k": 18446744073709551616}' });
  assert.ok(answer.language === "starlark" && answer.ok);
  assert.deepEqual(answer.printed, ["a 9007199254740993", "b\nc"]);
  assert.deepEqual(answer.result?.payload, { n: 9007199254740994n });
  assert.equal(answer.result?.meta["k"], 18446744073709551616n);
  assert.deepEqual(answer.result?.changes.map(({ path }) => path), ["payload.n", "meta.k"]);
  assert.equal(answer.result?.payload_changed && answer.result.meta_changed && !answer.result.filtered, true);
  assert.ok((answer.steps ?? 0) > 0);
});

Deno.test("repl: a script on nothing has an empty payload and the metadata that every message has", async () => {
  const first = await ask({ script: "payload = [payload, sorted(meta), meta.source]" });
  assert.deepEqual(first.result && "payload" in first.result ? first.result.payload : undefined, [
    {},
    ["ingest_time", "message_id", "source"],
    "repl",
  ]);
  assert.deepEqual(await ask({ script: "payload = [payload, sorted(meta), meta.source]" }), first);
});

Deno.test("repl: metadata is laid over the usual, an empty script changes nothing, None filters", async () => {
  const { result } = await ask({ script: "", meta: '{"source": "mine", "more": [1]}', message: "[1, null]" });
  assert.ok(result !== undefined && "payload" in result);
  assert.deepEqual([result.payload, result.meta["source"], result.meta["more"]], [[1, null], "mine", [1]]);
  assert.deepEqual([result.payload_changed, result.meta_changed, result.changes], [false, false, []]);
  const filtered = await ask({ script: "payload = None" });
  assert.ok(filtered.result !== undefined && "filtered" in filtered.result && filtered.result.filtered);
});

Deno.test("repl: a script that does not compile tells everything, one that fails its frames and what it printed", async () => {
  const wrong = await ask({ script: "a = nope\nb = 1 +\nc = also_nope" });
  assert.equal(wrong.ok, false);
  assert.equal(wrong.error?.kind, "compile");
  assert.deepEqual(wrong.error?.issues?.map(({ line, column }) => [line, column]), [[1, 5], [2, 8], [3, 5]]);
  const failed = await ask({ script: "def f(x):\n  return x.y\nprint(1)\nf({})" });
  assert.deepEqual(failed.error, {
    kind: "runtime",
    message: failed.error?.message,
    line: 2,
    column: 11,
    backtrace: "<toplevel> script:4:2\nf script:2:11",
  });
  assert.deepEqual("printed" in failed ? failed.printed : [], ["1"]);
  // Up to the failure it took steps; what does not compile took none.
  assert.ok("steps" in failed && failed.steps !== undefined && failed.steps > 0 && failed.steps < 100);
  assert.equal("steps" in wrong, false);
});

Deno.test("repl: the steps are those of a pipeline unless more are given", async () => {
  const script = "for i in range(90000): print()";
  const exhausted = await ask({ script });
  assert.equal(exhausted.error?.kind, "steps");
  assert.equal("steps" in exhausted ? exhausted.steps : undefined, 100_000);
  const answer = await ask({ script, steps: 10_000_000 });
  assert.equal("printed" in answer ? answer.printed.length : 0, 90_000);
});

Deno.test("repl: an expression gives its value and type, or where it fails", async () => {
  const message = '{"n": 9007199254740993, "x": 1}';
  const values: readonly (readonly [cel: string, value: unknown, type: string])[] = [
    ["payload.n", 9007199254740993n, "int"],
    ["payload.x > constants.low", true, "bool"],
    ["b'ab'", "YWI=", "bytes"],
    ["{1: [2u]}", [[1, [2]]], "map"],
    ["0.0 / 0.0", "NaN", "double"],
  ];
  for (const [cel, value, type] of values) {
    const answer = await ask({ cel, message, constants: '{"low": 0}' });
    assert.deepEqual(answer, { ok: true, language: "cel", result: { value, type } });
  }
  const failed = await ask({ cel: "true &&\n  payload.none" });
  assert.deepEqual([failed.error?.kind, failed.error?.line, failed.error?.column], ["runtime", 2, 10]);
  assert.equal((await ask({ cel: "1 +" })).error?.issues?.length, 1);
  const cesql = await ask({ cesql: "source = 'repl' AND data.x = 1", message });
  assert.deepEqual(cesql, { ok: true, language: "cesql", result: { value: true, type: "Boolean" } });
  assert.equal((await ask({ cesql: "NOPE(1) = NEVER(2)" })).error?.issues?.length, 2);
});

Deno.test("repl: what cannot be asked is wrong usage", async () => {
  const wrong: readonly { readonly [field: string]: unknown }[] = [
    {},
    { script: "", cel: "1" },
    { script: "", message: "{" },
    { script: "", meta: "[]" },
    { script: "", constants: "1" },
    { script: "", steps: 0 },
    { script: "pass\n".repeat(1), message: "[".repeat(200_000) + "]".repeat(200_000) },
  ];
  for (const request of wrong) {
    await assert.rejects(
      perform(replOperation, request, CONTEXT),
      (error) => error instanceof EventboatError && error.code === "usage",
      JSON.stringify(request).slice(0, 100),
    );
  }
});
