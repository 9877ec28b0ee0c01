/** Owns the running of a pipeline in isolates: lock, store isolate, pipeline isolate, their deaths and their end. */

import { dirname } from "node:path";
import { type Clock, type Data, deadline, raceAbort, systemClock } from "../base/mod.ts";
import type { PipelineDocument, RuntimeDocument } from "../config/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { emptyCounts, type EngineCounts, type Outcome } from "../engine/mod.ts";
import type { LaneGrant } from "../plan/mod.ts";
import type { Needs, Plugin } from "../plugin/mod.ts";
import type { ReplayReport, ReplayRequest } from "../replay/mod.ts";
import { StoreLock, storePath } from "../store/mod.ts";
import type { Logger } from "../telemetry/mod.ts";
import { startWorker } from "./isolate_worker.ts";
import { LaneKeeper } from "./lane_keeper.ts";
import { pipelinePermissions, storePermissions } from "./permissions.ts";
import { PipelineHost } from "./pipeline_host.ts";
import type { FromPipeline, FromStore, LogLine, PipelineStart, ToPipeline, ToStore } from "./protocol.ts";

/** How much longer than `drain_timeout` a pipeline may take to stop before its isolate is given up. */
export const STOP_GRACE_MS = 900;
/** How long a store isolate may take to close its file. */
const STORE_CLOSE_MS = 2_000;

/** Where the entry files of the isolates are. */
export interface IsolateEntries {
  /** It knows the plugins, so lanes begin with it too. */
  readonly pipeline: URL;
  readonly store: URL;
}

/** What is needed to run a verified pipeline. */
export interface RunPipelineOptions {
  readonly document: PipelineDocument;
  /** The union of what the plan's nodes need. */
  readonly needs: Needs;
  /** The transforms that run in lanes. Default: none, and their workers share the pipeline's isolate. */
  readonly lanes?: readonly LaneGrant[];
  readonly runtime: RuntimeDocument;
  readonly entries: IsolateEntries;
  /** For `isolation: inline`, which has no entry file to import them. */
  readonly plugins: readonly Plugin[];
  readonly parameters?: { readonly [name: string]: Data };
  readonly runId?: string;
  /**
   * What is to be replayed, with the sources off. With an ephemeral store it is read from the store on disk, which is
   * neither locked nor changed.
   */
  readonly replay?: ReplayRequest;
  readonly onReplayed?: (report: ReplayReport) => void;
  /** Aborts to stop the pipeline gracefully. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly onStarted?: () => void;
  readonly onStatus?: (counts: EngineCounts) => void;
  readonly clock?: Clock;
}

/**
 * Runs one pipeline to its end.
 * @throws {EventboatError} when it could not begin: `store_locked`, `store_readonly`, `io` and the like. What goes
 * wrong later is the outcome's failure.
 */
export async function supervisePipeline(options: RunPipelineOptions): Promise<Outcome> {
  const { storage } = options.runtime;
  if (storage.ephemeral && options.replay === undefined) return await runWithStore(options, undefined);
  const path = storePath(storage.dataDir, options.document.name);
  if (storage.ephemeral) {
    await using shadow = openStoreIsolate(options, path, undefined);
    return await runWithStore(options, shadow);
  }
  using held = new DisposableStack();
  const lock = held.use(await StoreLock.take(path));
  await using store = openStoreIsolate(options, path, lock);
  // From here on the lock is released when the store's isolate has ended, and not before.
  held.move();
  return await runWithStore(options, store);
}

/** The supervisor's view of a store isolate. */
interface StoreIsolate extends AsyncDisposable {
  /** The end for the pipeline's isolate. */
  readonly port: MessagePort;
  /** Settles with the reason when the isolate dies. */
  readonly died: Promise<EventboatError>;
}

/** Starts the isolate that writes the store, and releases its lock once that isolate has ended. One without is a shadow. */
function openStoreIsolate(options: RunPipelineOptions, path: string, lock: StoreLock | undefined): StoreIsolate {
  const worker = startWorker(options.entries.store, `store ${options.document.name}`, storePermissions(dirname(path)));
  const channel = new MessageChannel();
  const died = Promise.withResolvers<EventboatError>();
  const closed = Promise.withResolvers<void>();
  worker.onmessage = ({ data }: MessageEvent<FromStore>) => {
    if (data.kind === "closed") closed.resolve();
    else logLine(options, data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    died.resolve(new EventboatError("isolate_died", `the store's isolate died: ${event.message}`));
    closed.resolve();
  };
  const ended = closed.promise.then(() => {
    worker.terminate();
    lock?.[Symbol.dispose]();
  });
  const start = { path, durability: options.runtime.storage.durability, shadow: lock === undefined };
  const open: ToStore = { kind: "open", start, port: channel.port1 };
  worker.postMessage(open, [channel.port1]);
  return {
    port: channel.port2,
    died: died.promise,
    async [Symbol.asyncDispose]() {
      // Whoever has ended in order has closed the store already.
      const lost: ToStore = { kind: "client_lost" };
      worker.postMessage(lost);
      using limit = deadline(STORE_CLOSE_MS, options.clock === undefined ? {} : { clock: options.clock });
      try {
        await raceAbort(ended, limit.signal);
      } catch {
        // A disk that hangs. Nobody else may write the store while this one still might: the lock stays.
        options.log.log(
          "warn",
          "the store has not closed in time: its lock is kept until it has, or this process ends",
          {
            pipeline: options.document.name,
          },
        );
      }
    },
  };
}

async function runWithStore(options: RunPipelineOptions, store: StoreIsolate | undefined): Promise<Outcome> {
  using pipeline = options.runtime.isolation === "inline" ? inlinePipeline(options) : isolatedPipeline(options);
  const start = pipelineStart(options);
  using lanes = new LaneKeeper({
    entry: options.entries.pipeline,
    grants: grantsOf(options),
    start,
    post: (message, transfer) => pipeline.post(message, transfer),
    log: (line) => logLine(options, line),
  });
  const ended = Promise.withResolvers<Outcome>();
  let latest = emptyCounts();
  pipeline.listen({
    message(message) {
      if (message.kind === "ended") ended.resolve(message.outcome);
      else if (message.kind === "status") options.onStatus?.(latest = message.counts);
      else if (message.kind === "started") options.onStarted?.();
      else if (message.kind === "replayed") options.onReplayed?.(message.report);
      else if (message.kind === "open_lane" || message.kind === "drop_lane") lanes.receive(message);
      else logLine(options, message);
    },
    died: (error) => ended.resolve({ status: "failed", counts: latest, failure: error.toRecord() }),
  });
  store?.died.then((error) => pipeline.post({ kind: "store_died", error: error.toRecord() }, []));
  pipeline.post({ kind: "start", start, store: store?.port }, store === undefined ? [] : [store.port]);
  const stop = () => pipeline.post({ kind: "stop" }, []);
  options.signal.addEventListener("abort", stop, { once: true });
  if (options.signal.aborted) stop();
  try {
    return await raceAbort(ended.promise, givenUp(options, ended.promise));
  } catch {
    return { status: "interrupted", counts: latest };
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
}

function logLine({ log, document }: RunPipelineOptions, { level, message, fields }: LogLine): void {
  log.log(level, message, { pipeline: document.name, ...fields });
}

/** A signal that aborts when a stopped pipeline has outlasted its drain and the grace after it. */
function givenUp(options: RunPipelineOptions, ended: Promise<Outcome>): AbortSignal {
  const given = new AbortController();
  const over = new AbortController();
  const clock = options.clock ?? systemClock;
  const watch = () => {
    const limitMs = options.document.limits.drainTimeoutMs + STOP_GRACE_MS;
    // Ends early when the pipeline ended: nothing is to be given up then.
    clock.sleep(limitMs, over.signal).then(() => given.abort(), () => {});
  };
  options.signal.addEventListener("abort", watch, { once: true });
  if (options.signal.aborted) watch();
  ended.then(() => {
    options.signal.removeEventListener("abort", watch);
    over.abort();
  });
  return given.signal;
}

/** Lanes that may be opened; none for a pipeline in the caller's isolate, whose plugins may have no entry file. */
function grantsOf({ runtime, lanes = [] }: RunPipelineOptions): readonly LaneGrant[] {
  return runtime.isolation === "inline" ? [] : lanes;
}

function pipelineStart(options: RunPipelineOptions): PipelineStart {
  const { storage } = options.runtime;
  return {
    document: options.document,
    durability: storage.durability,
    spoolRetention: storage.spoolRetention,
    writeBatch: storage.writeBatch,
    parameters: options.parameters ?? {},
    ...(options.runId === undefined ? {} : { runId: options.runId }),
    lanes: grantsOf(options).map(({ node }) => node),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
  };
}

/** What the supervisor listens to. */
interface PipelineListener {
  message(message: FromPipeline): void;
  died(error: EventboatError): void;
}

/** A pipeline, wherever it lives. */
interface HostedPipeline extends Disposable {
  listen(listener: PipelineListener): void;
  post(message: ToPipeline, transfer: MessagePort[]): void;
}

function isolatedPipeline(options: RunPipelineOptions): HostedPipeline {
  const { name } = options.document;
  const worker = startWorker(options.entries.pipeline, `pipeline ${name}`, pipelinePermissions(options.needs));
  return {
    listen(listener) {
      worker.onmessage = ({ data }: MessageEvent<FromPipeline>) => listener.message(data);
      worker.onerror = (event) => {
        event.preventDefault();
        listener.died(new EventboatError("isolate_died", `the isolate of pipeline ${name} died: ${event.message}`));
      };
    },
    post: (message, transfer) => worker.postMessage(message, transfer),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

function inlinePipeline(options: RunPipelineOptions): HostedPipeline {
  let listener: PipelineListener | undefined;
  const host = new PipelineHost({ post: (message) => listener?.message(message) }, options.plugins);
  return {
    listen(given) {
      listener = given;
    },
    post(message) {
      host.receive(message).catch((caught) => listener?.died(EventboatError.from(caught)));
    },
    [Symbol.dispose]() {},
  };
}
