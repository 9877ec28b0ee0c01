/** Owns the count of what an evaluation costs. */

import { EventboatError } from "../diagnostics/mod.ts";

/** Units a size-driven operation costs for each element, character or byte. */
const UNITS_PER_ELEMENT = 0.1;

/** What a meter says when it runs out. */
export interface CostMeterOptions {
  /** Name of the language. */
  readonly language: string;
  /** Units an evaluation may cost. */
  readonly unitsMax: number;
  /** What usually costs so much. */
  readonly hint: string;
}

/**
 * Counts down one evaluation. Only operations whose cost depends on data count: those of fixed cost are taken off at the
 * start, and an expression that has no others counts nothing at all.
 */
export class CostMeter {
  readonly #options: CostMeterOptions;
  #left: number;

  constructor(options: CostMeterOptions) {
    this.#options = options;
    this.#left = options.unitsMax;
  }

  /** Units spent since the start, those of fixed cost included. */
  get spent(): number {
    return this.#options.unitsMax - this.#left;
  }

  /** Starts an evaluation whose operations of fixed cost come to `units`. */
  start(units: number): void {
    this.#left = this.#options.unitsMax - units;
  }

  /** @throws {EventboatError} `budget` when the evaluation has cost too much. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw this.#exhausted();
  }

  /** Takes the cost of an operation over `length` elements, characters or bytes. */
  spendLength(length: number): void {
    this.spend(length * UNITS_PER_ELEMENT);
  }

  #exhausted(): EventboatError {
    const { language, unitsMax, hint } = this.#options;
    return new EventboatError(
      "budget",
      `a ${language} evaluation may cost ${unitsMax} units (about one an operation), this one costs more`,
      { hint },
    );
  }
}
