/** Owns the choosing of dead letters: page by page, in the order of their ids, however many there are. */

import type { DeadLetter, DeadLetterQuery } from "../store/mod.ts";
import type { Codecs, LetterCondition } from "./letter_condition.ts";

/** Where dead letters are read: the store of a running pipeline, or its file from outside. */
export interface LetterSource {
  readDeadLetters(query: DeadLetterQuery): readonly DeadLetter[] | Promise<readonly DeadLetter[]>;
}

/** Which letters, and how much of them. */
export interface LetterChoice {
  readonly ids?: readonly number[];
  readonly sinceMs?: number;
  readonly runId?: string;
  readonly condition?: LetterCondition;
  /** Whether messages are to be read too; a condition that needs them has them read anyway. */
  readonly content: boolean;
  readonly codecs: Codecs;
}

/** Letters read at once. */
const PAGE_LETTERS = 500;

/** Gives the chosen letters, a page at a time; a page is never empty. */
export async function* chooseLetters(
  source: LetterSource,
  choice: LetterChoice,
): AsyncGenerator<readonly DeadLetter[], void, undefined> {
  const { condition, codecs } = choice;
  for await (const page of pages(source, choice)) {
    const chosen = condition === undefined ? page : page.filter((letter) => condition.holds(letter, codecs));
    if (chosen.length > 0) yield chosen;
  }
}

async function* pages(source: LetterSource, choice: LetterChoice): AsyncGenerator<readonly DeadLetter[]> {
  const { ids, sinceMs, runId, condition, content } = choice;
  const query: DeadLetterQuery = {
    ...condition?.pushdown,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(runId === undefined ? {} : { runId }),
    content: content || condition?.needsPayload === true,
    limit: PAGE_LETTERS,
  };
  if (ids === undefined) return yield* rest(source, query);
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  for (let at = 0; at < sorted.length; at += PAGE_LETTERS) {
    yield* rest(source, { ...query, ids: sorted.slice(at, at + PAGE_LETTERS) });
  }
}

/** Page after page. Letters that are large come fewer at a time; an empty page is the end. */
async function* rest(source: LetterSource, query: DeadLetterQuery): AsyncGenerator<readonly DeadLetter[]> {
  let page = await source.readDeadLetters(query);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = await source.readDeadLetters({ ...query, afterId: last.id });
  }
}
