/** Owns Kafka's source and sink in tests: made from a block as the engine makes them, with the platform's clock. */

import assert from "node:assert/strict";
import { type Data, systemClock, systemRandom } from "../../src/base/mod.ts";
import {
  type CollectingLogger,
  type MetaKey,
  type PluginContext,
  Registry,
  type Sink,
  type Source,
  testBatch,
  testContext,
} from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";

const FILL_PATIENCE_MS = 60_000;

type Block = { readonly [key: string]: Data };

/** A plugin with what it logs. */
export interface Made<P> {
  readonly plugin: P;
  readonly log: CollectingLogger;
}

/** Makes a source. Its context has the platform's clock and luck: a server does not wait for a held one. */
export function makeKafkaSource(block: Block): Made<Source> {
  const source = new Registry(builtins()).get("source", "kafka");
  const parsed = source?.definition.parse(block);
  assert.ok(source !== undefined && parsed?.ok, JSON.stringify(parsed));
  const context = realContext();
  return { plugin: source.create(parsed.value, context), log: context.log };
}

/** The keys of `meta` that the source says it sets. */
export function kafkaSourceMeta(): readonly MetaKey[] {
  return new Registry(builtins()).get("source", "kafka")?.meta ?? [];
}

/** Makes a sink, not opened yet. */
export function makeKafkaSink(block: Block): Made<Sink> {
  const sink = new Registry(builtins()).get("sink", "kafka");
  const parsed = sink?.definition.parse(block);
  assert.ok(sink !== undefined && parsed?.ok, JSON.stringify(parsed));
  const context = realContext();
  return { plugin: sink.create(parsed.value, context), log: context.log };
}

function realContext(): PluginContext & { readonly log: CollectingLogger } {
  const { clock: _held, random: _always, log, ...rest } = testContext();
  // Sinks that begin with the same partition would fill that one alone.
  return { ...rest, log, clock: systemClock, random: systemRandom };
}

/** How many messages are written at once, and how many bytes each of them has beside its number. */
const FILL = { messages: 2_000, padding: 100 };

/** Writes messages `{"n":<number>,"pad":"xxx"}` by our own sink, spread over the topic's partitions. */
export async function fillTopic(
  brokers: readonly string[],
  topic: string,
  { from = 0, count }: { readonly from?: number; readonly count: number },
): Promise<void> {
  const { plugin: sink } = makeKafkaSink({ brokers: [...brokers], topic });
  const pad = "x".repeat(FILL.padding);
  await sink.open?.();
  for (let n = from; n < from + count; n += FILL.messages) {
    const length = Math.min(FILL.messages, from + count - n);
    const texts = Array.from({ length }, (_, i) => JSON.stringify({ n: n + i, pad }));
    await sink.write(testBatch(texts), AbortSignal.timeout(FILL_PATIENCE_MS));
  }
  await sink.close();
}

/** A source that reads, and how it is stopped. */
export class RunningSource implements AsyncDisposable {
  readonly source: Source;
  readonly #stop = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(source: Source, emit: Parameters<Source["run"]>[0]) {
    this.source = source;
    // Whoever stops it looks at how it ended.
    this.#ended = source.run(emit, this.#stop.signal).then(() => undefined, (caught: unknown) => caught);
  }

  /** How it ends by itself; undefined where it resolved. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Commits as the engine does. */
  async commit(throughSrcSeq: number): Promise<void> {
    await this.source.commit(throughSrcSeq, AbortSignal.timeout(30_000));
  }

  /** Stops it, as the engine does before it drains. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.source.close();
  }
}
