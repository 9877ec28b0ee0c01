/** Owns character encodings: which are known, what a byte order mark says, where a line ends. */

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Encodings whose meaning of a byte depends on bytes of earlier lines: a line cannot be decoded by itself. */
const STATEFUL = new Set(["iso-2022-jp", "replacement"]);

/** One character encoding. */
export class Charset {
  /** The WHATWG name, such as `utf-8` or `windows-1252`. */
  readonly name: string;
  /** Bytes of a code unit. */
  readonly unit: 1 | 2;
  /** Whether bytes are passed on as they are. */
  readonly isUtf8: boolean;
  readonly #bigEndian: boolean;
  readonly #decoder: TextDecoder;

  /** @throws {RangeError} the platform does not know the label */
  constructor(label: string) {
    // `ignoreBOM` keeps the mark in the text: at a file's start it was dropped before, elsewhere it is a character.
    this.#decoder = new TextDecoder(label, { ignoreBOM: true });
    this.name = this.#decoder.encoding;
    this.isUtf8 = this.name === "utf-8";
    this.unit = this.name.startsWith("utf-16") ? 2 : 1;
    this.#bigEndian = this.name === "utf-16be";
  }

  /** The charset of a label, or undefined where lines in it cannot be read. */
  static of(label: string): Charset | undefined {
    try {
      const charset = new Charset(label);
      return STATEFUL.has(charset.name) ? undefined : charset;
    } catch {
      // A label nobody knows: the caller has the place to tell it.
      return undefined;
    }
  }

  /** The text of `bytes`; what is not valid becomes U+FFFD, and the rest is kept. */
  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes);
  }

  /** Index of the next newline at or after `from`, or -1. `from` stands on a code unit's border. */
  newline(bytes: Uint8Array, from: number): number {
    if (this.unit === 1) return bytes.indexOf(NEWLINE, from);
    const low = this.#bigEndian ? 1 : 0;
    for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      const start = at - low;
      // The byte may be one half of another character, such as U+0A05.
      if (start >= from && (start - from) % 2 === 0 && bytes[start + 1 - low] === 0 && start + 1 < bytes.length) {
        return start;
      }
    }
    return -1;
  }

  /** Whether the code unit that ends at `end` is a carriage return. */
  endsInCarriageReturn(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start < this.unit) return false;
    if (this.unit === 1) return bytes[end - 1] === CARRIAGE_RETURN;
    const low = this.#bigEndian ? end - 1 : end - 2;
    const high = this.#bigEndian ? end - 2 : end - 1;
    return bytes[low] === CARRIAGE_RETURN && bytes[high] === 0;
  }

  /** The largest cut in `[start, end]` that splits no character. */
  cut(bytes: Uint8Array, start: number, end: number): number {
    if (this.unit === 2) {
      const even = end - (end - start) % 2;
      const high = bytes[this.#bigEndian ? even - 2 : even - 1] ?? 0;
      return even > start && (high & 0xfc) === 0xd8 ? even - 2 : even;
    }
    if (!this.isUtf8) return end;
    let lead = end;
    // A character has at most three continuation bytes; more of them is no UTF-8, and any cut is as good.
    while (lead > start && end - lead < 3 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead--;
    return ((bytes[lead] ?? 0) & 0xc0) === 0x80 || lead === start ? end : lead;
  }
}

/** A byte order mark, and what it says. */
export interface ByteOrderMark {
  readonly label: string;
  readonly length: number;
}

const MARKS: readonly { readonly label: string; readonly bytes: readonly number[] }[] = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
];

/** The byte order mark at the start of `bytes[from, ...)`, if there is one. */
export function byteOrderMark(bytes: Uint8Array, from: number): ByteOrderMark | undefined {
  const mark = MARKS.find((candidate) => candidate.bytes.every((byte, i) => bytes[from + i] === byte));
  return mark === undefined ? undefined : { label: mark.label, length: mark.bytes.length };
}
