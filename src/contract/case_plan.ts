/** Owns the change of a plan for a case: sources that wait, sinks that capture, transforms as they are. */

import { type Clock, raceAbort } from "../base/mod.ts";
import type { Plan, PlanNode, PlanTransform } from "../plan/mod.ts";
import type { PluginContext, Source, Transform, TransformResult } from "../plugin/mod.ts";
import type { CapturedSinks } from "./captured_sinks.ts";
import { standingClock } from "./case_clock.ts";

/** What stands in for the outside of a pipeline. */
export interface CaseStage {
  readonly captured: CapturedSinks;
  /** Settles when everything has been injected: the sources have then come to their end. */
  readonly injected: Promise<void>;
  readonly calls: CallCount;
  /** The platform's, for transforms that really take time. */
  readonly realClock: Clock;
}

/** How many calls of transforms are awaited: while one is, time must not be moved over its limits. */
export interface CallCount {
  underWay: number;
}

/** The plan with its sources and sinks exchanged; one worker a transform, so that the order is always the same. */
export function casePlan(plan: Plan, stage: CaseStage): Plan {
  return { ...plan, nodes: plan.nodes.map((node) => caseNode(node, stage)) };
}

function caseNode(node: PlanNode, stage: CaseStage): PlanNode {
  switch (node.kind) {
    case "source":
      return { ...node, create: () => waitingSource(stage.injected) };
    case "sink":
      return { ...node, create: () => stage.captured.sink(node.name) };
    case "transform":
      return { ...node, workers: 1, lanes: false, create: (context) => watched(node, context, stage) };
  }
}

/** A source that emits nothing and ends when everything has been injected. */
function waitingSource(injected: Promise<void>): Source {
  return {
    init() {},
    async run(_, signal) {
      try {
        await raceAbort(injected, signal);
      } catch {
        // The case is over before everything was injected: its outcome says why.
      }
    },
    commit: () => undefined,
    close() {},
  };
}

/** The transform itself, its calls counted while they are awaited. */
function watched(node: PlanTransform, context: PluginContext, { calls, realClock }: CaseStage): Transform {
  const transform = node.create({ ...context, clock: standingClock(realClock) });
  return {
    init: () => transform.init(),
    apply(message, signal) {
      const result = transform.apply(message, signal);
      return result instanceof Promise ? counted(result, calls) : result;
    },
    close: () => transform.close(),
  };
}

async function counted(result: Promise<TransformResult>, calls: CallCount): Promise<TransformResult> {
  calls.underWay++;
  try {
    return await result;
  } finally {
    calls.underWay--;
  }
}
