/** Owns the emissions that are under way: several at once, in order. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import type { Emission } from "../../../message/mod.ts";
import type { Emit } from "../../../plugin/mod.ts";

interface Flight {
  readonly accepted: () => void;
  /** Never rejects: an emission that fails while nobody waits for it must not end the isolate. */
  readonly outcome: Promise<EventboatError | undefined>;
}

/** Emissions under way at once: while one is made durable, the next are read. */
const UNDER_WAY_MAX = 4;

/** Sends emissions without waiting for each. Once one was not accepted, nothing behind it is. */
export class EmissionWindow {
  readonly #emit: Emit;
  readonly #flights: Flight[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Waits until there is room for one more. @throws {EventboatError} an earlier one was not accepted */
  async room(): Promise<void> {
    while (this.#flights.length >= UNDER_WAY_MAX) await this.#land();
  }

  /** Hands an emission to the engine; `accepted` is called, in order, when it is known to be durable. */
  send(emission: Emission, accepted: () => void): void {
    const outcome = this.#emit(emission).then(
      () => undefined,
      (caught: unknown) => EventboatError.from(caught, "source_failed"),
    );
    this.#flights.push({ accepted, outcome });
  }

  /** Waits until nothing is under way. @throws {EventboatError} one was not accepted */
  async settle(): Promise<void> {
    while (this.#flights.length > 0) await this.#land();
  }

  async #land(): Promise<void> {
    const flight = this.#flights[0];
    if (flight === undefined) return;
    const error = await flight.outcome;
    if (error !== undefined) {
      // The engine refuses what follows a refused one: it is waited for, so that nothing is left behind.
      for (const each of this.#flights.splice(0)) await each.outcome;
      throw error;
    }
    this.#flights.shift();
    flight.accepted();
  }
}
