/** Owns the count of what a CEL evaluation costs. */

import { CostMeter } from "../cost_meter.ts";
import { CEL_COST_LIMIT } from "./expression.ts";

/** Units that an entry of a map costs where all are looked at: counting those of data takes as long as listing them. */
const UNITS_PER_ENTRY = 0.5;

/** The meter of one bound expression. */
export class CelMeter extends CostMeter {
  constructor() {
    super({
      language: "CEL",
      unitsMax: CEL_COST_LIMIT,
      hint: "comprehensions inside comprehensions cost the product of their sizes",
    });
  }

  /** Takes the cost of looking at so many entries of a map. */
  spendEntries(count: number): void {
    this.spend(count * UNITS_PER_ENTRY);
  }
}
