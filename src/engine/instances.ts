/** Owns the plugin instances of one engine: made and initialised together, closed together. */

import { raceAbort } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { PlanNode, PlanSink, PlanSource, PlanTransform } from "../plan/mod.ts";
import type { Sink, Source, Transform } from "../plugin/mod.ts";
import type { EngineCore } from "./core.ts";
import type { LaneProvider } from "./lane.ts";
import { LaneCalls } from "./lane_calls.ts";
import { LanePool, type LanePoolCore } from "./lane_pool.ts";
import { nodeContext } from "./node_context.ts";
import type { NodeMemories } from "./node_memories.ts";
import { type TransformCaller, TransformCalls } from "./transform_calls.ts";

/** A source node with its instance. */
export interface SourceInstance {
  readonly node: PlanSource;
  readonly source: Source;
}

/** A transform node with its instances. */
export interface TransformInstance {
  readonly node: PlanTransform;
  /** One for each worker; none where it has lanes. */
  readonly workers: readonly Transform[];
  readonly lanes?: LanePool;
}

/** A sink node with its instance. */
export interface SinkInstance {
  readonly node: PlanSink;
  readonly sink: Sink;
}

interface Closable {
  readonly node: string;
  close(): void | Promise<void>;
}

/** Every instance of one engine. */
export class Instances {
  readonly sources: SourceInstance[] = [];
  readonly transforms: TransformInstance[] = [];
  readonly sinks: SinkInstance[] = [];
  readonly #core: LanePoolCore & Pick<EngineCore, "plan">;
  readonly #memories: NodeMemories;
  readonly #closables: Closable[] = [];

  constructor(core: LanePoolCore & Pick<EngineCore, "plan">, memories: NodeMemories) {
    this.#core = core;
    this.#memories = memories;
  }

  /**
   * Makes and initialises transforms and sinks, and makes sources, whose `init` waits for the replay's end. No node is
   * waited for once the signal has aborted. Sources may be left out.
   * @throws {EventboatError} `node_failed`, naming the node; what was made by then is closed by {@linkcode close}.
   */
  async open(signal: AbortSignal, which: "with sources" | "without sources" = "with sources"): Promise<void> {
    for (const node of this.#core.plan.nodes) {
      if (node.kind === "source" && which === "without sources") continue;
      try {
        signal.throwIfAborted();
        await this.#openNode(node, signal);
      } catch (caught) {
        throw nodeFailure(caught, node, "start");
      }
    }
  }

  async #openNode(node: PlanNode, signal: AbortSignal): Promise<void> {
    const context = nodeContext(this.#core, node);
    if (node.kind === "source") {
      const source = node.create(context);
      this.#closables.push({ node: node.name, close: () => source.close() });
      this.sources.push({ node, source });
    } else if (node.kind === "sink") {
      const sink = node.create(context);
      this.#closables.push({ node: node.name, close: () => sink.close() });
      await raceAbort(Promise.resolve(sink.open?.()), signal);
      this.sinks.push({ node, sink });
    } else {
      const { lanes } = this.#core.options;
      const hasLanes = node.workers > 1 && node.lanes === true && lanes?.offers(node.name) === true;
      this.transforms.push(
        hasLanes
          ? { node, workers: [], lanes: await this.#openLanes(node, lanes, signal) }
          : { node, workers: await this.#openTransform(node, signal) },
      );
    }
  }

  async #openLanes({ name, workers }: PlanTransform, provider: LaneProvider, signal: AbortSignal): Promise<LanePool> {
    const pool = new LanePool(this.#core, name, provider);
    this.#closables.push({ node: name, close: () => pool.close() });
    await raceAbort(pool.open(workers, signal), signal);
    return pool;
  }

  async #openTransform(node: PlanTransform, signal: AbortSignal): Promise<readonly Transform[]> {
    const master = node.create(nodeContext(this.#core, node));
    this.#closables.push({ node: node.name, close: () => master.close() });
    await raceAbort(Promise.resolve(master.init()), signal);
    if (master.memory !== undefined) this.#memories.add(node.name, master.memory);
    const workers = [master];
    while (workers.length < node.workers) {
      const clone = await raceAbort(Promise.resolve(master.clone?.()), signal) ?? master;
      if (clone !== master) this.#closables.push({ node: node.name, close: () => clone.close() });
      workers.push(clone);
    }
    return workers;
  }

  /** Makes what every sink has written survive a power cut. */
  async syncSinks(): Promise<void> {
    for (const { sink } of this.sinks) await sink.sync?.();
  }

  /** Closes everything, the last made first; a close that fails or outlasts the signal is logged. */
  async close(signal: AbortSignal): Promise<void> {
    for (const closable of this.#closables.splice(0).reverse()) {
      try {
        await raceAbort(Promise.resolve(closable.close()), signal);
      } catch (caught) {
        this.#core.options.log.log("warn", "a node did not close cleanly", {
          node: closable.node,
          error: EventboatError.from(caught, "internal").message,
        });
      }
    }
  }
}

/** What the workers of a transform have messages applied by, one each. */
export function transformCallers(core: EngineCore, instance: TransformInstance): readonly TransformCaller[] {
  const { node, workers, lanes } = instance;
  if (lanes === undefined) return workers.map((transform) => new TransformCalls(core, node.name, transform));
  return Array.from({ length: lanes.batchesMax }, () => new LaneCalls(lanes, core.released));
}

/** A node's trouble. It carries the node's name, which whoever prints it puts in front: the message does not say it again. */
export function nodeFailure(caught: unknown, node: PlanNode, doing: "start" | "run"): EventboatError {
  const code = node.kind === "source" && doing === "run" ? "source_failed" : "node_failed";
  const error = EventboatError.from(caught, code);
  const message = error.code === "permission"
    ? `${error.message} (the node's plan does not include it)`
    : error.message;
  return new EventboatError(
    error.code === "permission" ? "permission" : code,
    message,
    {
      cause: caught,
      node: node.name,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    },
  );
}
