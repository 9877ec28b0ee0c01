/** Owns the dead letter as a store keeps it: buffers of its own, metadata as text. */

import type { Meta, MetaValue } from "../message/mod.ts";
import type { DeadLetter, DeadLetterRecord } from "./contract.ts";
import { parseMeta, printMeta } from "./meta_text.ts";

/** A dead letter in the form that crosses the port and lies in the row. */
export type StoredLetter = Omit<DeadLetterRecord, "meta"> & { readonly meta: string };

/** One that has its id. */
export type StoredLetterRow = Omit<StoredLetter, "replayOf"> & Pick<DeadLetter, "id">;

/** Copies a dead letter into its stored form. */
export function storeLetter(letter: DeadLetterRecord): StoredLetter {
  return {
    ...letter,
    bytes: letter.bytes.slice(),
    meta: printedMeta(letter.meta),
    ...(letter.original === undefined ? {} : { original: letter.original.slice() }),
  };
}

/**
 * A dead letter is where a message ends up that nothing else can be done with, so it is written whatever a plugin put
 * into its metadata: what cannot be printed, such as data of too many levels, is left out and named.
 */
function printedMeta(meta: Meta): string {
  try {
    return printMeta(meta);
  } catch {
    // Which member it was, each by itself tells.
    return printMeta(Object.fromEntries(Object.entries(meta).map(([key, value]) => [key, printable(value)])));
  }
}

function printable(value: MetaValue): MetaValue {
  try {
    printMeta(value);
    return value;
  } catch (caught) {
    return `left out of the dead letter: ${caught instanceof Error ? caught.message : String(caught)}`;
  }
}

/** Makes the dead letter again. Throws a SyntaxError when its metadata is damaged. */
export function loadLetter(stored: StoredLetterRow): DeadLetter {
  return { ...stored, meta: parseMeta(stored.meta) as Meta };
}

/** The letter's own buffers, for a transfer list. */
export function letterBuffers(letter: Pick<StoredLetter, "bytes" | "original">): ArrayBuffer[] {
  return letter.original === undefined ? [letter.bytes.buffer] : [letter.bytes.buffer, letter.original.buffer];
}

/** The key under which a letter written again replaces the earlier one. */
export function letterKey(letter: Pick<StoredLetter, "seq" | "node" | "edge" | "branch">): string {
  return JSON.stringify([letter.seq, letter.node, letter.edge, letter.branch]);
}
