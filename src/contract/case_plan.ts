/** Owns the change of a plan for a case: sinks that capture, transforms with one worker. Its sources stay off. */

import type { Clock } from "../base/mod.ts";
import type { Plan, PlanNode, PlanTransform } from "../plan/mod.ts";
import type { PluginContext, Transform, TransformResult } from "../plugin/mod.ts";
import type { CapturedSinks } from "./captured_sinks.ts";
import { standingClock } from "./case_clock.ts";

/** What stands in for the outside of a pipeline. */
export interface CaseStage {
  readonly captured: CapturedSinks;
  readonly calls: CallCount;
  /** The platform's, for transforms that really take time. */
  readonly realClock: Clock;
}

/** How many calls of transforms are awaited: while one is, time must not be moved over its limits. */
export interface CallCount {
  underWay: number;
}

/** The plan with its sinks exchanged; one worker a transform, so that the order is always the same. */
export function casePlan(plan: Plan, stage: CaseStage): Plan {
  return { ...plan, nodes: plan.nodes.map((node) => caseNode(node, stage)) };
}

function caseNode(node: PlanNode, stage: CaseStage): PlanNode {
  switch (node.kind) {
    case "source":
      return node;
    case "sink":
      return { ...node, create: () => stage.captured.sink(node.name) };
    case "transform":
      return { ...node, workers: 1, lanes: false, create: (context) => watched(node, context, stage) };
  }
}

/** The transform itself, its calls counted while they are awaited. */
function watched(node: PlanTransform, context: PluginContext, { calls, realClock }: CaseStage): Transform {
  const transform = node.create({ ...context, clock: standingClock(realClock) });
  const apply: Transform["apply"] = (message, signal) => {
    const result = transform.apply(message, signal);
    return result instanceof Promise ? counted(result, calls) : result;
  };
  return new Proxy(transform, {
    get(target, key) {
      if (key === "apply") return apply;
      const value: unknown = Reflect.get(target, key);
      // Methods with private state know only the object itself.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function counted(result: Promise<TransformResult>, calls: CallCount): Promise<TransformResult> {
  calls.underWay++;
  try {
    return await result;
  } finally {
    calls.underWay--;
  }
}
