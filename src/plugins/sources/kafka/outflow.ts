/** Owns the emissions of a consumer that are under way: several at once, and what became of them. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import type { Emission } from "../../../message/mod.ts";
import type { Emit } from "../../../plugin/mod.ts";

/** Emissions under way at once: while one is made durable, the next are read. */
const UNDER_WAY_MAX = 4;

/** Hands emissions to the engine. Once one was not accepted, {@linkcode Outflow.ended} says why. */
export class Outflow {
  readonly #emit: Emit;
  readonly #ended = Promise.withResolvers<EventboatError>();
  #underWay = 0;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Resolves with the reason once the engine takes nothing more. */
  get ended(): Promise<EventboatError> {
    return this.#ended.promise;
  }

  /** Waits until there is room for one more. Rejects with the signal's reason. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.#underWay >= UNDER_WAY_MAX || this.#hasEnded) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = () => reject(signal.reason);
      this.#waiting.push(resolve);
      signal.addEventListener("abort", stop, { once: true });
      try {
        await promise;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    }
  }

  /** Emits. The order of the calls is the order of the messages. */
  send(emission: Emission): void {
    this.#underWay++;
    this.#emit(emission).then(() => this.#landed(), (caught: unknown) => {
      this.#hasEnded = true;
      this.#ended.resolve(EventboatError.from(caught, "source_failed"));
      this.#landed();
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #landed(): void {
    this.#underWay--;
    // Everybody looks for himself: one who has given up must not take another's turn.
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
