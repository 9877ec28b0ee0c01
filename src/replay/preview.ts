/** Owns the preview of a replay: which messages would enter which node, without an engine. */

import type { Meta } from "../message/mod.ts";
import type { Plan } from "../plan/mod.ts";
import type { DeadLetter } from "../store/mod.ts";
import { chooseLetters, type LetterSource } from "./letter_choice.ts";
import { compileLetterCondition, compileMessageCondition, payloadOf } from "./letter_condition.ts";
import type { LetterRequest, ReplayRequest, WindowRequest } from "./replay_request.ts";
import { readWindow, type SpoolSource } from "./spool_window.ts";
import { Targets } from "./target.ts";

/** One message that would be replayed. */
export interface PreviewedMessage {
  /** The letter's id; absent for a spooled message. */
  readonly id?: number;
  readonly seq: number;
  readonly messageId: string;
  /** The node that it would enter, or the source that it would come out of. */
  readonly node: string;
  /** Why it became a dead letter. */
  readonly class?: string;
  readonly reason?: string;
  /** Edges that lead on from the node. */
  readonly edges: readonly string[];
}

/** What would be replayed. */
export interface ReplayPreview {
  readonly messages: readonly PreviewedMessage[];
  readonly more: boolean;
  readonly unjudged: number;
}

/** What a walk through the plan is told of a message: as `explain` takes a sample. */
export interface PreviewSample {
  readonly node: string;
  readonly payload: unknown;
  readonly meta: Meta;
}

/** How a preview is made. */
export interface PreviewParts {
  readonly source: LetterSource & SpoolSource;
  readonly plan: Plan;
  /** A letter's reason as it may be shown; it is given the whole letter. Default: as it is. */
  readonly reasonOf?: (letter: DeadLetter) => string;
  /** Told each message with what it holds, in order; its answer stands beside the message. */
  readonly walk?: (sample: PreviewSample) => void;
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
      const node = targets.of(letter.node) ?? letter.node;
      const { id, seq, messageId, meta } = letter;
      const reason = reasonOf?.(letter) ?? letter.reason;
      messages.push({ id, seq, messageId, node, class: letter.class, reason, edges: edgesFrom(plan, node) });
      walk?.({ node, payload: payloadOf(letter, plan.codecs), meta });
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
      const node = targets.of(message.node) ?? message.node;
      const { seq, messageId, meta } = message;
      messages.push({ seq, messageId, node, edges: edgesFrom(plan, node) });
      walk?.({ node, payload: payloadOf(message, plan.codecs), meta });
    }
    more = page.length > left;
    if (more) break;
  }
  targets.refuseMissing();
  return { messages, more, unjudged: condition?.unjudged ?? 0 };
}

function edgesFrom(plan: Plan, node: string): readonly string[] {
  return plan.nodes.find(({ name }) => name === node)?.outputs.map(({ label }) => label) ?? [];
}
