/** Faults that users of similar tools met: each test carries the number of its case. */

import assert from "node:assert/strict";
import { SourceTrial, TrialFolder } from "./source_trial.ts";

function utf16le(text: string, mark: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2 + (mark ? 2 : 0));
  const view = new DataView(bytes.buffer);
  if (mark) view.setUint16(0, 0xfeff, true);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2 + (mark ? 2 : 0), text.charCodeAt(i), true);
  return bytes;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");

Deno.test("case F01: a file that begins like the one it replaces is read from its beginning", async () => {
  for (const inPlace of [true, false]) {
    using folder = new TrialFolder();
    folder.write("a.log", "aaaaaa\nbbbb\nccc\n");
    await using trial = new SourceTrial(folder.path, { path: "a.log" });
    await trial.idle();
    const before = trial.texts.length;
    if (!inPlace) folder.remove("a.log");
    if (inPlace) folder.overwrite("a.log", "aaaaaa\n1111\n222\n33\n");
    else folder.write("a.log", "aaaaaa\n1111\n222\n33\n");
    await trial.pass(3000);
    assert.deepEqual(trial.texts.slice(before), ["aaaaaa", "1111", "222", "33"]);
  }
});

Deno.test("case F05: a position is not applied to another file that got the same inode", async () => {
  // Where the content differs the bytes tell, where it begins alike the time of creation does.
  for (const [first, count] of [[1001, 400], [1, 400]] as const) {
    for (const restart of [true, false]) {
      using folder = new TrialFolder();
      folder.write("a.log", lines(numbers(1, 300)));
      const block = { path: "*.log", close_inactive_ms: 1000 };
      let trial = new SourceTrial(folder.path, block);
      await trial.pass(2000);
      const { ino, birthtime } = Deno.statSync(folder.at("a.log"));
      const state = restart ? await trial.stop() : undefined;
      folder.remove("a.log");
      const wanted = numbers(first, first + count - 1);
      const isReused = folder.reuseInode("a.log", ino, lines(wanted));
      if (!isReused || birthtime === null) return await trial[Symbol.asyncDispose]();
      if (restart) trial = new SourceTrial(folder.path, block, { state });
      await trial.pass(3000);
      assert.deepEqual(trial.texts.slice(restart ? 0 : 300), wanted);
      await trial.stop();
    }
  }
});

Deno.test("case F05: a saved position whose inode has other content starts at the beginning", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", lines(numbers(1, 300)));
  const first = new SourceTrial(folder.path, { path: "*.log" });
  await first.idle();
  const state = await first.stop();
  folder.overwrite("a.log", lines(numbers(1001, 1400)));
  await using second = new SourceTrial(folder.path, { path: "*.log" }, { state });
  await second.idle();
  assert.deepEqual(second.texts, numbers(1001, 1400));
});

Deno.test("case F06: a file that is overwritten every tenth line gives all lines, if it is looked at in between", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "");
  await using trial = new SourceTrial(folder.path, { path: "a.log" });
  await trial.idle();
  for (let number = 1; number <= 50; number++) {
    if (number % 10 === 0) folder.overwrite("a.log", `${number}\n`);
    else folder.append("a.log", `${number}\n`);
    await trial.poll();
  }
  assert.deepEqual(trial.texts, numbers(1, 50));
});

Deno.test("case F06: overwriting between two looks neither mixes nor repeats lines, and what is there in the end arrives", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "");
  await using trial = new SourceTrial(folder.path, { path: "a.log" });
  await trial.idle();
  for (let number = 1; number <= 50; number++) {
    if (number % 10 === 0) folder.overwrite("a.log", `${number}\n`);
    else folder.append("a.log", `${number}\n`);
    if (number % 7 === 0) await trial.poll();
  }
  await trial.poll();
  const arrived = trial.texts.map(Number);
  assert.deepEqual(arrived, [...new Set(arrived)].sort((a, b) => a - b));
  assert.deepEqual(arrived.slice(-1), [50]);
  // Every truncation that swallowed lines was seen and counted.
  assert.equal(trial.count("rotations"), 5);
});

Deno.test("case F07: equal first lines, empty and tiny files are all read", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "# header\na\n");
  folder.write("b.log", "# header\nb\n");
  folder.write("c.log", "# header\n");
  folder.write("d.log", "# header\n");
  folder.write("empty.log", "");
  folder.write("tiny.log", "1234\n");
  await using trial = new SourceTrial(folder.path, { path: "*.log" });
  await trial.idle();
  folder.append("empty.log", "# header\n");
  folder.append("d.log", "d\n");
  await trial.poll();
  assert.deepEqual(trial.texts.toSorted(), [
    "# header",
    "# header",
    "# header",
    "# header",
    "# header",
    "1234",
    "a",
    "b",
    "d",
  ]);
});

Deno.test("case F10: copytruncate, twice, with a restart in between, gives 150 distinct lines", async () => {
  using folder = new TrialFolder();
  folder.write("app.log", lines(numbers(1, 50)));
  const first = new SourceTrial(folder.path, { path: "app.log*" });
  await first.idle();
  folder.copyTruncate("app.log", "app.log.1");
  folder.append("app.log", lines(numbers(51, 75)));
  await first.pass(2000);
  const state = await first.stop();
  folder.append("app.log", lines(numbers(76, 100)));
  folder.rename("app.log.1", "app.log.2");
  folder.copyTruncate("app.log", "app.log.1");
  folder.append("app.log", lines(numbers(101, 150)));
  await using second = new SourceTrial(folder.path, { path: "app.log*" }, { state });
  await second.pass(3000);
  const arrived = [...first.texts, ...second.texts];
  assert.deepEqual(arrived.map(Number).toSorted((a, b) => a - b).map(String), numbers(1, 150));
});

Deno.test("case T01: the last line comes out without a newline at the end of a job", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "a\nb");
  const trial = new SourceTrial(folder.path, { path: "a.log", on_eof: "stop" });
  await trial.ended;
  assert.deepEqual(trial.texts, ["a", "b"]);
});

Deno.test("case T01: the last group comes out after its time, on the way out, and at the end of a job", async () => {
  using folder = new TrialFolder();
  const multiline = { pattern: "^\\s", timeout_ms: 2000 };
  folder.write("a.log", "A\n 1\n");
  const timed = new SourceTrial(folder.path, { path: "a.log", multiline });
  await timed.pass(1000);
  assert.deepEqual(timed.texts, []);
  folder.append("a.log", " 2\n");
  await timed.pass(1500);
  assert.deepEqual(timed.texts, []);
  await timed.pass(1000);
  assert.deepEqual(timed.texts, ["A\n 1\n 2"]);
  await timed.stop();
  const stopped = new SourceTrial(folder.path, { path: "a.log", multiline });
  await stopped.idle();
  const state = await stopped.stop();
  assert.deepEqual(stopped.texts, ["A\n 1\n 2"]);
  folder.append("a.log", "B\n 3");
  const job = new SourceTrial(folder.path, { path: "a.log", multiline, on_eof: "stop" }, { state });
  await job.ended;
  assert.deepEqual(job.texts, ["B\n 3"]);
});

Deno.test("case T01: without a time limit the last group waits for its next line, and a stop leaves it unread", async () => {
  using folder = new TrialFolder();
  const multiline = { pattern: "^\\s", timeout_ms: 0 };
  folder.write("a.log", "A\nB\n 1\n");
  const first = new SourceTrial(folder.path, { path: "a.log", multiline });
  await first.pass(60_000);
  assert.deepEqual(first.texts, ["A"]);
  const state = await first.stop();
  assert.deepEqual(first.texts, ["A"]);
  folder.append("a.log", " 2\nC\n");
  const second = new SourceTrial(folder.path, { path: "a.log", multiline }, { state });
  await second.pass(1000);
  assert.deepEqual(second.texts, ["B\n 1\n 2"]);
  await second.stop();
});

Deno.test("case T03: groups of two files that grow at once do not mix", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "");
  folder.write("b.log", "");
  const multiline = { pattern: "^ " };
  await using trial = new SourceTrial(folder.path, { path: "*.log", multiline });
  const wanted: string[] = [];
  for (const name of ["a", "b"]) {
    wanted.push(`${name} start\n${numbers(1, 349).map((n) => ` ${name} ${n}`).join("\n")}`);
  }
  const streams = wanted.map((text, i) => ({ name: i === 0 ? "a.log" : "b.log", left: `${text}\n` }));
  while (streams.some((stream) => stream.left !== "")) {
    // Chunks that end within lines.
    for (const stream of streams) {
      folder.append(stream.name, stream.left.slice(0, 1021));
      stream.left = stream.left.slice(1021);
    }
    await trial.poll();
  }
  await trial.pass(3000);
  assert.deepEqual(trial.texts, wanted);
  assert.equal(trial.count("multiline_merges"), 2);
});

Deno.test("case T05: UTF-16 is read by code units, declared or marked, with offsets", async () => {
  using folder = new TrialFolder();
  const text = "h\u0a05i\r\nżółć 😀\n";
  folder.write("marked.log", utf16le(text, true));
  folder.write("plain.log", utf16le(text, false));
  for (const [path, encoding, first] of [["marked.log", "utf-8", 2], ["plain.log", "utf-16le", 0]] as const) {
    const trial = new SourceTrial(folder.path, { path, encoding });
    await trial.idle();
    assert.deepEqual(trial.texts, ["h\u0a05i", "żółć 😀"]);
    assert.deepEqual(trial.arrivals.map((arrival) => arrival.meta["offset"]), [first, first + 10]);
    const state = await trial.stop(1);
    folder.append(path, utf16le("more\n", false));
    await using second = new SourceTrial(folder.path, { path, encoding }, { state });
    await second.idle();
    assert.deepEqual(second.texts, ["żółć 😀", "more"]);
  }
});

Deno.test("case T07: one invalid byte does not cut the line, and its bytes are kept", async () => {
  using folder = new TrialFolder();
  const bytes = Uint8Array.from("Estagi\xe1rio visualizou\n", (char) => char.charCodeAt(0));
  folder.write("a.log", bytes);
  await using raw = new SourceTrial(folder.path, { path: "a.log" });
  await raw.idle();
  assert.deepEqual(raw.arrivals[0]?.bytes, bytes.subarray(0, -1));
  await using declared = new SourceTrial(folder.path, { path: "a.log", encoding: "windows-1252" });
  await declared.idle();
  assert.deepEqual(declared.texts, ["Estagiário visualizou"]);
});

Deno.test("case T07: a character that is written in two halves stays one", async () => {
  using folder = new TrialFolder();
  const bytes = new TextEncoder().encode("ä😀\n");
  folder.write("a.log", bytes.subarray(0, 1));
  await using trial = new SourceTrial(folder.path, { path: "a.log" });
  for (let at = 1; at < bytes.length; at++) {
    await trial.poll();
    folder.append("a.log", bytes.subarray(at, at + 1));
  }
  await trial.poll();
  assert.deepEqual(trial.texts, ["ä😀"]);
});
