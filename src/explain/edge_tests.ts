/** Owns the deciding of edges, as a router of the engine does it. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { Message } from "../message/mod.ts";
import type { Plan, PlanCondition, PlanEdge } from "../plan/mod.ts";

type Environment = Parameters<PlanCondition["bind"]>[0];

/** Whether a message takes an edge. */
export interface EdgeDecision {
  readonly taken: boolean;
  /** Why its condition could not be evaluated, which counts as not met. */
  readonly error?: string;
}

/** The conditions of a plan, each bound once. */
export class EdgeTests {
  readonly #environment: Environment;
  readonly #bound = new Map<Plan["edges"][number], ReturnType<PlanCondition["bind"]>>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Evaluates the edge's condition. */
  decide(edge: PlanEdge, message: Message): EdgeDecision {
    if (edge.condition === undefined) return { taken: true };
    const test = this.#bound.get(edge) ?? edge.condition.bind(this.#environment);
    this.#bound.set(edge, test);
    try {
      return { taken: test(message) };
    } catch (caught) {
      return { taken: false, error: EventboatError.from(caught, "expression").message };
    }
  }
}
