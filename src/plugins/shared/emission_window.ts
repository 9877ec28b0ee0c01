/** Owns the emissions that are under way: several at once, in order. */

import { type Clock, LinkedController } from "../../base/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import type { Emission } from "../../message/mod.ts";
import type { Emit } from "../../plugin/mod.ts";

interface Flight {
  readonly accepted: () => void;
  /** Never rejects: an emission that fails while nobody waits for it must not end the isolate. */
  readonly outcome: Promise<EventboatError | undefined>;
  hasLanded: boolean;
}

/** Emissions under way at once: while one is made durable, the next are read. */
const UNDER_WAY_MAX = 4;

/** Sends emissions without waiting for each. Once one was not accepted, nothing behind it is. */
export class EmissionWindow {
  readonly #emit: Emit;
  readonly #flights: Flight[] = [];
  #wake: ((error: EventboatError | undefined) => void) | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  get isFull(): boolean {
    return this.#flights.length >= UNDER_WAY_MAX;
  }

  /** Waits until there is room for one more. @throws {EventboatError} an earlier one was not accepted */
  async room(): Promise<void> {
    while (this.isFull) await this.#land();
  }

  /** Waits for room, but no longer than this, and no longer than until the signal aborts. @throws {EventboatError} */
  async roomWithin(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    await this.#collect();
    if (!this.isFull) return;
    await this.#sleep(ms, clock, signal, () => true);
    await this.#collect();
  }

  /** Lets so much time pass, or less when the signal aborts or an emission is refused. @throws {EventboatError} */
  async rest(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    await this.#collect();
    await this.#sleep(ms, clock, signal, (error) => error !== undefined);
    await this.#collect();
  }

  /** Hands an emission to the engine; `accepted` is called, in order, when it is known to be durable. */
  send(emission: Emission, accepted: () => void): void {
    const land = (error: EventboatError | undefined) => {
      flight.hasLanded = true;
      this.#wake?.(error);
      return error;
    };
    const outcome = this.#emit(emission).then(
      () => land(undefined),
      (caught: unknown) => land(EventboatError.from(caught, "source_failed")),
    );
    const flight: Flight = { accepted, outcome, hasLanded: false };
    this.#flights.push(flight);
  }

  /** Waits until nothing is under way. @throws {EventboatError} one was not accepted */
  async settle(): Promise<void> {
    while (this.#flights.length > 0) await this.#land();
  }

  /** Takes in what has landed, without waiting for more. */
  async #collect(): Promise<void> {
    while (this.#flights[0]?.hasLanded === true) await this.#land();
  }

  async #sleep(
    ms: number,
    clock: Clock,
    signal: AbortSignal,
    wakes: (error: EventboatError | undefined) => boolean,
  ): Promise<void> {
    using alarm = new LinkedController(signal);
    this.#wake = (error) => wakes(error) && alarm.abort();
    // Whatever ends the sleep early is looked at by whoever slept.
    await clock.sleep(ms, alarm.signal).catch(() => {});
    this.#wake = undefined;
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
