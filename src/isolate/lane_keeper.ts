/** Owns the supervisor's side of lanes: it starts their isolates, since a pipeline's may start none, and ends them. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { LaneGrant } from "../plan/mod.ts";
import { startWorker } from "./isolate_worker.ts";
import { pipelinePermissions } from "./permissions.ts";
import type { FromLane, FromPipeline, LogLine, PipelineStart, ToLane, ToPipeline } from "./protocol.ts";

/** What a pipeline's isolate says about lanes. */
export type LaneWish = Extract<FromPipeline, { readonly kind: "open_lane" | "drop_lane" }>;

/** What the keeping of lanes needs to know. */
export interface LaneKeeperOptions {
  /** The module a lane's isolate begins with. */
  readonly entry: URL;
  readonly grants: readonly LaneGrant[];
  readonly start: PipelineStart;
  /** Says something to the pipeline's isolate. */
  readonly post: (message: ToPipeline, transfer: MessagePort[]) => void;
  readonly log: (line: LogLine) => void;
}

interface KeptLane {
  readonly node: string;
  readonly worker: Worker;
}

/** The lanes of one pipeline. */
export class LaneKeeper implements Disposable {
  readonly #options: LaneKeeperOptions;
  readonly #lanes = new Map<number, KeptLane>();

  constructor(options: LaneKeeperOptions) {
    this.#options = options;
  }

  /** Does what the pipeline's isolate asks for, where it was granted. */
  receive(wish: LaneWish): void {
    if (wish.kind === "drop_lane") this.#drop(wish.id);
    else this.#open(wish.id, wish.node);
  }

  /** Ends every lane. */
  [Symbol.dispose](): void {
    for (const id of [...this.#lanes.keys()]) this.#drop(id);
  }

  #open(id: number, node: string): void {
    const { entry, grants, start, post, log } = this.#options;
    const grant = grants.find((each) => each.node === node);
    const open = [...this.#lanes.values()].filter((lane) => lane.node === node).length;
    if (grant === undefined || open >= grant.lanes || this.#lanes.has(id)) {
      return this.#died(id, `transform ${node} may not have another lane`);
    }
    const name = `lane ${id} of ${node}, pipeline ${start.document.name}`;
    const worker = startWorker(entry, name, pipelinePermissions(grant.needs));
    this.#lanes.set(id, { node, worker });
    worker.onmessage = ({ data }: MessageEvent<FromLane>) => log(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // One that was dropped is heard of no more.
      if (this.#lanes.get(id)?.worker !== worker) return;
      this.#drop(id);
      this.#died(id, event.message);
    };
    const { port1, port2 } = new MessageChannel();
    const first: ToLane = { kind: "serve_lane", start, node, port: port1 };
    worker.postMessage(first, [port1]);
    post({ kind: "lane", id, port: port2 }, [port2]);
  }

  #died(id: number, reason: string): void {
    const error = new EventboatError("isolate_died", reason);
    this.#options.post({ kind: "lane_died", id, error: error.toRecord() }, []);
  }

  /** What loops in it goes on until the program ends, but nothing of it is heard. */
  #drop(id: number): void {
    this.#lanes.get(id)?.worker.terminate();
    this.#lanes.delete(id);
  }
}
