/** Owns the way out of a node: which edges a message takes, and into whose queue. */

import { type BoundedQueue, raceAbort } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { CelPredicate } from "../languages/mod.ts";
import type { Message } from "../message/mod.ts";
import type { PlanEdge } from "../plan/mod.ts";
import type { Delivery, EngineCore } from "./core.ts";

interface BoundEdge {
  readonly edge: PlanEdge;
  readonly test: CelPredicate | undefined;
}

/** Sends messages from node to node. */
export class Router {
  readonly #core: EngineCore;
  readonly #inboxes: ReadonlyMap<string, BoundedQueue<Delivery>>;
  readonly #outputs: ReadonlyMap<string, readonly BoundEdge[]>;

  constructor(core: EngineCore, inboxes: ReadonlyMap<string, BoundedQueue<Delivery>>) {
    this.#core = core;
    this.#inboxes = inboxes;
    this.#outputs = new Map(
      core.plan.nodes.map((node) => [
        node.name,
        node.outputs.map((edge) => ({ edge, test: edge.condition?.bind(core.environment) })),
      ]),
    );
  }

  /**
   * Sends messages out of a node, waiting where a queue is full. A message that no edge takes commits as filtered.
   * Returns early, with messages unsent and so uncommitted, once the engine has let go.
   */
  async leave(node: string, messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    this.#core.counters.left(node, messages.length);
    const outputs = this.#outputs.get(node) ?? [];
    const only = outputs.length === 1 ? outputs[0] : undefined;
    if (only !== undefined && only.test === undefined) return await this.enter(only.edge.to, only.edge, messages);
    for (const { edge, taken } of this.#choose(node, outputs, messages)) {
      if (taken.length > 0) await this.enter(edge.to, edge, taken);
    }
  }

  /** Puts messages into a node's queue, waiting for room. `edge` is undefined for injections. */
  async enter(node: string, edge: PlanEdge | undefined, messages: readonly Message[]): Promise<void> {
    const inbox = this.#inboxes.get(node);
    if (inbox === undefined) throw new EventboatError("internal", `cannot deliver to ${node}: it has no queue`);
    const delivery = { edge, messages };
    if (inbox.tryPush(delivery)) return;
    try {
      await inbox.push(delivery, this.#core.released);
    } catch (caught) {
      // Only the engine's letting go ends the wait: the messages stay uncommitted and are replayed.
      if (!this.#core.released.aborted) throw caught;
    }
  }

  /** Decides the edges of every message and opens their branches before any of them is sent. */
  #choose(
    node: string,
    outputs: readonly BoundEdge[],
    messages: readonly Message[],
  ): readonly { readonly edge: PlanEdge; readonly taken: readonly Message[] }[] {
    const { ledger, counters } = this.#core;
    const chosen = outputs.map(({ edge, test }) => ({
      edge,
      test,
      taken: test === undefined ? messages : [] as Message[],
    }));
    const conditional = chosen.filter(({ test }) => test !== undefined);
    const always = chosen.length - conditional.length;
    let filtered = 0;
    for (const message of messages) {
      let matches = always;
      for (const { edge, test, taken } of conditional) {
        if (test === undefined || !this.#holds(edge, test, message)) continue;
        (taken as Message[]).push(message);
        matches++;
      }
      if (matches > 1) ledger.branch(message.seq, matches - 1);
      if (matches > 0) continue;
      filtered++;
      ledger.doneOne(message.seq);
    }
    if (filtered > 0) {
      counters.count("filtered", filtered, "fanout_no_match_total", { node });
      ledger.settle();
    }
    return chosen;
  }

  /** A condition that fails to evaluate does not hold, and is counted. */
  #holds(edge: PlanEdge, test: CelPredicate, message: Message): boolean {
    try {
      return test(message);
    } catch (caught) {
      const { counters, frugalLog } = this.#core;
      counters.count("conditionErrors", 1, "cel_eval_errors_total", {
        edge: edge.label,
        lang: edge.condition?.lang ?? "cel",
      });
      frugalLog.tell(`condition ${edge.label}`, "warn", "a condition could not be evaluated and counts as not met", {
        edge: edge.label,
        seq: message.seq,
        error: EventboatError.from(caught, "expression").message,
      });
      return false;
    }
  }
}

/** Waits for a promise for as long as the engine holds on; undefined once it has let go. */
export async function unlessReleased<T>(promise: PromiseLike<T>, released: AbortSignal): Promise<T | undefined> {
  try {
    return await raceAbort(promise, released);
  } catch (caught) {
    if (released.aborted) return undefined;
    throw caught;
  }
}
