/** Owns the queues between the nodes of an engine. */

import { BoundedQueue } from "../base/mod.ts";
import type { Plan } from "../plan/mod.ts";
import { batchMessagesMax } from "../plugin/mod.ts";
import type { Delivery } from "./core.ts";
import type { EngineOptions } from "./options.ts";

/** One queue for each node that is entered: as large as the largest buffer of its edges, and as a sink's whole batch. */
export function makeInboxes(plan: Plan, options: EngineOptions): ReadonlyMap<string, BoundedQueue<Delivery>> {
  return new Map(
    plan.nodes.filter((node) => node.kind !== "source").map((node) => [
      node.name,
      new BoundedQueue<Delivery>({
        capacity: Math.max(
          options.nodeQueueMessages,
          node.kind === "sink" ? batchMessagesMax(node) : 1,
          ...node.inputs.map((edge) => edge.bufferEvents),
        ),
        weigh: (delivery) => delivery.messages.length,
      }),
    ]),
  );
}
