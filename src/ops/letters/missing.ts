/** Owns what was named and is not there: ids that no dead letter has, a run that has none. */

import type { Static } from "typebox";
import { EventboatError } from "../../diagnostics/mod.ts";
import { chooseLetters, type LetterSource } from "../../replay/mod.ts";
import { block, integer, list, optional, text } from "../../schema/mod.ts";

const missingBlock = block({
  ids: optional(list(integer({ description: "An id.", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    description: "Ids that were named and that no dead letter has, in their order.",
  })),
  run: optional(text({ description: "The run that was named; no dead letter is of it." })),
}, { description: "What was named and is not there; absent where all of it is." });

/** What was named and is not there. */
export type MissingLetters = Static<typeof missingBlock>;

/** The field of an answer that tells {@linkcode MissingLetters}. */
export const missingField = optional(missingBlock);

/** Looks for what a choice names, whatever else it asks of the letters. Undefined where all of it is there. */
export async function missingLetters(
  source: LetterSource,
  { ids, runId }: { readonly ids?: readonly number[] | undefined; readonly runId?: string | undefined },
): Promise<MissingLetters | undefined> {
  const absent = new Set(ids);
  if (ids !== undefined) {
    for await (const page of chooseLetters(source, { ids, content: false, codecs: new Map() })) {
      for (const { id } of page) absent.delete(id);
    }
  }
  const run = runId === undefined || (await source.readDeadLetters({ runId, content: false, limit: 1 })).length > 0
    ? undefined
    : runId;
  if (absent.size === 0 && run === undefined) return undefined;
  return {
    ...(absent.size === 0 ? {} : { ids: [...absent].sort((a, b) => a - b) }),
    ...(run === undefined ? {} : { run }),
  };
}

/** The error for letters that are named by their ids and are not there. */
export function noSuchLetters(pipeline: string, ids: readonly number[], config: string): EventboatError {
  const what = ids.length === 1 ? `dead letter ${ids[0]}` : `dead letter with one of the ${ids.length} ids`;
  return new EventboatError("usage", `pipeline ${pipeline} has no ${what}`, {
    hint: `eventboat dlq list --config ${config} shows which there are`,
  });
}
