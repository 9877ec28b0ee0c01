/** Owns the way out of a node: which edges a message takes, and into whose queue. */

import { type BoundedQueue, raceAbort } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Predicate } from "../languages/mod.ts";
import type { Message } from "../message/mod.ts";
import type { Plan, PlanEdge, PlanNode } from "../plan/mod.ts";
import type { Delivery, EngineCore } from "./core.ts";

interface BoundEdge {
  readonly edge: PlanEdge;
  readonly test: Predicate | undefined;
  /** Whether a node behind this edge may get the same message over another edge of the same origin. */
  readonly rejoins: boolean;
}

/** Sends messages from node to node. */
export class Router {
  readonly #core: EngineCore;
  readonly #inboxes: ReadonlyMap<string, BoundedQueue<Delivery>>;
  readonly #outputs: ReadonlyMap<string, readonly BoundEdge[]>;

  constructor(core: EngineCore, inboxes: ReadonlyMap<string, BoundedQueue<Delivery>>) {
    this.#core = core;
    this.#inboxes = inboxes;
    const rejoining = rejoiningEdges(core.plan);
    this.#outputs = new Map(
      core.plan.nodes.map((node) => [
        node.name,
        node.outputs.map((edge) => ({
          edge,
          test: edge.condition?.bind(core.environment),
          rejoins: rejoining.has(edge),
        })),
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
    const chosen = outputs.map(({ edge, test, rejoins }) => ({
      edge,
      test,
      rejoins,
      taken: test !== undefined ? [] as Message[] : rejoins ? messages.map((each) => onEdge(each, edge)) : messages,
    }));
    const conditional = chosen.filter(({ test }) => test !== undefined);
    const always = chosen.length - conditional.length;
    let filtered = 0;
    for (const message of messages) {
      let matches = always;
      for (const { edge, test, rejoins, taken } of conditional) {
        if (test === undefined || !this.#holds(edge, test, message)) continue;
        (taken as Message[]).push(rejoins ? onEdge(message, edge) : message);
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
  #holds(edge: PlanEdge, test: Predicate, message: Message): boolean {
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

/** The message on a branch of its own, named after the edge: two copies that meet again can be told apart. */
function onEdge(message: Message, edge: PlanEdge): Message {
  return message.derive({ branch: `e${edge.id}` });
}

/**
 * Edges of one node from which the same node can be reached: a message that takes two of them arrives there twice, and
 * its dead letters must not take each other's place.
 */
function rejoiningEdges(plan: Plan): ReadonlySet<PlanEdge> {
  const nodes = new Map(plan.nodes.map((node) => [node.name, node]));
  const found = new Set<PlanEdge>();
  for (const { outputs } of plan.nodes) {
    if (outputs.length < 2) continue;
    const arrivals = new Map<string, PlanEdge>();
    for (const edge of outputs) {
      for (const name of behind(edge.to, nodes)) {
        const other = arrivals.get(name);
        if (other === undefined) arrivals.set(name, edge);
        else found.add(other).add(edge);
      }
    }
  }
  return found;
}

/** A node and every node behind it. */
function behind(name: string, nodes: ReadonlyMap<string, PlanNode>): ReadonlySet<string> {
  const found = new Set([name]);
  // A set gives what is added while it is gone through, too.
  for (const each of found) for (const edge of nodes.get(each)?.outputs ?? []) found.add(edge.to);
  return found;
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
