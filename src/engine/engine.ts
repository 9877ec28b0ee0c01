/** Owns the life of one pipeline: start, run, the stop ladder, the outcome. */

import { type BoundedQueue, deadline, raceAbort } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Plan } from "../plan/mod.ts";
import type { Store } from "../store/mod.ts";
import { FrugalLog } from "../telemetry/mod.ts";
import { Admission, type InjectedMessage, type ReplayedMessage } from "./admission.ts";
import { AdmissionGate } from "./admission_gate.ts";
import { Checkpointer } from "./checkpointer.ts";
import { CommitLedger, type LedgerListener } from "./commit_ledger.ts";
import { CommitTracker } from "./commit_tracker.ts";
import type { Delivery, EngineCore } from "./core.ts";
import { EngineCounters } from "./counters.ts";
import { DeadLetterOffice } from "./dead_letter_office.ts";
import { Entry } from "./entry.ts";
import type { Feed } from "./feed.ts";
import { makeInboxes } from "./inboxes.ts";
import { Instances, nodeFailure, type SourceInstance, transformCallers } from "./instances.ts";
import { NodeMemories } from "./node_memories.ts";
import { type EngineOptions, resolveEngineOptions } from "./options.ts";
import { classifyOutcome, type EngineCounts, type Outcome } from "./outcome.ts";
import { Recovery, recoveryError } from "./recovery.ts";
import { Router } from "./router.ts";
import { SinkDelivery } from "./sink_delivery.ts";
import { SinkWorker } from "./sink_node.ts";
import { SpentBuffers } from "./spent_buffers.ts";
import { SourceCommitter } from "./source_committer.ts";
import { TransformWorker } from "./transform_node.ts";

/**
 * After the drain: how long workers may take to let go, then by when all is written down, and by when all is closed.
 * Each step has time of its own, so that a sink which hangs does not cost the others their last checkpoint.
 */
const LET_GO_MS = 250;
const WRITTEN_MS = 500;
const CLOSED_MS = 700;

/** Runs one plan against one store, once. */
export class Engine {
  readonly #core: EngineCore;
  readonly #instances: Instances;
  readonly #checkpointer: Checkpointer;
  readonly #committers = new Map<string, SourceCommitter>();
  readonly #admission: Admission;
  readonly #entry: Entry;
  readonly #router: Router;
  readonly #office: DeadLetterOffice;
  readonly #inboxes: ReadonlyMap<string, BoundedQueue<Delivery>>;
  /** Aborts when sources are to end. */
  readonly #stopping = new AbortController();
  /** Aborts when no more messages may enter: after the sources have ended, or their time is over. */
  readonly #closed = new AbortController();
  readonly #draining = new AbortController();
  readonly #released = new AbortController();
  /** Aborts when the engine ends, for whatever reason. */
  readonly #ending = new AbortController();
  readonly #replayed = Promise.withResolvers<void>();
  #nodeError: EventboatError | undefined;
  #sourceError: EventboatError | undefined;
  #stoppedByCaller = false;
  #feed: Feed | undefined;

  constructor(plan: Plan, store: Store, options: Partial<EngineOptions> = {}) {
    const resolved = resolveEngineOptions(options);
    this.#core = this.#makeCore(plan, store, resolved);
    const memories = new NodeMemories(store);
    this.#instances = new Instances(this.#core, memories);
    this.#checkpointer = new Checkpointer(this.#core, memories);
    this.#inboxes = makeInboxes(plan, resolved);
    this.#router = new Router(this.#core, this.#inboxes);
    this.#office = new DeadLetterOffice(this.#core);
    this.#entry = new Entry(this.#core, this.#router, this.#office);
    this.#admission = new Admission(this.#core, this.#entry, this.#checkpointer, {
      stopping: this.#stopping.signal,
      closed: this.#closed.signal,
    });
  }

  #makeCore(plan: Plan, store: Store, options: EngineOptions): EngineCore {
    const messagesMax = plan.limits.maxInFlight;
    const lagMax = messagesMax * options.frontierLagFactor;
    const tracker = new CommitTracker(lagMax + messagesMax + options.segmentMessagesMax, store.start.checkpoint);
    const gate = new AdmissionGate({ messagesMax, lagMax, bytesMax: options.inFlightBytesMax });
    const counters = new EngineCounters(plan, options.meter);
    const spent = new SpentBuffers();
    const fail = (error: EventboatError) => this.#fail(error);
    return {
      plan,
      store,
      options,
      environment: { constants: plan.constants, parameters: options.parameters },
      tracker,
      gate,
      ledger: new CommitLedger(tracker, gate, this.#listener({ plan, options, counters, spent })),
      counters,
      spent,
      frugalLog: new FrugalLog(options.log, options.clock),
      released: this.#released.signal,
      draining: this.#draining.signal,
      fail,
    };
  }

  #listener(
    { plan, options, counters, spent }: Pick<EngineCore, "plan" | "options" | "counters" | "spent">,
  ): LedgerListener {
    const latency = options.meter.histogram("commit_latency_seconds", { pipeline: plan.name });
    return {
      committed: (count) => counters.count("committed", count, "messages_committed_total"),
      advanced: (frontier, sources) => {
        this.#checkpointer.advance(frontier);
        for (const [source, srcSeq] of sources) this.#committers.get(source)?.advance(srcSeq);
      },
      completed: (record) => {
        if (record.acceptedAtMs !== undefined) latency.record((options.clock.monotonic() - record.acceptedAtMs) / 1000);
        if (record.payload !== undefined) spent.free(record.payload);
        record.committed?.();
      },
    };
  }

  /** What has happened so far. */
  counts(): EngineCounts {
    const { counters, gate, tracker } = this.#core;
    const frontierLag = tracker.newest - tracker.frontier;
    this.#gauge("in_flight_messages", gate.inFlight);
    this.#gauge("frontier_lag", frontierLag);
    return {
      ...counters.totals,
      inFlight: gate.inFlight,
      frontierLag,
      frontier: tracker.frontier,
      checkpoint: this.#checkpointer.durable,
      retrying: counters.retrying,
      deadLetters: structuredClone({ ...counters.deadLetters }),
      nodes: Object.fromEntries([...counters.nodes].map(([name, flow]) => [name, { ...flow }])),
    };
  }

  /** Gauges are set when somebody looks: what nobody reads costs nothing. */
  #gauge(name: string, value: number): void {
    const { options, plan } = this.#core;
    options.meter.gauge(name, { pipeline: plan.name }).set(value);
  }

  /**
   * Brings messages in at a node: out of it when it is a source, else into it. Waits for the replay's end; resolves
   * when they are durable.
   * @throws {EventboatError} as an `Emit` does; `usage` for a node the pipeline does not have.
   */
  async inject(node: string, messages: readonly InjectedMessage[]): Promise<void> {
    await this.#admission.inject(node, await this.#mayEnter(node), messages);
  }

  /**
   * Brings messages in that were here before, as {@linkcode Engine.inject} does: they keep their metadata, and each is
   * marked as a replay. `committed` is told of runs of them that have committed; what has become a dead letter has.
   * @throws {EventboatError} as {@linkcode Engine.inject} does.
   */
  async replay(
    node: string,
    messages: readonly ReplayedMessage[],
    committed: (messages: readonly ReplayedMessage[]) => void,
  ): Promise<void> {
    await this.#admission.replay(node, await this.#mayEnter(node), messages, committed);
  }

  /** Makes what the sinks have written survive a power cut; a step of whoever then gives up what it was written from. */
  async syncSinks(): Promise<void> {
    await this.#instances.syncSinks();
  }

  /** Waits until messages may be brought in at a node; answers whether it is a source. */
  async #mayEnter(node: string): Promise<boolean> {
    const target = this.#core.plan.nodes.find(({ name }) => name === node);
    if (target === undefined) {
      throw new EventboatError("usage", `cannot inject at ${node}: pipeline ${this.#core.plan.name} has no such node`);
    }
    await raceAbort(this.#replayed.promise, this.#stopping.signal).catch(() => {
      throw new EventboatError("shutdown", "the engine accepts no more messages");
    });
    return target.kind === "source";
  }

  /**
   * Runs until every source has ended and all is committed, until `stop` aborts, or until the engine has to stop
   * itself. Call it once. The store is the caller's to close. `started` is called when sources begin to run. With a
   * `feed` the sources stay off, and the feed's end is theirs.
   */
  async run(stop: AbortSignal, started: () => void = () => {}, feed?: Feed): Promise<Outcome> {
    this.#feed = feed;
    const onStop = () => {
      // An engine that has come to its end by itself is not interrupted any more.
      this.#stoppedByCaller ||= !this.#ending.signal.aborted;
      this.#ending.abort();
    };
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) onStop();
    this.#core.store.lost.then((error) => this.#fail(error));
    try {
      const running = await this.#start(started);
      await aborted(this.#ending.signal);
      await this.#windDown(running);
    } finally {
      stop.removeEventListener("abort", onStop);
    }
    return classifyOutcome({
      counts: this.counts(),
      nodeError: this.#nodeError,
      sourceError: this.#sourceError,
      stoppedByCaller: this.#stoppedByCaller,
    });
  }

  /** Workers and committers, then the replay, then the sources. */
  async #start(started: () => void): Promise<Running> {
    const running: Running = { workers: [], sources: [], starting: undefined };
    try {
      await this.#instances.open(this.#ending.signal, this.#feed === undefined ? "with sources" : "without sources");
    } catch (caught) {
      // What ended the engine while a node was starting has been told already.
      if (!this.#ending.signal.aborted) this.#fail(EventboatError.from(caught, "node_failed"));
      return running;
    }
    running.workers = this.#startWorkers();
    for (const { node, source } of this.#instances.sources) {
      const committer = new SourceCommitter(this.#core, node.name, source, () => this.#instances.syncSinks());
      committer.start();
      this.#committers.set(node.name, committer);
    }
    running.starting = this.#startSources(running, started);
    return running;
  }

  #startWorkers(): Promise<void>[] {
    const workers: Promise<void>[] = [];
    const own = (node: string, run: () => Promise<void>) =>
      workers.push(run().catch((caught) => this.#fail(EventboatError.from(caught, "node_failed", { node }))));
    for (const instance of this.#instances.transforms) {
      const { node } = instance;
      for (const caller of transformCallers(this.#core, instance)) {
        const inbox = this.#inbox(node.name);
        own(node.name, () => new TransformWorker(this.#core, node, caller, inbox, this.#router, this.#office).run());
      }
    }
    for (const { node, sink } of this.#instances.sinks) {
      const delivery = new SinkDelivery(this.#core, node, sink, this.#office);
      own(node.name, () => new SinkWorker(this.#core, node, this.#inbox(node.name), delivery, this.#office).run());
    }
    return workers;
  }

  async #startSources(running: Running, started: () => void): Promise<void> {
    try {
      await new Recovery(this.#core, this.#entry).replay(this.#ending.signal);
    } catch (caught) {
      this.#fail(recoveryError(caught));
      return;
    }
    if (this.#ending.signal.aborted) return;
    this.#replayed.resolve();
    running.sources = this.#feed === undefined
      ? this.#instances.sources.map((instance) => this.#runSource(instance))
      : [this.#runFeed(this.#feed)];
    started();
    await Promise.all(running.sources);
    if (this.#ending.signal.aborted) return;
    // Nothing more will come: what waits for company goes, and with the last commit the engine ends.
    this.#draining.abort();
    // Rejected only when the end has come by another way.
    await this.#core.ledger.whenIdle(this.#ending.signal).catch(() => {});
    this.#ending.abort();
  }

  async #runFeed(feed: Feed): Promise<void> {
    try {
      await feed.run(this.#stopping.signal);
    } catch (caught) {
      if (this.#ending.signal.aborted) return;
      this.#sourceError ??= EventboatError.from(caught, "source_failed");
      this.#ending.abort();
    }
  }

  async #runSource({ node, source }: SourceInstance): Promise<void> {
    try {
      await source.init(this.#core.store.start.sourceStates.get(node.name));
      const emit = this.#admission.emitter(node);
      const toItsEnd = this.#core.plan.mode !== "continuous" && node.ends;
      await (toItsEnd && source.pull !== undefined
        ? source.pull(emit, this.#stopping.signal)
        : source.run(emit, this.#stopping.signal));
    } catch (caught) {
      // An error that arrives after the engine stopped, or because it stops, is no source failure.
      if (this.#ending.signal.aborted) return;
      this.#sourceError ??= nodeFailure(caught, node, "run");
      this.#core.options.log.log("error", "a source failed; the pipeline stops", {
        source: node.name,
        error: this.#sourceError.message,
      });
      this.#ending.abort();
    }
  }

  /**
   * The stop ladder: accept no more, drain until the time is over, let go, write down what is committed, close. After
   * a node's failure there is nothing to wait for.
   */
  async #windDown(running: Running): Promise<void> {
    const { clock } = this.#core.options;
    const { drainTimeoutMs } = this.#core.plan.limits;
    const noMore = new EventboatError("shutdown", "the engine accepts no more messages");
    this.#stopping.abort(noMore);
    this.#draining.abort();
    const patienceMs = this.#nodeError === undefined ? drainTimeoutMs : 0;
    using written = deadline(patienceMs + WRITTEN_MS, { clock });
    using closed = deadline(patienceMs + CLOSED_MS, { clock });
    using drain = deadline(drainTimeoutMs, { clock, parent: this.#released.signal, what: "draining" });
    if (this.#nodeError === undefined) {
      await within(drain.signal, running.starting);
      await within(drain.signal, Promise.all(running.sources));
      this.#closed.abort(noMore);
      await within(drain.signal, this.#admission.entered());
      await within(drain.signal, this.#core.ledger.whenIdle(drain.signal));
    }
    this.#closed.abort(noMore);
    this.#released.abort(new EventboatError("shutdown", "the engine has let go"));
    for (const inbox of this.#inboxes.values()) inbox.close();
    using letGo = deadline(LET_GO_MS, { clock, what: "letting go" });
    await within(letGo.signal, Promise.all(running.workers));
    await within(letGo.signal, running.starting);
    await within(written.signal, this.#flush(written.signal));
    await this.#checkpointer.stop();
    await this.#instances.close(closed.signal);
  }

  async #flush(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#checkpointer.flush(),
      ...[...this.#committers.values()].map((committer) => committer.flush(signal)),
      this.#feed?.flush?.(signal),
    ]);
  }

  /** The first error wins; after the caller's stop or a source's failure it still tells why the engine ended so. */
  #fail(error: EventboatError): void {
    if (this.#nodeError === undefined) {
      this.#nodeError = error;
      this.#core.options.log.log("error", "the pipeline stops itself", {
        code: error.code,
        error: error.message,
        ...(error.node === undefined ? {} : { node: error.node }),
      });
    }
    this.#ending.abort();
    this.#released.abort(error);
  }

  #inbox(node: string): BoundedQueue<Delivery> {
    const inbox = this.#inboxes.get(node);
    if (inbox === undefined) throw new EventboatError("internal", `node ${node} has no queue`);
    return inbox;
  }
}

/** What runs, for the stop ladder to wait for. */
interface Running {
  workers: Promise<void>[];
  sources: Promise<void>[];
  /** The replay and the sources' life. */
  starting: Promise<void> | undefined;
}

/** Resolves once the signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Waits for a promise until the signal aborts; how it ends does not matter here. */
async function within(signal: AbortSignal, promise: Promise<unknown> | undefined): Promise<void> {
  if (promise === undefined) return;
  try {
    await raceAbort(promise, signal);
  } catch {
    // Late or failed: the ladder goes on, and what is not committed is replayed by the next start.
  }
}
