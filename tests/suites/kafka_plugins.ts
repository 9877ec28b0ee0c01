/** Owns Kafka's source and sink in tests: made from a block as the engine makes them, with the platform's clock. */

import assert from "node:assert/strict";
import { type Data, systemClock } from "../../src/base/mod.ts";
import { CollectingLogger, type PluginContext, type Sink, type Source, testContext } from "../../src/plugin/mod.ts";
import { kafkaSink } from "../../src/plugins/sinks/kafka/mod.ts";
import { kafkaSource } from "../../src/plugins/sources/kafka/mod.ts";

type Block = { readonly [key: string]: Data };

/** A plugin with what it logs. */
export interface Made<P> {
  readonly plugin: P;
  readonly log: CollectingLogger;
}

/** Makes a source. Its context has the platform's clock: a server does not wait for a held one. */
export function makeKafkaSource(block: Block): Made<Source> {
  const parsed = kafkaSource.definition.parse(block);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const context = realContext();
  return { plugin: kafkaSource.create(parsed.value, context), log: context.log };
}

/** Makes a sink, not opened yet. */
export function makeKafkaSink(block: Block): Made<Sink> {
  const parsed = kafkaSink.definition.parse(block);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const context = realContext();
  return { plugin: kafkaSink.create(parsed.value, context), log: context.log };
}

function realContext(): PluginContext & { readonly log: CollectingLogger } {
  const { clock: _held, log, ...rest } = testContext();
  return { ...rest, log, clock: systemClock };
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
