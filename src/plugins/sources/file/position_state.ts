/** Owns the durable form of positions: compact JSON, one short list a file. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import type { Position } from "./positions.ts";

const STATE_VERSION = 1;

/** Key, birth, head length and hash, offset, inside, anchor offset, length and hash, packed size. */
type StoredEntry = readonly [string, number | null, number, number, number, 0 | 1, number, number, number, number];
const NUMBERS = 8;

/** One file's position as it stands in the state. */
export function encodeEntry({ incarnation, place }: Position): string {
  const { head } = incarnation;
  const { anchor } = place;
  const entry: StoredEntry = [
    incarnation.key,
    incarnation.birthMs,
    head.length,
    head.hash,
    place.offset,
    place.inside ? 1 : 0,
    anchor.at,
    anchor.length,
    anchor.hash,
    place.packedSize,
  ];
  return JSON.stringify(entry);
}

/** The state, from the entries of all files. */
export function encodeState(entries: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`{"version":${STATE_VERSION},"files":[${entries.join(",")}]}`);
}

/**
 * The positions in a state.
 * @throws {EventboatError} `source_failed`: the bytes are no state of this source, or one of a newer program
 */
export function decodeState(state: Uint8Array): Position[] {
  const expected = `a file source's state of version ${STATE_VERSION}`;
  let stored: unknown;
  try {
    stored = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(state));
  } catch (cause) {
    throw new EventboatError("source_failed", `reading the saved positions: expected ${expected}, found no JSON`, {
      cause,
    });
  }
  const { version, files } = isRecord(stored) ? stored : {};
  if (version !== STATE_VERSION || !Array.isArray(files) || !files.every(isEntry)) {
    throw new EventboatError(
      "source_failed",
      `reading the saved positions: expected ${expected}, found version ${JSON.stringify(version)}`,
    );
  }
  return files.map((
    [key, birthMs, headLength, headHash, offset, inside, at, length, hash, packedSize]: StoredEntry,
  ) => ({
    incarnation: { key, birthMs, head: { length: headLength, hash: headHash }, forgotten: false },
    place: { offset, inside: inside === 1, packedSize, anchor: { at, length, hash } },
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isEntry(value: unknown): value is StoredEntry {
  if (!Array.isArray(value)) return false;
  const [key, birthMs, ...numbers] = value;
  return typeof key === "string" && (birthMs === null || Number.isFinite(birthMs)) && numbers.length === NUMBERS &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
}
