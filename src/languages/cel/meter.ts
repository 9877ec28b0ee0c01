/** Owns the count of what a CEL evaluation costs. */

import { CostMeter } from "../cost_meter.ts";
import { CEL_COST_LIMIT } from "./expression.ts";

/** The meter of one bound expression. */
export class CelMeter extends CostMeter {
  constructor() {
    super({
      language: "CEL",
      unitsMax: CEL_COST_LIMIT,
      hint: "comprehensions inside comprehensions cost the product of their sizes",
    });
  }
}
