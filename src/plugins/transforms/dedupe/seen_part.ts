/** Owns the form in which keys are made durable: parts of a fixed number of places, each with its number. */

/** A key at its place. */
export interface SeenEntry {
  /** Where it stands in the order in which keys were first seen, from 0. */
  readonly position: number;
  readonly identity: string;
  /** Sequence of the message that brought it. */
  readonly seq: number;
  /** When it came, in milliseconds since the epoch. */
  readonly seenAtMs: number;
}

/** Places in one part: the last part is written again with each checkpoint, so it is to be small. */
export const PART_PLACES = 128;

/** `version`, 4 bytes that stand for the expression, the part's number, and the first position that counts. */
const HEADER_BYTES = 1 + 4 + 8 + 8;
const VERSION = 1;
/** Sequence, time, length of the identity. A free place has the sequence 0 and no identity. */
const PLACE_BYTES = 8 + 8 + 1;
/** Most bytes of an identity: 64 units of at most 3 bytes, and a digest is shorter. */
const IDENTITY_BYTES_MAX = 3 * 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** One part as it was stored. */
export interface SeenPart {
  readonly number: number;
  /** Everything before this position was forgotten when the part was written: other parts may hold it still. */
  readonly head: number;
  /** In the order of their places; free places are left out. */
  readonly entries: readonly SeenEntry[];
}

/** A part's bytes. `entries` holds its places from the first on, free ones as undefined. */
export function encodePart(
  { number, head, entries }: Omit<SeenPart, "entries"> & { readonly entries: readonly (SeenEntry | undefined)[] },
  binding: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + entries.length * (PLACE_BYTES + IDENTITY_BYTES_MAX));
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, binding);
  view.setFloat64(5, number);
  view.setFloat64(13, head);
  let at = HEADER_BYTES;
  for (const entry of entries) {
    view.setFloat64(at, entry?.seq ?? 0);
    view.setFloat64(at + 8, entry?.seenAtMs ?? 0);
    const { written } = encoder.encodeInto(entry?.identity ?? "", bytes.subarray(at + PLACE_BYTES));
    view.setUint8(at + 16, written);
    at += PLACE_BYTES + written;
  }
  return bytes.slice(0, at);
}

/** What a part holds; undefined where the bytes are no part, or one of another expression. */
export function decodePart(bytes: Uint8Array, binding: number): SeenPart | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION || view.getUint32(1) !== binding) return undefined;
  const [number, head] = [view.getFloat64(5), view.getFloat64(13)];
  if (![number, head].every((each) => Number.isSafeInteger(each) && each >= 0)) return undefined;
  const entries: SeenEntry[] = [];
  let position = number * PART_PLACES;
  for (let at = HEADER_BYTES; at < bytes.length; position++) {
    if (bytes.length < at + PLACE_BYTES) return undefined;
    const [seq, seenAtMs, length] = [view.getFloat64(at), view.getFloat64(at + 8), view.getUint8(at + 16)];
    at += PLACE_BYTES + length;
    if (at > bytes.length) return undefined;
    if (seq <= 0) continue;
    try {
      entries.push({ position, identity: decoder.decode(bytes.subarray(at - length, at)), seq, seenAtMs });
    } catch {
      return undefined; // No text: these bytes are not what was written.
    }
  }
  return { number, head, entries };
}
