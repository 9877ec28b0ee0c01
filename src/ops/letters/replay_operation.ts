/** Owns the operation `replay`: dead letters, a window of the spool or one run's letters, brought in again. */

import type { Static } from "typebox";
import { systemRandom } from "../../base/mod.ts";
import type { PipelineDocument, RuntimeDocument } from "../../config/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import { type Walk, Walker } from "../../explain/mod.ts";
import { runPipeline } from "../../isolate/mod.ts";
import { laneGrants, type Plan } from "../../plan/mod.ts";
import {
  checkReplay,
  type ExpectedEnd,
  previewReplay,
  type PreviewSample,
  type ReplayPreview,
  type ReplayReport,
  type ReplayRequest,
} from "../../replay/mod.ts";
import { block, data, define, flag, integer, optional, text } from "../../schema/mod.ts";
import { type DeadLetter, storePath, StoreReader } from "../../store/mod.ts";
import { silentMeter } from "../../telemetry/mod.ts";
import { verifyFile } from "../../verify/mod.ts";
import { ephemeralField } from "../fields.ts";
import type { Operation, OperationContext } from "../operation.ts";
import type { EndedRun } from "../run_answer.ts";
import { openRuntime } from "../runtime.ts";
import { type VerifyAnswer, verifyAnswer, verifyOptions } from "../verify_operation.ts";
import { pipelineFields } from "./letter_store.ts";
import { LetterViewer } from "./letter_view.ts";
import { type MissingLetters, missingLetters, noSuchLetters } from "./missing.ts";
import { limitField, selectionFields, sinceMsOf } from "./selection.ts";

const SEQ = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const input = block({
  ...pipelineFields,
  ephemeral: optional(ephemeralField),
  dlq: flag({ description: "Replay dead letters.", default: false }),
  spool: flag({ description: "Replay messages of the spool, from a sequence on.", default: false }),
  job: optional(text({ description: "Replay the dead letters of this run." })),
  from: optional(integer({ description: "First sequence of the spool.", ...SEQ })),
  to: optional(integer({ description: "Last sequence of the spool. Default: the last one.", ...SEQ })),
  ...selectionFields,
  at: optional(text({ description: "The node to enter. Default: the one it failed in, or entered first." })),
  limit: limitField,
  delete: flag({ description: "Delete letters once what they hold has committed.", default: false }),
  dry_run: flag({ description: "Tell what would be replayed, and start nothing.", default: false }),
});

type Choice = Static<typeof input>;

/** How a replay ended. */
export interface EndedReplay extends Omit<EndedRun, "mode"> {
  readonly replay: ReplayReport & { readonly missing?: MissingLetters };
}

/** The answer of `replay`. */
export type ReplayAnswer =
  | { readonly kind: "ended" } & EndedReplay
  /** What would be replayed. */
  | { readonly kind: "preview"; readonly pipeline: string; readonly missing?: MissingLetters } & ReplayPreview
  /** The pipeline did not pass; nothing was started. */
  | { readonly kind: "refused"; readonly verdict: VerifyAnswer };

/** Verifies a pipeline and replays into it, with its sources off. */
export const replayOperation: Operation<typeof input, ReplayAnswer> = {
  name: "replay",
  summary: "Brings dead letters or spooled messages into a pipeline again, its sources off.",
  effect: "write",
  input: define(input),
  output: data({
    description:
      "{pipeline, status, counts, durationMs, failure?, replay: {replayed, deleted, more, unjudged, missing?}}, with " +
      "dry_run {pipeline, messages: [{id?, seq, message_id, node, node_kind, edges, class?, reason?, expected}], more, " +
      "unjudged, missing?}, or the verdict that failed",
  }),
  async handle(choice, context) {
    const request = requestOf(choice, context);
    const opened = openRuntime(choice, context);
    if (opened.kind === "refused") return opened;
    const verdict = verifyFile(verifyOptions(choice, context));
    const { document, plan } = verdict;
    if (!verdict.ok || document === undefined || plan === undefined) {
      return { kind: "refused", verdict: verifyAnswer(verdict) };
    }
    checkReplay(plan, request);
    const { runtime } = opened;
    const path = storePath(runtime.storage.dataDir, document.name);
    // A replay makes no store: a wrong name or folder is told, and not taken for one without letters.
    const missing = await missingOf(path, document.name, choice);
    if (choice.dry_run) {
      using source = new StoreReader(path);
      const preview = await previewOf(source, { document, plan, request }, context);
      return { kind: "preview", pipeline: document.name, ...preview, ...missing };
    }
    const ended = await runReplay({ document, plan, runtime, request }, context);
    return { kind: "ended", ...ended, replay: { ...ended.replay, ...missing } };
  },
};

/** What is named and not there. @throws {EventboatError} `usage` when none of the letters is there that are named by ids */
async function missingOf(
  path: string,
  pipeline: string,
  { ids, job, config }: Choice,
): Promise<{ readonly missing?: MissingLetters }> {
  using source = new StoreReader(path);
  const missing = await missingLetters(source, { ids, runId: job });
  if (missing === undefined) return {};
  if (missing.ids !== undefined && missing.ids.length === new Set(ids).size) {
    throw noSuchLetters(pipeline, missing.ids, config);
  }
  return { missing };
}

/** Tells what would be replayed, and by a walk through the plan what would become of it. */
async function previewOf(
  source: StoreReader,
  { document, plan, request }: Pick<ReplayStart, "document" | "plan" | "request">,
  { registry, clock }: OperationContext,
): Promise<ReplayPreview> {
  const viewer = new LetterViewer(document, registry);
  const reasonOf = viewer.headNeedsContent ? { reasonOf: (letter: DeadLetter) => viewer.head(letter).reason } : {};
  await using walker = new Walker(plan, { parameters: {}, clock, random: systemRandom, meter: silentMeter });
  const walk = async (sample: PreviewSample): Promise<ExpectedEnd> => {
    if (plan.codecs.has(sample.codec)) return expectedEnd(await walker.explain({ ...sample, isReplay: true }));
    const reason = `the pipeline does not have codec ${sample.codec}`;
    return { sinks: [], filtered: 0, failures: [{ node: sample.at, class: "codec", reason }], not_executed: [] };
  };
  return await previewReplay({ source, plan, walk, ...reasonOf }, request);
}

function expectedEnd({ steps, totals }: Walk): ExpectedEnd {
  return {
    sinks: steps.flatMap(({ state, node }) => state === "given" ? [node] : []),
    filtered: totals.filtered,
    failures: steps.flatMap(({ node, failure }) =>
      failure === undefined ? [] : [{ node, class: failure.class, reason: failure.reason }]
    ),
    not_executed: steps.flatMap(({ state, node }) => state === "not_executed" ? [node] : []),
  };
}

interface ReplayStart {
  readonly document: PipelineDocument;
  readonly plan: Plan;
  readonly runtime: RuntimeDocument;
  readonly request: ReplayRequest;
}

async function runReplay(start: ReplayStart, context: OperationContext): Promise<EndedReplay> {
  const { document, plan, runtime, request } = start;
  const { name: pipeline } = document;
  const log = context.openLog(runtime.log);
  const startedMs = context.clock.monotonic();
  let replay: ReplayReport = { replayed: 0, deleted: 0, more: false, unjudged: 0 };
  try {
    const outcome = await runPipeline({
      document,
      needs: plan.needs,
      lanes: laneGrants(plan),
      runtime,
      entries: context.entries,
      plugins: context.registry.list(),
      signal: context.signal,
      log,
      replay: request,
      onReplayed: (report) => replay = report,
      onStarted: () => log.log("info", "replay starts, the sources stay off", { pipeline }),
      onStatus: (counts) => context.onStatus?.(pipeline, counts),
      clock: context.clock,
    });
    return { pipeline, durationMs: Math.round(context.clock.monotonic() - startedMs), replay, ...outcome };
  } catch (caught) {
    throw locked(caught);
  }
}

/** Another process holds the store: what can be done about it here is not what a run is told. */
function locked(caught: unknown): unknown {
  if (!(caught instanceof EventboatError) || caught.code !== "store_locked") return caught;
  return new EventboatError(caught.code, `cannot replay: ${caught.message}`, {
    cause: caught,
    hint: "Stop that process first, or let it do the replay: POST /admin/replay, or the MCP tool dlq_replay. " +
      "--dry-run and --ephemeral work beside it.",
  });
}

/** What is asked for, once it makes sense. */
function requestOf(choice: Choice, { clock }: OperationContext): ReplayRequest {
  const { dlq, spool, job, from, to, since, where, ids, at, limit } = choice;
  if ([dlq, spool, job !== undefined].filter(Boolean).length !== 1) {
    throw usage("say what is to be replayed: dlq, spool or job, one of them");
  }
  if (spool && from === undefined) throw usage("spool needs from, the sequence to begin with");
  if (!spool && (from !== undefined || to !== undefined)) throw usage("from and to go with spool");
  if (from !== undefined && to !== undefined && to < from) throw usage(`to (${to}) lies before from (${from})`);
  if (spool && (ids !== undefined || choice.delete)) throw usage("ids and delete go with dead letters, not with spool");
  if (choice.delete && choice.ephemeral === true) {
    throw usage("delete and ephemeral exclude each other: an ephemeral replay leaves the store as it is");
  }
  return {
    what: from !== undefined ? { kind: "spool", from, ...(to === undefined ? {} : { to }) } : {
      kind: "letters",
      delete: choice.delete,
      ...(job === undefined ? {} : { runId: job }),
      ...(ids === undefined ? {} : { ids }),
    },
    ...(since === undefined ? {} : { sinceMs: sinceMsOf(since, clock.now()) }),
    ...(where === undefined ? {} : { where }),
    ...(at === undefined ? {} : { at }),
    limit,
  };
}

function usage(message: string): EventboatError {
  return new EventboatError("usage", message);
}
