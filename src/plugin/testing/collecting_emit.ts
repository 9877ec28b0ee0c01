/** Owns the engine's side of a source in tests: takes emissions, holds them back, refuses them. */

import { EventboatError } from "../../diagnostics/mod.ts";
import { type Emission, type Meta, segmentBytes } from "../../message/mod.ts";
import type { Emit } from "../source.ts";

/** One message a source emitted. */
export interface EmittedMessage {
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly meta: Meta;
  readonly srcSeq: number;
}

/** What becomes of an emission: durable at once, held until released, or rejected. */
type Answer = "accept" | "hold" | EventboatError;

interface Held {
  readonly batch: Emission;
  settle(error: EventboatError | undefined): void;
}

/** Takes what a source emits. Hand {@linkcode CollectingEmit.emit} to its `run`. */
export class CollectingEmit {
  /** Accepted emissions, in order. */
  readonly emissions: Emission[] = [];
  readonly #held: Held[] = [];
  readonly #watchers = new Set<() => void>();
  #answer: Answer = "accept";

  /** The function to hand to a source. */
  readonly emit: Emit = (batch) => {
    this.#notify();
    if (this.#answer === "accept") {
      this.#accept(batch);
      return Promise.resolve();
    }
    if (this.#answer !== "hold") return Promise.reject(this.#answer);
    return new Promise((resolve, reject) => {
      this.#held.push({ batch, settle: (error) => error === undefined ? resolve() : reject(error) });
      this.#notify();
    });
  };

  /** Accepted messages, in order. */
  get messages(): readonly EmittedMessage[] {
    return this.emissions.flatMap(messagesOf);
  }

  /** Their bytes as text. */
  get texts(): readonly string[] {
    return this.messages.map((message) => message.text);
  }

  /** How many emissions are held back. */
  get held(): number {
    return this.#held.length;
  }

  /** From now on holds emissions back, as an engine under back-pressure does. */
  hold(): void {
    this.#answer = "hold";
  }

  /** Accepts what is held, and from now on everything. */
  release(): void {
    this.#answer = "accept";
    for (const { batch, settle } of this.#held.splice(0)) {
      this.#accept(batch);
      settle(undefined);
    }
  }

  /** Rejects what is held, and from now on everything. Default: a refusal. */
  refuse(error: EventboatError = new EventboatError("refused", "the test refuses it")): void {
    this.#answer = error;
    for (const { settle } of this.#held.splice(0)) settle(error);
  }

  /** Resolves once `count` messages have been accepted. */
  async untilMessages(count: number): Promise<void> {
    await this.#until(() => this.messages.length >= count);
  }

  /** Resolves once `count` emissions are held back. */
  async untilHeld(count: number): Promise<void> {
    await this.#until(() => this.#held.length >= count);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#watchers.add(resolve);
      await promise;
      this.#watchers.delete(resolve);
    }
  }

  #accept(batch: Emission): void {
    this.emissions.push(batch);
    this.#notify();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

/** The messages of an emission, unpacked. */
export function messagesOf(batch: Emission): readonly EmittedMessage[] {
  const decoder = new TextDecoder();
  return Array.from(batch.ends, (_, index) => {
    const bytes = segmentBytes(batch, index).slice();
    const meta: Record<string, Meta[string]> = { ...batch.meta };
    for (const key in batch.columns) {
      const value = batch.columns[key]?.[index];
      if (value !== undefined) meta[key] = value;
    }
    return { text: decoder.decode(bytes), bytes, meta, srcSeq: batch.firstSrcSeq + index };
  });
}
