import assert from "node:assert/strict";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { SourceTrial, TrialFolder } from "./source_trial.ts";

/** A minute has to pass in few looks. */
const QUICK = { poll_every_ms: 10_000, close_inactive_ms: 10_000 };

Deno.test("file source: tails whole lines only", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "one\ntw");
  await using trial = new SourceTrial(folder.path, { path: "a.log" });
  await trial.idle();
  assert.deepEqual(trial.texts, ["one"]);
  folder.append("a.log", "o\nthree\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["one", "two", "three"]);
  assert.deepEqual(trial.arrivals.map((arrival) => arrival.meta["offset"]), [0, 4, 8]);
});

Deno.test("file source: waits for a file that is not there yet", async () => {
  using folder = new TrialFolder();
  await using trial = new SourceTrial(folder.path, { path: "in/a.log" });
  await trial.poll();
  Deno.mkdirSync(folder.at("in"));
  folder.write("in/a.log", "1\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["1"]);
});

Deno.test("file source: an unfinished line stays for the next life", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "one\ntwo");
  const first = new SourceTrial(folder.path, { path: "a.log" });
  await first.idle();
  const state = await first.stop();
  folder.append("a.log", "!\n");
  await using second = new SourceTrial(folder.path, { path: "a.log" }, { state });
  await second.idle();
  assert.deepEqual([...first.texts, ...second.texts], ["one", "two!"]);
});

Deno.test("file source: start_at end leaves out what is there, but no line of a file that comes later", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "old\nunfini");
  await using trial = new SourceTrial(folder.path, { path: "*.log", start_at: "end" });
  await trial.idle();
  folder.append("a.log", "shed\nnew\n");
  folder.write("b.log", "later\n");
  await trial.poll();
  assert.deepEqual(trial.texts.sort(), ["later", "new", "unfinished"]);
});

Deno.test("file source: start_at end holds for the first start only", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "old\n");
  folder.write("quiet.log", "old\n");
  const block = { path: "*.log", start_at: "end" };
  const first = new SourceTrial(folder.path, block);
  await first.idle();
  folder.append("a.log", "new\n");
  await first.poll();
  const state = await first.stop();
  folder.append("quiet.log", "while away\n");
  folder.write("b.log", "created while away\n");
  await using second = new SourceTrial(folder.path, block, { state });
  await second.idle();
  assert.deepEqual(second.texts.sort(), ["created while away", "while away"]);
});

Deno.test("file source: rename and recreate drains the old file first", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "1\n");
  await using trial = new SourceTrial(folder.path, { path: "app.log" });
  await trial.idle();
  folder.append("app.log", "2\n3\n");
  folder.rename("app.log", "app.log.1");
  folder.write("app.log", "4\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["1", "2", "3", "4"]);
  assert.equal(trial.count("rotations"), 1);
  // The writer may be slow to let go of the old file.
  folder.append("app.log.1", "late\n");
  await trial.poll();
  assert.deepEqual(trial.texts.at(-1), "late");
});

Deno.test("file source: files that are rotated away while the engine holds back are read afterwards, in order", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "");
  const gates: (() => void)[] = [];
  let isOpen = false;
  await using trial = new SourceTrial(folder.path, { path: "app.log", poll_every_ms: 1000 }, {
    answer: () => isOpen ? undefined : new Promise((resolve) => gates.push(() => resolve(undefined))),
  });
  const wanted: string[] = [];
  for (let file = 0; file < 4; file++) {
    // More than the batches that may be under way.
    const lines = Array.from({ length: 12_000 }, (_, i) => `${file} ${i}`);
    folder.append("app.log", `${lines.join("\n")}\n`);
    wanted.push(...lines);
    await trial.poll(2);
    folder.rename("app.log", "old.log");
    folder.write("app.log", "");
    await trial.poll();
  }
  assert.equal(gates.length, 4);
  assert.equal(trial.texts.length, 0);
  isOpen = true;
  for (const open of gates) open();
  await trial.poll(2);
  assert.equal(trial.texts.length, wanted.length);
  assert.deepEqual(trial.texts, wanted);
});

Deno.test("file source: a refused batch ends a tail at once, not with the next look", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n");
  const gate = Promise.withResolvers<EventboatError>();
  const trial = new SourceTrial(folder.path, { path: "a.log" }, { answer: () => gate.promise });
  await trial.idle();
  gate.resolve(new EventboatError("refused", "no"));
  await assert.rejects(trial.ended, { code: "refused" });
});

Deno.test("file source: a rotated file under a name that matches too is not read again", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "1\n2\n");
  const first = new SourceTrial(folder.path, { path: "app.log*" });
  await first.idle();
  folder.append("app.log", "3\n");
  folder.rename("app.log", "app.log.1");
  folder.write("app.log", "4\n");
  await first.poll();
  assert.deepEqual(first.texts, ["1", "2", "3", "4"]);
  const state = await first.stop();
  folder.append("app.log", "5\n");
  folder.rename("app.log.1", "app.log.2");
  folder.rename("app.log", "app.log.1");
  folder.write("app.log", "6\n");
  await using second = new SourceTrial(folder.path, { path: "app.log*" }, { state });
  await second.idle();
  assert.deepEqual(second.texts.sort(), ["5", "6"]);
});

Deno.test("file source: a deleted file is read to its end, its last line included", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "1\n");
  await using trial = new SourceTrial(folder.path, { path: "app.log", poll_every_ms: 10_000 });
  await trial.idle();
  folder.append("app.log", "2\nunfinished");
  folder.remove("app.log");
  await trial.poll();
  assert.deepEqual(trial.texts, ["1", "2"]);
  await trial.pass(70_000);
  assert.deepEqual(trial.texts, ["1", "2", "unfinished"]);
});

Deno.test("file source: truncation in place starts again, also when the file has grown past the old position", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "first\nsecond\n");
  await using trial = new SourceTrial(folder.path, { path: "app.log" });
  await trial.idle();
  folder.overwrite("app.log", "a\n");
  await trial.poll();
  folder.overwrite("app.log", "much longer than before\nand more\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["first", "second", "a", "much longer than before", "and more"]);
  assert.equal(trial.count("rotations"), 2);
});

/** Contents that agree in their first, or last, bytes before the end of the first one, and both are longer than that. */
const ALIKE = {
  head: [`# ${"header ".repeat(300)}\none\ntwo\n`, `# ${"header ".repeat(300)}\nthree\nfour\nfive\n`],
  end: [`1\n${"same ".repeat(100)}\n`, `2\n${"same ".repeat(100)}\nmore\n`],
} as const;

Deno.test("file source: what agrees at its beginning, or at the position, may still be written anew", async () => {
  for (const [before, after] of Object.values(ALIKE)) {
    const wanted = after.trimEnd().split("\n");
    for (const restart of [true, false]) {
      using folder = new TrialFolder();
      folder.write("app.log", before);
      let trial = new SourceTrial(folder.path, { path: "app.log" });
      await trial.idle();
      const count = restart ? 0 : trial.texts.length;
      const state = restart ? await trial.stop() : undefined;
      folder.overwrite("app.log", after);
      if (restart) trial = new SourceTrial(folder.path, { path: "app.log" }, { state });
      await trial.poll();
      assert.deepEqual(trial.texts.slice(count), wanted);
      await trial.stop();
    }
  }
});

Deno.test("file source: a large rest of a rotated file comes before the new file", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "first\n");
  await using trial = new SourceTrial(folder.path, { path: "app.log" });
  await trial.idle();
  folder.append("app.log", `${"x".repeat(999)}\n`.repeat(20_000));
  folder.rename("app.log", "app.log.1");
  folder.write("app.log", "last\n");
  await trial.poll();
  assert.equal(trial.texts.length, 20_002);
  assert.equal(trial.texts.indexOf("last"), 20_001);
});

Deno.test("file source: a copy that was truncated at the source is read on, not again", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "1\n2\n");
  await using trial = new SourceTrial(folder.path, { path: "app.log*" });
  await trial.idle();
  folder.append("app.log", "3\n");
  folder.copyTruncate("app.log", "app.log.1");
  folder.append("app.log", "4\n");
  await trial.pass(3000);
  assert.deepEqual(trial.texts.sort(), ["1", "2", "3", "4"]);
});

Deno.test("file source: a copy that is seen before the truncation is held back until then", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", "1\n2\n3\n");
  await using trial = new SourceTrial(folder.path, { path: "app.log*" });
  await trial.idle();
  folder.write("app.log.1", "1\n2\n3\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["1", "2", "3"]);
  folder.overwrite("app.log", "4\n");
  await trial.pass(3000);
  assert.deepEqual(trial.texts, ["1", "2", "3", "4"]);
});

Deno.test("file source: a file of its own that begins like another one is read after a moment", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "same\n");
  await using trial = new SourceTrial(folder.path, { path: "*.log" });
  await trial.idle();
  folder.write("b.log", "same\n");
  await trial.pass(2000);
  assert.deepEqual(trial.texts, ["same", "same"]);
});

Deno.test("file source: a quiet file is closed and read on when it grows", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n");
  await using trial = new SourceTrial(folder.path, { path: "a.log", close_inactive_ms: 1000 });
  await trial.pass(2000);
  assert.equal(openHandles(folder.path), 0);
  folder.append("a.log", "2\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["1", "2"]);
});

Deno.test("file source: what is gone for a minute is forgotten, unless it is to be remembered", async () => {
  using folder = new TrialFolder();
  for (const clean of [true, false]) {
    folder.write("a.log", "1\n");
    folder.write("b.log", "2\n");
    await using trial = new SourceTrial(folder.path, { path: "*.log", clean_removed: clean, ...QUICK });
    await trial.idle();
    const full = (await trial.commit())?.length ?? 0;
    folder.remove("a.log");
    await trial.pass(90_000);
    const left = (await trial.commit())?.length ?? 0;
    assert.equal(left < full, clean);
  }
});

Deno.test("file source: remembers nothing of files that were gone when it started", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n");
  folder.write("b.log", "2\n");
  const first = new SourceTrial(folder.path, { path: "*.log" });
  await first.idle();
  const state = await first.stop();
  folder.remove("a.log");
  await using second = new SourceTrial(folder.path, { path: "*.log", ...QUICK }, { state });
  await second.pass(80_000);
  const left = await second.commit();
  assert.ok((left?.length ?? 0) < (state?.length ?? 0));
});

Deno.test("file source: an old file that nobody knows is read from where it is written on", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "old\n");
  Deno.utimeSync(folder.at("a.log"), new Date("2020-01-01"), new Date("2020-01-01"));
  await using trial = new SourceTrial(folder.path, { path: "a.log", ignore_older_ms: 60_000 });
  await trial.idle();
  folder.append("a.log", "new\n");
  await trial.poll();
  assert.deepEqual(trial.texts, ["new"]);
});

Deno.test("file source: only committed lines count for the next life, file by file", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "a1\na2\na3\n");
  folder.write("b.log", "b1\nb2\n");
  const first = new SourceTrial(folder.path, { path: "*.log" });
  await first.idle();
  folder.append("a.log", "a4\n");
  await first.poll();
  assert.deepEqual(first.texts, ["a1", "a2", "a3", "b1", "b2", "a4"]);
  const state = await first.stop(4);
  await using second = new SourceTrial(folder.path, { path: "*.log" }, { state });
  await second.idle();
  assert.deepEqual(second.texts, ["a4", "b2"]);
});

Deno.test("file source: follows more files than it keeps open", async () => {
  using folder = new TrialFolder();
  const names = Array.from({ length: 1200 }, (_, i) => `${String(i).padStart(4, "0")}.log`);
  for (const name of names) folder.write(name, `first of ${name}\n`);
  await using trial = new SourceTrial(folder.path, { path: "*.log" });
  await trial.idle();
  assert.equal(trial.texts.length, names.length);
  assert.ok(openHandles(folder.path) <= 512);
  for (const name of names) folder.append(name, `second of ${name}\n`);
  await trial.poll();
  assert.deepEqual(trial.texts.slice(names.length), names.map((name) => `second of ${name}`));
});

Deno.test("file source: names pod, namespace and container of a container log", async () => {
  using folder = new TrialFolder();
  folder.write(`web-7f_prod_nginx-main-${"0123456789abcdef".repeat(4)}.log`, "1\n");
  await using trial = new SourceTrial(folder.path, { path: "*.log" });
  await trial.idle();
  const { pod, namespace, container } = trial.arrivals[0]?.meta ?? {};
  assert.deepEqual({ pod, namespace, container }, { pod: "web-7f", namespace: "prod", container: "nginx-main" });
});

/** Handles of this process on files in the folder, where the platform tells. */
function openHandles(folder: string): number {
  if (Deno.build.os !== "linux") return 0;
  let count = 0;
  for (const entry of Deno.readDirSync("/proc/self/fd")) {
    try {
      if (Deno.readLinkSync(`/proc/self/fd/${entry.name}`).startsWith(folder)) count++;
    } catch {
      // The handle of the listing itself is closed by now.
    }
  }
  return count;
}
