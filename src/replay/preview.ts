/** Owns the preview of a replay: which messages would enter which node, without an engine. */

import type { Meta } from "../message/mod.ts";
import type { Plan } from "../plan/mod.ts";
import type { DeadLetter } from "../store/mod.ts";
import { chooseLetters, type LetterSource } from "./letter_choice.ts";
import { compileLetterCondition, compileMessageCondition } from "./letter_condition.ts";
import type { LetterRequest, ReplayRequest, WindowRequest } from "./replay_request.ts";
import { readWindow, type SpoolSource } from "./spool_window.ts";
import { Targets } from "./target.ts";

/** One message that would be replayed. */
export interface PreviewedMessage {
  /** The letter's id; absent for a spooled message. */
  readonly id?: number;
  readonly seq: number;
  readonly message_id: string;
  /** The node that it would enter, or the source that it would come out of. */
  readonly node: string;
  /** Which of the two it is. */
  readonly node_kind: "source" | "transform" | "sink";
  /** Why it became a dead letter. */
  readonly class?: string;
  readonly reason?: string;
  /** Edges that lead on from the node. */
  readonly edges: readonly string[];
  /** What a walk through the plan says would become of it; absent where none was asked for. */
  readonly expected?: ExpectedEnd;
}

/** What would become of a message. */
export interface ExpectedEnd {
  /** The sinks that would be given it, once for each message that is made of it. */
  readonly sinks: readonly string[];
  /** Branches that would end without a sink. */
  readonly filtered: number;
  /** Where it would fail, a sink's own refusal aside. */
  readonly failures: readonly { readonly node: string; readonly class: string; readonly reason: string }[];
  /** Nodes that are not executed by a walk: what lies behind them cannot be told. */
  readonly not_executed: readonly string[];
}

/** What would be replayed. */
export interface ReplayPreview {
  readonly messages: readonly PreviewedMessage[];
  readonly more: boolean;
  readonly unjudged: number;
}

/** A message at the node that it would enter, as `explain` takes a sample. */
export interface PreviewSample {
  readonly at: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly codec: string;
  readonly meta: Meta;
}

/** How a preview is made. */
export interface PreviewParts {
  readonly source: LetterSource & SpoolSource;
  readonly plan: Plan;
  /** A letter's reason as it may be shown; it is given the whole letter. Default: as it is. */
  readonly reasonOf?: (letter: DeadLetter) => string;
  /** Tells what would become of a message; asked for each, in order. */
  readonly walk?: (sample: PreviewSample) => Promise<ExpectedEnd>;
}

/** Tells what a replay would bring in. @throws {EventboatError} what the replay itself would. */
export async function previewReplay(parts: PreviewParts, request: ReplayRequest): Promise<ReplayPreview> {
  const { what } = request;
  return what.kind === "letters"
    ? await previewLetters(parts, request, what)
    : await previewWindow(parts, request, what);
}

async function previewLetters(
  { source, plan, walk, reasonOf }: PreviewParts,
  { where, sinceMs, at, limit }: ReplayRequest,
  what: LetterRequest,
): Promise<ReplayPreview> {
  const targets = new Targets(plan, at);
  const condition = where === undefined ? undefined : compileLetterCondition(where);
  const messages: PreviewedMessage[] = [];
  let more = false;
  const choice = {
    content: walk !== undefined || reasonOf !== undefined,
    codecs: plan.codecs,
    ...(what.ids === undefined ? {} : { ids: what.ids }),
    ...(what.runId === undefined ? {} : { runId: what.runId }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(condition === undefined ? {} : { condition }),
  };
  choosing: for await (const page of chooseLetters(source, choice)) {
    for (const letter of page) {
      if (messages.length >= limit) {
        more = true;
        break choosing;
      }
      const node = targets.of(letter.node);
      if (node === undefined) continue;
      const { id, seq, messageId, meta } = letter;
      const reason = reasonOf?.(letter) ?? letter.reason;
      const { bytes, codec } = letter;
      const expected = await walk?.({ at: node, bytes, codec, meta });
      messages.push({
        id,
        seq,
        message_id: messageId,
        node,
        ...placeOf(plan, node),
        class: letter.class,
        reason,
        ...(expected === undefined ? {} : { expected }),
      });
    }
  }
  targets.refuseMissing();
  return { messages, more, unjudged: condition?.unjudged ?? 0 };
}

async function previewWindow(
  { source, plan, walk }: PreviewParts,
  { where, sinceMs, at, limit }: ReplayRequest,
  window: WindowRequest,
): Promise<ReplayPreview> {
  const targets = new Targets(plan, at);
  const condition = where === undefined ? undefined : compileMessageCondition(where);
  const messages: PreviewedMessage[] = [];
  let more = false;
  const choice = {
    window,
    codecs: plan.codecs,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(condition === undefined ? {} : { condition }),
  };
  for await (const page of readWindow(source, choice)) {
    const left = limit - messages.length;
    for (const message of page.slice(0, left)) {
      const node = targets.of(message.node);
      if (node === undefined) continue;
      const { seq, messageId, bytes, codec, meta } = message;
      const expected = await walk?.({ at: node, bytes, codec, meta });
      const place = { node, ...placeOf(plan, node) };
      messages.push({ seq, message_id: messageId, ...place, ...(expected === undefined ? {} : { expected }) });
    }
    more = page.length > left;
    if (more) break;
  }
  targets.refuseMissing();
  return { messages, more, unjudged: condition?.unjudged ?? 0 };
}

/** What is told of the node that a message enters. */
function placeOf(plan: Plan, name: string): Pick<PreviewedMessage, "node_kind" | "edges"> {
  const node = plan.nodes.find((each) => each.name === name);
  return { node_kind: node?.kind ?? "transform", edges: node?.outputs.map(({ label }) => label) ?? [] };
}
