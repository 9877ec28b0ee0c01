/** Owns a pipeline wherever it lives: builds the plan, connects the store, runs the engine, reports. */

import { EventboatError } from "../diagnostics/mod.ts";
import { emptyCounts, Engine, type Outcome } from "../engine/mod.ts";
import { Masking, type Plan, rebuildPlan } from "../plan/mod.ts";
import { type Plugin, Registry } from "../plugin/mod.ts";
import { Replay } from "../replay/mod.ts";
import { openMemoryStore, type Store, StoreClient } from "../store/mod.ts";
import { InstrumentRegistry, type Logger } from "../telemetry/mod.ts";
import { crossingLog } from "./crossing_log.ts";
import { LaneClients } from "./lane_client.ts";
import type { FromPipeline, PipelineStart, ToPipeline } from "./protocol.ts";

/** Time between two status messages. */
const STATUS_INTERVAL_MS = 500;

/** The host's end of the protocol. */
export interface HostPort {
  post(message: FromPipeline): void;
}

/** Runs one pipeline; whoever owns it feeds it the supervisor's messages. */
export class PipelineHost {
  readonly #port: HostPort;
  readonly #plugins: readonly Plugin[];
  readonly #stop = new AbortController();
  /** Aborts with the reason when the store's isolate dies, which may be before the store has opened. */
  readonly #storeDied = new AbortController();
  readonly #log: Logger;
  #client: StoreClient | undefined;
  #lanes: LaneClients | undefined;

  constructor(port: HostPort, plugins: readonly Plugin[]) {
    this.#port = port;
    this.#plugins = plugins;
    this.#log = crossingLog((line) => port.post(line));
  }

  /** Takes a message of the supervisor. `start` runs the pipeline and resolves when it has ended; the others return. */
  async receive(message: ToPipeline): Promise<void> {
    if (message.kind === "stop") return this.#stop.abort();
    if (message.kind === "store_died") {
      const error = EventboatError.revive(message.error);
      this.#storeDied.abort(error);
      return this.#client?.connectionLost(error);
    }
    if (message.kind === "lane" || message.kind === "lane_died") return this.#lanes?.receive(message);
    this.#port.post({ kind: "ended", outcome: await this.#run(message.start, message.store) });
  }

  async #run(start: PipelineStart, port: MessagePort | undefined): Promise<Outcome> {
    try {
      const plan = this.#plan(start);
      const store = await this.#open(start, port);
      try {
        return await this.#runEngine(plan, store, start);
      } finally {
        await this.#close(store);
      }
    } catch (caught) {
      return { status: "failed", counts: emptyCounts(), failure: EventboatError.from(caught).toRecord() };
    }
  }

  async #runEngine(plan: Plan, store: Store, start: PipelineStart): Promise<Outcome> {
    const { lanes = [] } = start;
    if (lanes.length > 0) this.#lanes = new LaneClients(lanes, (message) => this.#port.post(message));
    const masking = new Masking(plan.redact);
    const engine = new Engine(plan, store, {
      lanes: this.#lanes,
      durability: start.durability,
      // What is to be replayed must not be trimmed by what the replay brings in.
      spoolRetention: start.replay?.what.kind === "spool" ? Number.MAX_SAFE_INTEGER : start.spoolRetention,
      segmentMessagesMax: start.writeBatch.maxRows,
      parameters: start.parameters,
      runId: start.runId,
      masked: (text, message) => masking.text(text, message),
      log: this.#log,
      meter: new InstrumentRegistry(),
    });
    const report = () => this.#port.post({ kind: "status", counts: engine.counts() });
    const timer = setInterval(report, STATUS_INTERVAL_MS);
    try {
      const started = () => this.#port.post({ kind: "started" });
      if (start.replay === undefined) return await engine.run(this.#stop.signal, started);
      const replay = new Replay({ engine, store, plan, durability: start.durability }, start.replay);
      const outcome = await engine.run(this.#stop.signal, started, replay);
      this.#port.post({ kind: "replayed", report: replay.report() });
      return withDeleteError(outcome, replay.deleteError);
    } finally {
      clearInterval(timer);
    }
  }

  #plan(start: PipelineStart): Plan {
    const registry = new Registry();
    for (const plugin of this.#plugins) registry.register(plugin);
    return rebuildPlan(start.document, registry);
  }

  async #open(start: PipelineStart, port: MessagePort | undefined): Promise<Store> {
    if (port === undefined) return await openMemoryStore();
    const { signal } = this.#storeDied;
    this.#client = await StoreClient.connect(port, { writeBatch: start.writeBatch }, signal);
    // It may have died in the moment in which it was open and nobody held the client yet.
    if (signal.aborted) this.#client.connectionLost(EventboatError.from(signal.reason));
    return this.#client;
  }

  async #close(store: Store): Promise<void> {
    try {
      await store.close();
    } catch (caught) {
      // The outcome stands; what the store could not say at its end the next start reads from its file.
      this.#log.log("warn", "the store did not close cleanly", { error: EventboatError.from(caught).message });
    }
  }
}

/** The outcome of a replay whose letters could not all be deleted: the next one would bring these in once more. */
function withDeleteError(outcome: Outcome, error: EventboatError | undefined): Outcome {
  return error === undefined || outcome.failure !== undefined
    ? outcome
    : { ...outcome, status: "failed", failure: error.toRecord() };
}
