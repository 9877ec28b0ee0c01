/** Owns the operations that look at dead letters: list, show, count. */

import type { Static } from "typebox";
import { chooseLetters, compileLetterCondition, type LetterCondition } from "../../replay/mod.ts";
import { block, data, define, flag, integer, list, optional, record, text } from "../../schema/mod.ts";
import type { DeadLetter, DeadLetterCount } from "../../store/mod.ts";
import type { Operation, OperationContext } from "../operation.ts";
import { type LetterStore, openLetters, pipelineFields } from "./letter_store.ts";
import type { LetterHead, LetterView } from "./letter_view.ts";
import { missingField, type MissingLetters, missingLetters, noSuchLetters } from "./missing.ts";
import { limitField, selectionFields, sinceMsOf } from "./selection.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/** What `dlq list` answers. */
export interface DlqListAnswer {
  readonly pipeline: string;
  /** In the order of their ids: the oldest first. Empty where they were streamed. */
  readonly letters: readonly (LetterHead | LetterView)[];
  /** How many there are in `letters`, or were streamed. */
  readonly count: number;
  /** Whether there are more than the limit let through. */
  readonly more: boolean;
  /** Letters for which `where` could not be evaluated: they count as not chosen. */
  readonly unjudged: number;
  readonly missing?: MissingLetters;
}

const id = integer({ description: "The letter's id.", minimum: 1, maximum: MAX });
const contentFields = {
  payload: optional(data({ description: "What the message holds, decoded and masked." })),
  text: optional(text({ description: "Its bytes, where no codec can decode them.", minLength: 0 })),
  base64: optional(text({ description: "Its bytes, where they are no text either.", minLength: 0 })),
};
const headFields = {
  id,
  seq: integer({ description: "Sequence of the message.", minimum: 1, maximum: MAX }),
  time: text({ description: "When it failed last, RFC 3339 in UTC." }),
  node: text({ description: "The node it failed in." }),
  edge: text({ description: "The edge it came over, from->to; empty where there was none.", minLength: 0 }),
  class: text({ description: "Where the failure arose." }),
  reason: text({ description: "Why it failed.", minLength: 0 }),
  attempts: integer({ description: "Attempts made, those of replays included.", minimum: 0, maximum: MAX }),
  message_id: text({ description: "The message's identity." }),
  source: text({ description: "The source it came from." }),
  codec: text({ description: "The codec its bytes are in." }),
  run_id: optional(text({ description: "The job's run." })),
};
const wholeFields = {
  branch: text({ description: "Which of several outputs of one message.", minLength: 0 }),
  backtrace: optional(text({ description: "Where a script failed, a frame a line.", minLength: 0 })),
  meta: record(data({ description: "A value." }), { description: "Its metadata, masked." }),
  ...contentFields,
  original: optional(block(contentFields, { description: "What came in, where the node received something else." })),
};
const view = block({ ...headFields, ...wholeFields });
const listed = block({
  ...headFields,
  branch: optional(wholeFields.branch),
  backtrace: wholeFields.backtrace,
  meta: optional(wholeFields.meta),
  ...contentFields,
  original: wholeFields.original,
});
const total = (description: string) => integer({ description, minimum: 0, maximum: MAX });
const unjudged = total("Letters for which the condition could not be evaluated.");

const listInput = block({
  ...pipelineFields,
  ...selectionFields,
  limit: limitField,
  content: flag({ description: "Give whole letters, with what they hold.", default: false }),
});

/** Lists dead letters, read-only, whoever runs the pipeline. */
export const dlqListOperation: Operation<typeof listInput, DlqListAnswer> = {
  name: "dlq_list",
  summary: "Lists a pipeline's dead letters, chosen by time, condition or id.",
  effect: "read",
  input: define(listInput),
  output: block({
    pipeline: text({ description: "The pipeline's name." }),
    letters: list(listed, { description: "The oldest first.", minItems: 0 }),
    count: total("How many letters are given."),
    more: flag({ description: "Whether there are more than the limit let through." }),
    unjudged,
    missing: missingField,
  }),
  async handle(choice, context) {
    using store = openLetters(choice, context);
    const { viewer } = store;
    const missing = await missingOf(store, choice);
    const condition = conditionOf(choice);
    const letters: (LetterHead | LetterView)[] = [];
    let count = 0;
    let more = false;
    for await (const page of chosen(store, choice, { condition, context })) {
      const shown = page.slice(0, choice.limit - count)
        .map((letter) => choice.content ? viewer.whole(letter) : viewer.head(letter));
      if (context.onLetters === undefined) letters.push(...shown);
      else if (shown.length > 0) context.onLetters(shown);
      count += shown.length;
      more = shown.length < page.length;
      if (more || context.signal.aborted) break;
    }
    return { pipeline: store.pipeline, letters, count, more, unjudged: condition?.unjudged ?? 0, ...missing };
  },
};

const showInput = block({ ...pipelineFields, id });

/** Shows one dead letter whole. */
export const dlqShowOperation: Operation<typeof showInput, LetterView> = {
  name: "dlq_show",
  summary: "Shows one dead letter: what it holds, why and where it failed.",
  effect: "read",
  input: define(showInput),
  output: view,
  handle: (choice, context) =>
    Promise.try(() => {
      using store = openLetters(choice, context);
      const [letter] = store.reader.readDeadLetters({ ids: [choice.id], limit: 1 });
      if (letter !== undefined) return store.viewer.whole(letter);
      throw noSuchLetters(store.pipeline, [choice.id], choice.config);
    }),
};

/** What `dlq count` answers. */
export interface DlqCountAnswer {
  readonly pipeline: string;
  readonly total: number;
  /** Most numerous first. */
  readonly counts: readonly DeadLetterCount[];
  readonly unjudged: number;
  readonly missing?: MissingLetters;
}

const countInput = block({ ...pipelineFields, ...selectionFields });

/** Counts dead letters by node and class. */
export const dlqCountOperation: Operation<typeof countInput, DlqCountAnswer> = {
  name: "dlq_count",
  summary: "Counts a pipeline's dead letters by node and class.",
  effect: "read",
  input: define(countInput),
  output: block({
    pipeline: text({ description: "The pipeline's name." }),
    total: total("All of them."),
    counts: list(
      block({ node: headFields.node, class: headFields.class, count: total("How many.") }),
      { description: "The most numerous first.", minItems: 0 },
    ),
    unjudged,
    missing: missingField,
  }),
  async handle(choice, context) {
    using store = openLetters(choice, context);
    const missing = await missingOf(store, choice);
    const condition = conditionOf(choice);
    const counts = condition === undefined && choice.ids === undefined
      ? store.reader.countDeadLetters(sinceOf(choice, context))
      : await countChosen(chosen(store, choice, { condition, context }));
    const all = counts.reduce((sum, { count }) => sum + count, 0);
    return { pipeline: store.pipeline, total: all, counts, unjudged: condition?.unjudged ?? 0, ...missing };
  },
};

async function countChosen(pages: AsyncIterable<readonly DeadLetter[]>): Promise<DeadLetterCount[]> {
  const counts = new Map<string, { node: string; class: string; count: number }>();
  for await (const page of pages) {
    for (const letter of page) {
      const key = JSON.stringify([letter.node, letter.class]);
      const entry = counts.get(key);
      if (entry === undefined) counts.set(key, { node: letter.node, class: letter.class, count: 1 });
      else entry.count++;
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.node.localeCompare(b.node));
}

async function missingOf({ reader }: LetterStore, { ids }: Selection): Promise<{ readonly missing?: MissingLetters }> {
  const missing = await missingLetters(reader, { ids });
  return missing === undefined ? {} : { missing };
}

type Selection = Pick<Static<typeof listInput>, "since" | "where" | "ids">;

function conditionOf({ where }: Selection): LetterCondition | undefined {
  return where === undefined ? undefined : compileLetterCondition(where);
}

function sinceOf({ since }: Selection, { clock }: OperationContext): { readonly sinceMs?: number } {
  return since === undefined ? {} : { sinceMs: sinceMsOf(since, clock.now()) };
}

function chosen(
  { reader, viewer }: LetterStore,
  choice: Selection & { readonly content?: boolean },
  { condition, context }: { readonly condition: LetterCondition | undefined; readonly context: OperationContext },
): AsyncGenerator<readonly DeadLetter[]> {
  return chooseLetters(reader, {
    ...sinceOf(choice, context),
    ...(choice.ids === undefined ? {} : { ids: choice.ids }),
    ...(condition === undefined ? {} : { condition }),
    content: choice.content === true || (choice.content === false && viewer.headNeedsContent),
    codecs: viewer.codecs,
  });
}
