/** Owns the plugins of the engine's tests: a source over a list, a sink that collects, a transform from a function. */

import { type Message, pack } from "../../src/message/mod.ts";
import type { Emit, Sink, SinkBatch, Source, Transform, TransformResult } from "../../src/plugin/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How a {@linkcode ListSource} behaves. */
export interface ListSourceOptions {
  /** Messages a batch. Default 10. */
  readonly batch?: number;
  /** Whether `run` stays until it is stopped, after all is emitted. Default false. */
  readonly stays?: boolean;
  /** How often a refused batch is emitted again before the source fails. Default 0. */
  readonly retries?: number;
}

/** Emits values as JSON, in batches; its state is the number of values committed, as text. */
export class ListSource implements Source {
  readonly commits: number[] = [];
  readonly #values: readonly unknown[];
  readonly #options: ListSourceOptions;
  /** Values emitted and accepted by this instance. */
  accepted = 0;
  #start = 0;

  constructor(values: readonly unknown[], options: ListSourceOptions = {}) {
    this.#values = values;
    this.#options = options;
  }

  init(state: Uint8Array | undefined): void {
    this.#start = state === undefined ? 0 : Number(decoder.decode(state));
  }

  async run(emit: Emit, signal: AbortSignal): Promise<void> {
    const size = this.#options.batch ?? 10;
    for (let from = this.#start; from < this.#values.length && !signal.aborted; from += size) {
      const values = this.#values.slice(from, from + size);
      await this.#emit(emit, values, from - this.#start + 1);
      this.accepted += values.length;
    }
    if (this.#options.stays === true) await stopped(signal);
  }

  async #emit(emit: Emit, values: readonly unknown[], firstSrcSeq: number): Promise<void> {
    for (let left = this.#options.retries ?? 0;; left--) {
      try {
        return await emit(pack(values.map((value) => ({ bytes: encoder.encode(JSON.stringify(value)) })), firstSrcSeq));
      } catch (caught) {
        if (left === 0) throw caught;
      }
    }
  }

  commit(throughSrcSeq: number): Uint8Array {
    this.commits.push(throughSrcSeq);
    return encoder.encode(String(this.#start + throughSrcSeq));
  }

  close(): void {}
}

/** Resolves once the signal aborts. */
export function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Keeps what it is given; `onWrite` may throw or wait first. */
export class CollectingSink implements Sink {
  readonly messages: Message[] = [];
  readonly batches: number[] = [];
  onWrite: (batch: SinkBatch, signal: AbortSignal) => void | Promise<void>;

  constructor(onWrite: (batch: SinkBatch, signal: AbortSignal) => void | Promise<void> = () => {}) {
    this.onWrite = onWrite;
  }

  /** What arrived, decoded from the bytes that a real sink would have sent. */
  readonly values: unknown[] = [];

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    await this.onWrite(batch, signal);
    this.batches.push(batch.size);
    for (let i = 0; i < batch.size; i++) {
      this.messages.push(batch.message(i));
      this.values.push(JSON.parse(decoder.decode(batch.bytes(i))));
    }
  }

  close(): void {}
}

/** A transform from a function. */
export function transformOf(
  apply: (message: Message, signal: AbortSignal) => TransformResult | Promise<TransformResult>,
): Transform {
  return { init() {}, apply, close() {} };
}
