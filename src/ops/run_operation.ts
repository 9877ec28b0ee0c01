/** Owns the operation `run`: verify, run, and run again when a watched file changes. */

import type { PipelineDocument, RuntimeDocument } from "../config/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { runPipeline } from "../isolate/mod.ts";
import { LinkedController } from "../base/mod.ts";
import { laneGrants } from "../plan/mod.ts";
import { block, data, define, flag, optional } from "../schema/mod.ts";
import type { Logger } from "../telemetry/mod.ts";
import { type Verdict, verifyFile } from "../verify/mod.ts";
import { configField, dataDirField, ephemeralField, overlaysField, runtimeField } from "./fields.ts";
import { FileWatch } from "./file_watch.ts";
import type { Operation, OperationContext } from "./operation.ts";
import type { EndedRun, RunAnswer } from "./run_answer.ts";
import { openRuntime } from "./runtime.ts";
import { verifyAnswer, verifyOptions } from "./verify_operation.ts";

const input = block({
  config: configField,
  overlays: overlaysField,
  data_dir: optional(dataDirField),
  ephemeral: optional(ephemeralField),
  runtime: optional(runtimeField),
  watch: flag({ description: "Verify again and restart when the file or an overlay changes.", default: false }),
});

/** Verifies a pipeline and runs it to its end. */
export const runOperation: Operation<typeof input, RunAnswer> = {
  name: "run",
  summary: "Verifies a pipeline and runs it until it is done or asked to stop.",
  effect: "write",
  input: define(input),
  output: data({ description: "{pipeline, mode, status, counts, durationMs, failure?}, or the verdict that failed" }),
  async handle(choice, context) {
    const opened = openRuntime(choice, context);
    if (opened.kind === "refused") return opened;
    const { runtime } = opened;
    const log = context.openLog(runtime.log);
    const judge = () => verifyFile(verifyOptions(choice, context));
    const verdict = judge();
    const start = runnable(verdict);
    if (start === undefined) return { kind: "refused", verdict: verifyAnswer(verdict) };
    for (const { code, message, file, line } of verdict.diagnostics) log.log("warn", message, { code, file, line });
    const scope = { runtime, log, context };
    if (!choice.watch) return { kind: "ended", ...await runOnce(scope, start, context.signal) };
    using watch = new FileWatch({ files: [choice.config, ...choice.overlays], clock: context.clock });
    return { kind: "ended", ...await runWatched(scope, { start, judge, watch }) };
  },
};

/** What every run of one call shares. */
interface RunScope {
  readonly runtime: RuntimeDocument;
  readonly log: Logger;
  readonly context: OperationContext;
}

/** A document that passed, with what it needs. */
interface Start {
  readonly document: PipelineDocument;
  readonly plan: NonNullable<Verdict["plan"]>;
}

function runnable({ ok, document, plan }: Verdict): Start | undefined {
  if (!ok || document === undefined || plan === undefined) return undefined;
  if (document.run.mode === "job") {
    const message = `cannot run pipeline "${document.name}": run.mode is job, and jobs come with a later version`;
    throw new EventboatError("config_invalid", message, { hint: "until then, run it with mode: batch" });
  }
  return { document, plan };
}

async function runOnce({ runtime, log, context }: RunScope, start: Start, signal: AbortSignal): Promise<EndedRun> {
  const { document, plan } = start;
  const { name: pipeline, limits, run: { mode } } = document;
  const startedMs = context.clock.monotonic();
  const tellStop = () => log.log("info", "pipeline stops", { pipeline, drain_timeout_ms: limits.drainTimeoutMs });
  signal.addEventListener("abort", tellStop, { once: true });
  try {
    const outcome = await runPipeline({
      document,
      needs: plan.needs,
      lanes: laneGrants(plan),
      runtime,
      entries: context.entries,
      plugins: context.registry.list(),
      signal,
      log,
      // Not before: a run that is refused, as by a store that another process writes, does not start.
      onStarted: () => log.log("info", "pipeline starts", { pipeline, mode }),
      onStatus: (counts) => context.onStatus?.(pipeline, counts),
      clock: context.clock,
    });
    return { pipeline, mode, durationMs: Math.round(context.clock.monotonic() - startedMs), ...outcome };
  } finally {
    signal.removeEventListener("abort", tellStop);
  }
}

/** What watching needs: the first document, the way to judge the file anew, and word of changes. */
interface Watched {
  readonly start: Start;
  readonly judge: () => Verdict;
  readonly watch: FileWatch;
}

/**
 * Runs the document, and the changed one after each change that passes verification; one that fails is told and
 * leaves what runs alone. A run that ends by itself is told, and waits for a change. Ends when the caller stops it.
 */
async function runWatched(scope: RunScope, { start, judge, watch }: Watched): Promise<EndedRun> {
  const { context, log } = scope;
  for (let current = start;;) {
    using stop = new LinkedController(context.signal);
    using patience = new LinkedController(context.signal);
    const change = nextStart(scope, { judge, watch, signal: patience.signal });
    const run = runOnce(scope, current, stop.signal);
    let next: Start | undefined;
    let told = false;
    try {
      const endedFirst = await Promise.race([run.then(() => true), change.then(() => false)]);
      if (endedFirst && !context.signal.aborted) {
        context.onEnd?.(await run);
        told = true;
      }
      next = await change;
      if (next !== undefined) {
        log.log("info", "the file changed: the pipeline restarts", { pipeline: next.document.name });
      }
    } finally {
      // Both are owned here: whatever happens, neither outlives this turn.
      patience.abort();
      stop.abort(new DOMException("the file changed", "AbortError"));
      await Promise.allSettled([run, change]);
    }
    if (next === undefined) return await run;
    // One that was replaced before it could begin has no end to tell; what kept it from that meets the next one too.
    if (!told) await run.then((ended) => context.onEnd?.(ended), () => {});
    current = next;
  }
}

/** Waits for a change that passes; undefined once the signal aborts. */
async function nextStart(
  { context, log }: RunScope,
  { judge, watch, signal }: Pick<Watched, "judge" | "watch"> & { readonly signal: AbortSignal },
): Promise<Start | undefined> {
  while (await watch.changed(signal)) {
    try {
      const verdict = judge();
      const start = runnable(verdict);
      if (start !== undefined) return start;
      context.onVerdict?.(verifyAnswer(verdict));
    } catch (caught) {
      const { message } = EventboatError.from(caught);
      log.log("error", "the changed file cannot be run, the pipeline goes on as it was", { reason: message });
    }
  }
  return undefined;
}
