import assert from "node:assert/strict";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { until } from "../../../../tests/suites/until.ts";
import { SourceTrial, TrialFolder } from "./source_trial.ts";

async function readOnce(
  folder: TrialFolder,
  block: Record<string, string | number>,
  state?: Uint8Array,
): Promise<SourceTrial> {
  const trial = new SourceTrial(folder.path, { on_eof: "stop", ...block }, { state });
  await trial.ended;
  return trial;
}

Deno.test("file source: reads every file once, in the order of the paths, and ends", async () => {
  using folder = new TrialFolder();
  folder.write("b.log", "b1\nb2\n");
  folder.write("a.log", "a1\n\na3");
  folder.write("c.txt", "no\n");
  const trial = await readOnce(folder, { path: "*.log" });
  assert.deepEqual(trial.texts, ["a1", "", "a3", "b1", "b2"]);
  assert.deepEqual(trial.arrivals.map((arrival) => arrival.srcSeq), [1, 2, 3, 4, 5]);
  assert.deepEqual(trial.arrivals.map((arrival) => arrival.meta["offset"]), [0, 3, 4, 0, 3]);
  assert.deepEqual(trial.arrivals[3]?.meta["file_path"], folder.at("b.log"));
  assert.deepEqual(trial.arrivals[3]?.meta["host"], "here");
  assert.deepEqual(trial.count("lines_read"), 5);
});

Deno.test("file source: hands plain lines over as they were read", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "one\ntwo\nthree\n");
  const trial = await readOnce(folder, { path: "a.log" });
  const [emission] = trial.emissions;
  assert.equal(emission?.gap, 1);
  assert.equal(new TextDecoder().decode(emission?.bytes), "one\ntwo\nthree");
  assert.deepEqual([...emission?.ends ?? []], [3, 7, 13]);
});

Deno.test("file source: a large file comes in full batches of at most 2000 messages, complete and in order", async () => {
  using folder = new TrialFolder();
  const lines = Array.from({ length: 25_000 }, (_, i) => `${i} ${"x".repeat(i % 150)}`);
  folder.write("a.log", lines.join("\n") + "\n");
  const trial = await readOnce(folder, { path: "a.log" });
  assert.deepEqual(trial.texts, lines);
  const sizes = trial.emissions.map((emission) => emission.ends.length);
  assert.ok(sizes.slice(0, -1).every((size) => size === 2000), sizes.join());
});

Deno.test("file source: every place it commits is one it resumes from, line by line", async () => {
  using folder = new TrialFolder();
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  folder.write("a.log", lines.slice(0, 30).join("\n") + "\n");
  folder.write("b.log", lines.slice(30).join("\r\n"));
  const whole = await readOnce(folder, { path: "?.log" });
  assert.deepEqual(whole.texts, lines);
  for (let committed = 1; committed <= lines.length; committed++) {
    const state = await whole.commit(committed);
    const rest = await readOnce(folder, { path: "?.log" }, state);
    assert.deepEqual(rest.texts, lines.slice(committed));
  }
});

Deno.test("file source: a later run reads what was added since, also after a rename", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n2\n");
  const first = await readOnce(folder, { path: "*.log" });
  const state = await first.commit();
  folder.append("a.log", "3\n");
  folder.rename("a.log", "z.log");
  const second = await readOnce(folder, { path: "*.log" }, state);
  assert.deepEqual(second.texts, ["3"]);
  assert.equal(second.arrivals[0]?.meta["offset"], 4);
});

Deno.test("file source: a path without a file is an error, a pattern without one is not", async () => {
  using folder = new TrialFolder();
  await assert.rejects(readOnce(folder, { path: "none.log" }), (error) => {
    assert.ok(error instanceof EventboatError);
    assert.equal(error.code, "source_failed");
    assert.match(error.message, /none\.log/);
    return true;
  });
  const trial = await readOnce(folder, { path: "none*.log" });
  assert.deepEqual(trial.texts, []);
});

Deno.test("file source: says at its start how many files it reads, and warns where there is none", async () => {
  using folder = new TrialFolder();
  const told = async (block: Record<string, string>) => {
    const { level, fields } = (await readOnce(folder, block)).logged[0] ?? {};
    return [level, fields?.["path"], fields?.["files"]];
  };
  assert.deepEqual(await told({ path: "*.log" }), ["warn", "*.log", undefined]);
  folder.write("a.log", "1\n");
  folder.write("b.log", "2\n");
  assert.deepEqual(await told({ path: "*.log" }), ["info", "*.log", 2]);
});

Deno.test("file source: no batch holds more messages than the engine takes at once", async () => {
  using folder = new TrialFolder();
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}`);
  folder.write("a.log", lines.join("\n"));
  folder.write("b.log", lines.join("\r\n"));
  const trial = new SourceTrial(folder.path, { path: "*.log", on_eof: "stop" }, { batchMessagesMax: 300 });
  await trial.ended;
  assert.deepEqual(trial.texts, [...lines, ...lines]);
  assert.equal(Math.max(...trial.emissions.map((emission) => emission.ends.length)), 300);
});

Deno.test("file source: a refused batch fails the source, a stopping engine ends it quietly", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n");
  const refuse = (code: "refused" | "shutdown") =>
    new SourceTrial(folder.path, { path: "a.log", on_eof: "stop" }, { answer: () => new EventboatError(code, "no") });
  await assert.rejects(refuse("refused").ended, { code: "refused" });
  await refuse("shutdown").ended;
});

Deno.test("file source: at most four batches are under way, and the fifth waits", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "x\n".repeat(20_000));
  const gates: (() => void)[] = [];
  const trial = new SourceTrial(folder.path, { path: "a.log", on_eof: "stop" }, {
    answer: () => new Promise((resolve) => gates.push(() => resolve(undefined))),
  });
  await until(() => gates.length >= 4, "four batches");
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(gates.length, 4);
  let isOver = false;
  const over = trial.ended.then(() => isOver = true);
  await until(() => {
    gates.shift()?.();
    return isOver;
  }, "the end of the file");
  await over;
  assert.equal(trial.texts.length, 20_000);
});

Deno.test("file source: pull reads everything once, also where a run would go on", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n2");
  const trial = new SourceTrial(folder.path, { path: "a.log" }, { drive: "pull" });
  await trial.ended;
  assert.deepEqual(trial.texts, ["1", "2"]);
});

Deno.test("file source: leaves out unknown files that are too old", async () => {
  using folder = new TrialFolder();
  folder.write("old.log", "old\n");
  folder.write("new.log", "new\n");
  // The trial's clock stands at the beginning of 2026.
  Deno.utimeSync(folder.at("old.log"), new Date("2025-12-01"), new Date("2025-12-01"));
  Deno.utimeSync(folder.at("new.log"), new Date("2025-12-31T23:59:30Z"), new Date("2025-12-31T23:59:30Z"));
  const trial = await readOnce(folder, { path: "*.log", ignore_older_ms: 60_000 });
  assert.deepEqual(trial.texts, ["new"]);
});
