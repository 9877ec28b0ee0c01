import assert from "node:assert/strict";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Static } from "typebox";
import {
  PartialWriteError,
  type Sink,
  SinkError,
  testBatch,
  type TestContext,
  testContext,
  type TestContextOptions,
} from "../../../plugin/mod.ts";
import { fileSink } from "./mod.ts";

const never = new AbortController().signal;

type Config = Static<typeof fileSink.definition.schema>;

/** A sink in a folder of its own, closed and removed with its scope. */
class Bench implements AsyncDisposable {
  readonly directory = Deno.makeTempDirSync();
  readonly #sinks: Sink[] = [];
  context: TestContext = testContext();

  /** Makes and opens a sink for this block. */
  async sink(block: Record<string, unknown>, options: TestContextOptions = {}): Promise<Sink> {
    const parsed = fileSink.definition.parse(block);
    assert.ok(parsed.ok);
    this.context = testContext({ directory: this.directory, ...options });
    const sink = fileSink.create(parsed.value, this.context);
    this.#sinks.push(sink);
    await sink.open?.();
    return sink;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  text(name: string): string {
    return Deno.readTextFileSync(this.path(name));
  }

  names(): string[] {
    return [...Deno.readDirSync(this.directory)].map((entry) => entry.name).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const sink of this.#sinks) await sink.close();
    Deno.removeSync(this.directory, { recursive: true });
  }
}

function parse(block: Record<string, unknown>): Config {
  const parsed = fileSink.definition.parse(block);
  assert.ok(parsed.ok);
  return parsed.value;
}

Deno.test("file sink: appends each message as a line, in new folders too, and goes on after a restart", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "a/b/out.jsonl" });
  await sink.write(testBatch(['{"a":1}', '{"a":2}']), never);
  await sink.close();
  await (await bench.sink({ path: "a/b/out.jsonl" })).write(testBatch(['{"a":3}']), never);
  assert.equal(bench.text("a/b/out.jsonl"), '{"a":1}\n{"a":2}\n{"a":3}\n');
});

Deno.test("file sink: what a crash left of a line is set aside, so that every line is whole", async () => {
  await using bench = new Bench();
  Deno.writeTextFileSync(bench.path("out"), "whole\n" + "torn".repeat(50_000));
  const sink = await bench.sink({ path: "out" });
  await sink.write(testBatch(["next"]), never);
  assert.equal(bench.text("out"), "whole\nnext\n");
  assert.equal(bench.text("out.torn"), "torn".repeat(50_000) + "\n");
  assert.deepEqual(bench.context.log.lines.map(({ level }) => level), ["warn"]);
});

Deno.test("file sink: a file that is one torn line becomes empty", async () => {
  await using bench = new Bench();
  Deno.writeTextFileSync(bench.path("out"), "torn");
  await bench.sink({ path: "out" });
  assert.equal(bench.text("out"), "");
});

Deno.test("file sink: begins a new file where another program moved its file away or deleted it", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "out" });
  await sink.write(testBatch(["1"]), never);
  Deno.renameSync(bench.path("out"), bench.path("moved"));
  await bench.context.clock.advance(2000);
  await sink.write(testBatch(["2"]), never);
  Deno.removeSync(bench.path("out"));
  await bench.context.clock.advance(2000);
  await sink.write(testBatch(["3"]), never);
  assert.equal(bench.text("moved"), "1\n");
  assert.equal(bench.text("out"), "3\n");
});

Deno.test("file sink: goes on at the end where another program emptied its file", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "out" });
  await sink.write(testBatch(["1"]), never);
  Deno.truncateSync(bench.path("out"));
  await sink.write(testBatch(["2"]), never);
  assert.equal(bench.text("out"), "2\n");
});

Deno.test("file sink: one file has one writer", { ignore: Deno.build.os === "windows" }, async () => {
  await using bench = new Bench();
  await bench.sink({ path: "out" });
  await assert.rejects(bench.sink({ path: "out" }), SinkError);
});

Deno.test("file sink: a path template sends each message to its file", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "by/{{ payload.region }}/{{meta.day}}.jsonl" });
  const messages = ['{"region":"eu","n":1}', '{"region":"us","n":2}', '{"region":"eu","n":3}'];
  await sink.write(testBatch(messages, [{ day: 1 }, { day: 1 }, { day: 1 }]), never);
  assert.equal(bench.text("by/eu/1.jsonl"), `${messages[0]}\n${messages[2]}\n`);
  assert.equal(bench.text("by/us/1.jsonl"), `${messages[1]}\n`);
});

Deno.test("file sink: a message cannot lead its path elsewhere, and fails alone", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "by/{{ payload.to }}" });
  const values = ["good", "../up", "..", ".", "", "/etc/x", "a/b", "a\\b", "nul\u0000", "x".repeat(300), "\ud83e", [
    "no",
  ]];
  const batch = testBatch([...values.map((to) => JSON.stringify({ to })), "{}"]);
  await assert.rejects(async () => await sink.write(batch, never), (error) => {
    assert.ok(error instanceof PartialWriteError);
    assert.deepEqual(error.failures.map(({ index }) => index), values.map((_, i) => i + 1));
    assert.ok(error.failures.every((failure) => !failure.error.retryable));
    return true;
  });
  assert.deepEqual(bench.names(), ["by"]);
  assert.equal(bench.text("by/good"), '{"to":"good"}\n');
});

Deno.test("file sink: many paths share a bounded number of open files", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "{{ payload.n }}.jsonl" });
  const texts = Array.from({ length: 300 }, (_, n) => `{"n":${n}}`);
  for (let round = 0; round < 2; round++) await sink.write(testBatch(texts), never);
  assert.equal(bench.names().length, 300);
  assert.equal(bench.text("7.jsonl"), '{"n":7}\n{"n":7}\n');
});

Deno.test("file sink: rotates before a batch that does not fit, and names the old file by the time", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "out.jsonl", rotate: { max_bytes: 10 } });
  for (const text of ["12345", "678", "90", "a"]) await sink.write(testBatch([text]), never);
  await sink.write(testBatch(["longer than a file may be"]), never);
  await sink.write(testBatch(["z"]), never);
  const stamp = "20260101T000000.000Z";
  assert.deepEqual(bench.names(), [`out-${stamp}-1.jsonl`, `out-${stamp}-2.jsonl`, `out-${stamp}.jsonl`, "out.jsonl"]);
  assert.equal(bench.text(`out-${stamp}.jsonl`), "12345\n678\n");
  assert.equal(bench.text(`out-${stamp}-1.jsonl`), "90\na\n");
  assert.equal(bench.text(`out-${stamp}-2.jsonl`), "longer than a file may be\n");
  assert.equal(bench.text("out.jsonl"), "z\n");
});

Deno.test("file sink: rotates a file that has come of age, and never an empty one", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "out", rotate: { max_age: "1h" } });
  await bench.context.clock.advance(3_600_000);
  await sink.write(testBatch(["1"]), never);
  assert.deepEqual(bench.names(), ["out"]);
  await bench.context.clock.advance(3_600_000);
  await sink.write(testBatch(["2"]), never);
  assert.equal(bench.names().length, 2);
  assert.equal(bench.text("out"), "2\n");
});

Deno.test("file sink: gzip writes one valid file, over restarts and past a torn end", async () => {
  await using bench = new Bench();
  for (const text of ["one", "two"]) {
    const sink = await bench.sink({ path: "out.gz", compression: "gzip" });
    await sink.write(testBatch([text]), never);
    await sink.close();
  }
  const whole = Deno.readFileSync(bench.path("out.gz"));
  Deno.writeFileSync(bench.path("out.gz"), whole.subarray(0, whole.length - 3), { append: false });
  const sink = await bench.sink({ path: "out.gz", compression: "gzip" });
  await sink.write(testBatch(["three"]), never);
  assert.equal(gunzipSync(Deno.readFileSync(bench.path("out.gz"))).toString(), "one\nthree\n");
  assert.ok(bench.names().includes("out.gz.torn"));
});

Deno.test("file sink: gzip leaves a file alone that it did not write", async () => {
  await using bench = new Bench();
  Deno.writeTextFileSync(bench.path("out.gz"), "plain text, long enough to be taken for a header\n");
  await assert.rejects(bench.sink({ path: "out.gz", compression: "gzip" }), SinkError);
  assert.equal(bench.text("out.gz"), "plain text, long enough to be taken for a header\n");
});

Deno.test("file sink: a write that was stopped while it waited leaves no trace and no hole", async () => {
  await using bench = new Bench();
  const sink = await bench.sink({ path: "out" });
  const stop = new AbortController();
  const first = sink.write(testBatch(["1"]), never);
  const second = assert.rejects(async () => await sink.write(testBatch(["2"]), stop.signal));
  stop.abort();
  const third = sink.write(testBatch(["3"]), never);
  await first;
  await second;
  await third;
  assert.equal(bench.text("out"), "1\n3\n");
});

Deno.test("file sink: check tells what is wrong with a template, and where", () => {
  const issuesOf = (path: string) => fileSink.check?.(parse({ path }), testContext()) ?? [];
  assert.deepEqual(issuesOf("out/{{ payload.a }}"), []);
  assert.deepEqual(issuesOf('out/{{ {"a": {"b": "}}"}}.a.b }}'), []);
  assert.equal(issuesOf("out/{{ payload.")[0]?.offset, 4);
  const [issue] = issuesOf("out/{{ payload. }}");
  assert.equal(issue?.code, "expr_cel_compile");
  assert.ok((issue?.offset ?? 0) >= 6);
  assert.equal(issuesOf("out/").length, 1);
  assert.equal(fileSink.check?.(parse({ path: "out", rotate: {} }), testContext())?.length, 1);
});

Deno.test("file sink: needs the file where its folder exists for certain, else the folder", () => {
  const context = testContext({ directory: "/srv/pipelines" });
  const writes = (block: Record<string, unknown>) => fileSink.needs?.(parse(block), context).write;
  assert.deepEqual(writes({ path: "out" }), ["/srv/pipelines/out", "/srv/pipelines/out.torn"]);
  assert.deepEqual(writes({ path: "../out" }), ["/srv/out", "/srv/out.torn"]);
  assert.deepEqual(writes({ path: "/out" }), ["/out", "/out.torn"]);
  assert.deepEqual(writes({ path: "new/out" }), ["/srv/pipelines/new"]);
  assert.deepEqual(writes({ path: "out", rotate: { max_bytes: 5 } }), ["/srv/pipelines"]);
  assert.deepEqual(writes({ path: "by/{{ payload.a }}/b" }), ["/srv/pipelines/by"]);
  assert.deepEqual(writes({ path: "by/x-{{ payload.a }}/b" }), ["/srv/pipelines/by"]);
});
