/** Owns what every source must do, whoever wrote it. */

import assert from "node:assert/strict";
import { EventboatError } from "../../src/diagnostics/mod.ts";
import { CollectingEmit, type MetaKey, type Source } from "../../src/plugin/mod.ts";

/** A source with the place it reads from. Disposing removes the place; the suite runs and closes the source. */
export interface SourceTrial extends AsyncDisposable {
  readonly source: Source;
  /**
   * Makes one more message be there, and resolves without waiting for the source to take it. Called once the source
   * runs; it may let time pass or send a request whose answer nobody waits for.
   */
  feed(): void | Promise<void>;
}

/** Makes a fresh source with the place it reads from. */
type Start = () => SourceTrial | Promise<SourceTrial>;

/** Registers one test of a suite. */
export type Register = (title: string, fn: () => Promise<void>) => void;

const registerTest: Register = (title, fn) => Deno.test(title, fn);

/**
 * Registers the tests of one source, which declares that it sets these keys of `meta`. Tests that share a server are
 * collected by `register` and run as the steps of one test.
 */
export function sourceSuite(
  name: string,
  start: Start,
  meta: readonly MetaKey[] = [],
  register: Register = registerTest,
): void {
  const trial = (title: string, run: Trial) =>
    register(`source suite ${name}: ${title}`, () => whileRunning(start, run));

  trial("emissions are well formed and numbered from 1 without a gap", wellFormed);

  trial("what it sets in meta is declared, each key with its type", async (fresh, collected) => {
    const types = new Map(meta.map(({ key, type }) => [key, type]));
    await fresh.feed();
    await collected.untilMessages(1);
    for (const emission of collected.emissions) {
      const first = Object.entries(emission.columns ?? {}).map(([key, column]) => [key, column[0]] as const);
      for (const [key, value] of [...Object.entries(emission.meta ?? {}), ...first]) {
        if (value === undefined) continue;
        assert.equal(types.get(key), Number.isInteger(value) ? "integer" : typeof value, key);
      }
    }
  });

  trial("run resolves soon after the signal, when nothing is under way", async (_fresh, _collected, running) => {
    running.stop.abort();
    await running.ended;
  });

  trial("what is emitted while the engine holds back becomes durable once, later", async (fresh, collected) => {
    collected.hold();
    await fresh.feed();
    await collected.untilHeld(1);
    assert.equal(collected.messages.length, 0);
    collected.release();
    await collected.untilMessages(1);
    assert.equal(collected.messages.length, 1);
  });

  trial("an engine that stops is no failure", async (fresh, collected, running) => {
    collected.refuse(new EventboatError("shutdown", "the engine stops"));
    await fresh.feed();
    running.stop.abort();
    await running.ended;
    assert.equal(collected.messages.length, 0);
  });

  trial("commit answers after messages were emitted, and again with a higher number", async (fresh, collected) => {
    const { signal } = new AbortController();
    await fresh.feed();
    await collected.untilMessages(1);
    await fresh.source.commit(1, signal);
    await fresh.feed();
    await collected.untilMessages(2);
    await fresh.source.commit(2, signal);
  });

  register(`source suite ${name}: can be closed without having run`, async () => {
    await using fresh = await start();
    await fresh.source.init(undefined);
    await fresh.source.close();
  });
}

/** Whether emissions are packed and numbered as they should be. */
async function wellFormed(fresh: SourceTrial, collected: CollectingEmit): Promise<void> {
  for (let count = 1; count <= 3; count++) {
    await fresh.feed();
    await collected.untilMessages(count);
  }
  for (const { bytes, ends, gap } of collected.emissions) {
    assert.ok(ends.length > 0);
    assert.ok(ends.every((end, index) => end >= (index === 0 ? 0 : (ends[index - 1] ?? 0) + gap)));
    assert.ok((ends.at(-1) ?? 0) <= bytes.length);
  }
  assert.deepEqual(collected.messages.map(({ srcSeq }) => srcSeq), [1, 2, 3]);
}

/** What is done with a source while it runs. */
type Trial = (fresh: SourceTrial, collected: CollectingEmit, running: Running) => Promise<void>;

async function whileRunning(start: Start, run: Trial): Promise<void> {
  await using fresh = await start();
  const collected = new CollectingEmit();
  const running = new Running();
  await fresh.source.init(undefined);
  running.ended = fresh.source.run(collected.emit, running.stop.signal);
  try {
    await run(fresh, collected, running);
  } finally {
    running.stop.abort();
    // A test that wants the failure has looked at it already.
    await running.ended.catch(() => {});
    await fresh.source.close();
  }
}

/** How a run is stopped, and its end. */
class Running {
  readonly stop = new AbortController();
  ended: Promise<void> = Promise.resolve();
}
