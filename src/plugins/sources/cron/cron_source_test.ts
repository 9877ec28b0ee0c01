import assert from "node:assert/strict";
import { type Data, HeldClock } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { CollectingEmit, testContext } from "../../../plugin/mod.ts";
import { cronSource } from "./mod.ts";

const MINUTE_MS = 60_000;

/** A source that runs by a held clock until its scope ends. */
class RunningCron implements AsyncDisposable {
  readonly clock: HeldClock;
  readonly collected = new CollectingEmit();
  readonly #stop = new AbortController();
  readonly ended: Promise<void>;

  constructor(block: { readonly [key: string]: Data }) {
    const parsed = cronSource.definition.parse(block);
    assert.ok(parsed.ok);
    this.clock = new HeldClock(Date.parse("2026-01-01T00:00:30Z"));
    const source = cronSource.create(parsed.value, testContext({ clock: this.clock }));
    this.ended = source.run(this.collected.emit, this.#stop.signal);
  }

  get scheduled(): unknown[] {
    return this.collected.messages.map(({ meta }) => meta["cron_scheduled_for"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}

Deno.test("cron: emits its payload as JSON at each tick, numbered from 1", async () => {
  await using cron = new RunningCron({ expression: "* * * * *", payload: { n: 9007199254740993n, a: [1] } });
  await cron.clock.advance(29_000);
  assert.equal(cron.collected.messages.length, 0);
  await cron.clock.advance(MINUTE_MS + 1000);
  assert.deepEqual(cron.collected.texts, Array(2).fill('{"n":9007199254740993,"a":[1]}'));
  assert.deepEqual(cron.collected.messages.map(({ srcSeq }) => srcSeq), [1, 2]);
  assert.deepEqual(cron.scheduled, ["2026-01-01T00:01:00.000Z", "2026-01-01T00:02:00.000Z"]);
});

Deno.test("cron: the payload is an empty mapping unless told", async () => {
  await using cron = new RunningCron({ expression: "* * * * *" });
  await cron.clock.advance(MINUTE_MS);
  assert.deepEqual(cron.collected.texts, ["{}"]);
});

Deno.test("cron: ticks that pass while the engine holds back are not made up for", async () => {
  await using cron = new RunningCron({ expression: "* * * * *" });
  cron.collected.hold();
  await cron.clock.advance(10 * MINUTE_MS);
  assert.equal(cron.collected.held, 1);
  cron.collected.release();
  await cron.clock.advance(MINUTE_MS);
  assert.deepEqual(cron.scheduled, ["2026-01-01T00:01:00.000Z", "2026-01-01T00:11:00.000Z"]);
});

/** When the first `count` ticks are emitted by a clock whose sleeps pass at once. */
async function ticks(block: { readonly [key: string]: Data }, start: string, count: number): Promise<string[]> {
  const parsed = cronSource.definition.parse(block);
  assert.ok(parsed.ok);
  let nowMs = Date.parse(start);
  const clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    sleep: (ms: number) => {
      assert.ok(ms < 2 ** 31, "a timer cannot be that long");
      return Promise.resolve(void (nowMs += ms));
    },
  };
  const emitted: string[] = [];
  const stop = new AbortController();
  const source = cronSource.create(parsed.value, { ...testContext(), clock });
  await source.run(() => {
    if (emitted.push(new Date(nowMs).toISOString()) === count) stop.abort();
    return Promise.resolve();
  }, stop.signal);
  return emitted;
}

Deno.test("cron: waits for what is due in months", async () => {
  assert.deepEqual(await ticks({ expression: "0 0 1 6 *" }, "2026-01-01T00:00:30Z", 1), ["2026-06-01T00:00:00.000Z"]);
});

Deno.test("cron: reads its expression in its time zone, through a change of the clocks", async () => {
  const block = { expression: "30 2 * * *", timezone: "America/New_York" };
  const expected = ["2026-03-08T07:00:00.000Z", "2026-03-09T06:30:00.000Z"];
  assert.deepEqual(await ticks(block, "2026-03-07T12:00:00Z", 2), expected);
});

Deno.test("cron: a shutdown ends it quietly, a refusal fails it", async () => {
  const quiet = new RunningCron({ expression: "* * * * *" });
  quiet.collected.refuse(new EventboatError("shutdown", "stopping"));
  await quiet.clock.advance(MINUTE_MS);
  await quiet.ended;
  const failing = new RunningCron({ expression: "* * * * *" });
  failing.collected.refuse();
  const failure = assert.rejects(failing.ended, (error) => error instanceof EventboatError && error.code === "refused");
  await failing.clock.advance(MINUTE_MS);
  await failure;
});

Deno.test("cron: check tells a wrong expression and a wrong zone apart", () => {
  const issuesOf = (block: { readonly [key: string]: Data }) => {
    const parsed = cronSource.definition.parse(block);
    assert.ok(parsed.ok);
    return (cronSource.check?.(parsed.value, testContext()) ?? []).map(({ path }) => path[0]);
  };
  assert.deepEqual(issuesOf({ expression: "*/5 * * * *" }), []);
  assert.deepEqual(issuesOf({ expression: "* * *" }), ["expression"]);
  assert.deepEqual(issuesOf({ expression: "* * * * *", timezone: "Nowhere" }), ["timezone"]);
  assert.deepEqual(issuesOf({ expression: "* * *", timezone: "Nowhere" }), ["expression", "timezone"]);
});
