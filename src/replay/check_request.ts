/** Owns what can be said of a replay before anything is started. */

import type { Plan } from "../plan/mod.ts";
import { compileLetterCondition, compileMessageCondition } from "./letter_condition.ts";
import type { ReplayRequest } from "./replay_request.ts";
import { Targets } from "./target.ts";

/** @throws {EventboatError} `usage` when the condition does not compile, or the pipeline lacks the node that is named. */
export function checkReplay(plan: Pick<Plan, "name" | "nodes">, { what, where, at }: ReplayRequest): void {
  new Targets(plan, at);
  if (where === undefined) return;
  if (what.kind === "letters") compileLetterCondition(where);
  else compileMessageCondition(where);
}
