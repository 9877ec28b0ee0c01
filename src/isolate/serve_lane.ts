/** Owns the lane isolate's side: it makes one transform and applies it to the batches that come over its port. */

import { EventboatError } from "../diagnostics/mod.ts";
import { type LaneBatch, LaneWork } from "../engine/mod.ts";
import { rebuildTransform } from "../plan/mod.ts";
import { type Plugin, Registry } from "../plugin/mod.ts";
import type { Logger } from "../telemetry/mod.ts";
import { crossingLog } from "./crossing_log.ts";
import type { FromLane, LaneCall, LaneReply, ToLane } from "./protocol.ts";

/** Serves one lane: all that its isolate does. `post` speaks to the supervisor. */
export function serveLane(first: ToLane, plugins: readonly Plugin[], post: (message: FromLane) => void): void {
  const server = new LaneServer(first, plugins, crossingLog(post));
  // What fails here is no failure of a message: it ends the isolate, which the supervisor tells the pipeline.
  first.port.onmessage = ({ data }: MessageEvent<LaneCall>) => void server.receive(data);
}

class LaneServer {
  readonly #first: ToLane;
  readonly #plugins: readonly Plugin[];
  readonly #log: Logger;
  readonly #port: MessagePort;
  #work: LaneWork | undefined;
  /** What is under way: calls are taken one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(first: ToLane, plugins: readonly Plugin[], log: Logger) {
    this.#first = first;
    this.#plugins = plugins;
    this.#log = log;
    this.#port = first.port;
  }

  receive(call: LaneCall): Promise<void> {
    this.#turn = this.#turn.then(() => this.#handle(call));
    return this.#turn;
  }

  async #handle(call: LaneCall): Promise<void> {
    if (call.kind === "begin") await this.#begin(call.begun);
    else if (call.kind === "apply") await this.#apply(call.batch);
    else await this.#close();
  }

  async #begin(begun: SharedArrayBuffer): Promise<void> {
    try {
      this.#work = this.#makeWork(new Int32Array(begun));
      await this.#work.init();
      this.#reply({ kind: "ready", codecs: this.#work.codecs });
    } catch (caught) {
      this.#reply({ kind: "refused", error: EventboatError.from(caught, "node_failed").toRecord() });
    }
  }

  #makeWork(begun: Int32Array<SharedArrayBuffer>): LaneWork {
    const { start, node } = this.#first;
    return new LaneWork({
      node,
      plan: rebuildTransform(start.document, new Registry(this.#plugins), node),
      options: {
        durability: start.durability,
        segmentMessagesMax: start.writeBatch.maxRows,
        parameters: start.parameters,
        runId: start.runId,
        log: this.#log,
      },
      begin: () => void Atomics.add(begun, 0, 1),
    });
  }

  async #apply(batch: LaneBatch): Promise<void> {
    if (this.#work === undefined) throw new EventboatError("internal", "a batch came to a lane without a transform");
    await this.#work.handle(batch, (answer) => this.#reply({ kind: "answer", answer }));
  }

  async #close(): Promise<void> {
    try {
      await this.#work?.close();
    } catch (caught) {
      const { message } = EventboatError.from(caught, "internal");
      this.#log.log("warn", "a lane did not close cleanly", { node: this.#first.node, error: message });
    }
    this.#reply({ kind: "closed" });
  }

  #reply(reply: LaneReply): void {
    this.#port.postMessage(reply);
  }
}
