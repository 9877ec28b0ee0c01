/** Owns what every sink must do, whoever wrote it. */

import assert from "node:assert/strict";
import { type Sink, type SinkBatch, SinkError, testBatch } from "../../src/plugin/mod.ts";

/** A sink with the place it writes to. Disposing removes the place; the suite closes the sink. */
export interface SinkTrial extends AsyncDisposable {
  readonly sink: Sink;
  /** The messages that have arrived, in order; undefined for a sink that keeps none. */
  arrived(): readonly string[] | undefined | Promise<readonly string[] | undefined>;
  /** Makes writes fail until {@linkcode SinkTrial.mend}; absent for a sink that cannot fail. */
  readonly break?: () => void | Promise<void>;
  readonly mend?: () => void | Promise<void>;
}

const never = new AbortController().signal;

/**
 * Registers the tests of one sink. `start` makes a fresh one, not opened yet. Tests that share a server are collected by
 * `register` and run as the steps of one test.
 */
export function sinkSuite(
  name: string,
  start: () => SinkTrial | Promise<SinkTrial>,
  canFail: boolean,
  register: (title: string, fn: () => Promise<void>) => void = (title, fn) => Deno.test(title, fn),
): void {
  const trial = (title: string, run: (trial: SinkTrial) => Promise<void>) =>
    register(`sink suite ${name}: ${title}`, async () => {
      await using fresh = await start();
      await fresh.sink.open?.();
      try {
        await run(fresh);
      } finally {
        await fresh.sink.close();
      }
    });

  trial("can be closed without a write", () => Promise.resolve());

  trial("when a write resolves all its messages have arrived, batch after batch and in order", async (fresh) => {
    for (const texts of [['{"n":1}'], ['{"n":2}', '{"n":3}'], ['{"n":4}']]) {
      await fresh.sink.write(testBatch(texts), never);
    }
    expectArrived(await fresh.arrived(), ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
  });

  trial("writes that overlap all arrive, each batch in order", async (fresh) => {
    const writes = ["a", "b", "c"].map((group) =>
      fresh.sink.write(testBatch([`{"n":"${group}1"}`, `{"n":"${group}2"}`]), never)
    );
    await Promise.all(writes);
    const arrived = await fresh.arrived();
    if (arrived === undefined) return;
    assert.equal(arrived.length, 6);
    for (const group of ["a", "b", "c"]) {
      assert.deepEqual(arrived.filter((text) => text.includes(group)), [`{"n":"${group}1"}`, `{"n":"${group}2"}`]);
    }
  });

  trial("keeps no view of a batch beyond its write", async (fresh) => {
    const batch = reused(testBatch(['{"n":1}', '{"n":2}']));
    await fresh.sink.write(batch, never);
    batch.overwrite();
    expectArrived(await fresh.arrived(), ['{"n":1}', '{"n":2}']);
  });

  trial("a sync after writes resolves", async (fresh) => {
    await fresh.sink.write(testBatch(['{"n":1}']), never);
    await fresh.sink.sync?.();
    expectArrived(await fresh.arrived(), ['{"n":1}']);
  });

  if (!canFail) return;
  trial("a write that fails is a SinkError, and the same write succeeds once the trouble is over", async (fresh) => {
    await fresh.sink.write(testBatch(['{"n":1}']), never);
    await fresh.break?.();
    await assert.rejects(async () => await fresh.sink.write(testBatch(['{"n":2}']), never), SinkError);
    await fresh.mend?.();
    await fresh.sink.write(testBatch(['{"n":2}']), never);
    expectArrived(await fresh.arrived(), ['{"n":1}', '{"n":2}']);
  });
}

function expectArrived(arrived: readonly string[] | undefined, expected: readonly string[]): void {
  if (arrived !== undefined) assert.deepEqual(arrived, expected);
}

/** A batch that gives the same buffers each time, and spoils them afterwards. */
function reused(batch: SinkBatch): SinkBatch & { overwrite(): void } {
  const buffers = Array.from({ length: batch.size }, (_, index) => batch.bytes(index));
  const lines = batch.lines();
  return {
    size: batch.size,
    message: (index) => batch.message(index),
    bytes: (index) => buffers[index] ?? new Uint8Array(),
    lines: () => lines,
    overwrite() {
      for (const buffer of [...buffers, lines]) buffer.fill(0x78);
    },
  };
}
