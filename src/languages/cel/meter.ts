/** Owns the count of what an evaluation costs. */

import { EventboatError } from "../../diagnostics/mod.ts";
import { CEL_COST_LIMIT } from "./expression.ts";

/** Units a size-driven operation costs for each element, character or byte. */
const UNITS_PER_ELEMENT = 0.1;

/**
 * Counts down one evaluation. Only operations whose cost depends on data count: those of fixed cost are taken off at the
 * start, and an expression that has no others counts nothing at all.
 */
export class CelMeter {
  #left: number = CEL_COST_LIMIT;

  /** Starts an evaluation whose operations of fixed cost come to `units`. */
  start(units: number): void {
    this.#left = CEL_COST_LIMIT - units;
  }

  /** @throws {EventboatError} `budget` when the evaluation has cost too much. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) {
      throw new EventboatError(
        "budget",
        `a CEL evaluation may cost ${CEL_COST_LIMIT} units (about one an operation), this one costs more`,
        { hint: "comprehensions inside comprehensions cost the product of their sizes" },
      );
    }
  }

  /** Takes the cost of an operation over `length` elements, characters or bytes. */
  spendLength(length: number): void {
    this.spend(length * UNITS_PER_ELEMENT);
  }
}
