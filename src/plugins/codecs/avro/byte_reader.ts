/** Owns the reading of Avro's elements from bytes, never beyond their end. */

import { DatumTrouble } from "./datum_trouble.ts";

/** Bytes of the longest varint. */
const VARINT_BYTES_MAX = 10;
/** The bits of a varint come in 28, 28 and 8. */
const LOW_LIMIT = 2 ** 28;
const HIGH_LIMIT = 2 ** 8;
/** Below this the middle bits and the low ones are within 2^53. */
const SAFE_MIDDLE_LIMIT = 2 ** 25;
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;
/** Text up to this many bytes is put together here; calling the platform costs more. */
const SHORT_TEXT_BYTES = 24;

const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const REPLACEMENT = "\ufffd";

/**
 * Reads datums that lie in one buffer. Every method throws where what is asked for is not there.
 * @throws {DatumTrouble}
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #text: string | undefined;
  #start = 0;
  #end: number;
  #at = 0;
  /** Items read that took no bytes: only these may be many in few bytes. */
  emptyItems = 0;

  /**
   * Reads all bytes as one datum; see {@linkcode ByteReader.begin}.
   * @param text the same bytes as text of one character a byte, from which ASCII is cut instead of being decoded: for
   * a buffer of many datums
   */
  constructor(bytes: Uint8Array, text?: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = text;
    this.#end = bytes.length;
  }

  /** Goes to another datum of the buffer. */
  begin(start: number, end: number): void {
    this.#start = start;
    this.#at = start;
    this.#end = end;
    this.emptyItems = 0;
  }

  /** Bytes of the datum that were read. */
  get at(): number {
    return this.#at - this.#start;
  }

  /** Bytes of the datum that are left. */
  get left(): number {
    return this.#end - this.#at;
  }

  boolean(): boolean {
    const byte = this.#byteOf(this.at, "a boolean");
    if (byte > 1) throw new DatumTrouble(`must be a boolean, 0 or 1, found ${byte} at byte ${this.at - 1}`);
    return byte === 1;
  }

  int(): number {
    const from = this.at;
    const value = this.long();
    if (typeof value === "bigint" || value < INT_MIN || value > INT_MAX) {
      throw new DatumTrouble(`must be an int of 32 bits, found ${value} at byte ${from}`);
    }
    return value;
  }

  /** A bigint where a double cannot hold it. */
  long(): number | bigint {
    const bytes = this.#bytes;
    const end = this.#end;
    const from = this.at;
    // Most are short: seven bits a byte, up to 28 bits without leaving small integers.
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#at < end ? bytes[this.#at] : undefined;
      if (byte === undefined) throw this.#ended(from, "a number");
      this.#at++;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    return this.#longer(from, value);
  }

  /** Goes on behind 28 bits: as a double while that is exact, as a bigint then. */
  #longer(from: number, low: number): number | bigint {
    let middle = 0;
    let high = 0;
    for (let count = 4; count < VARINT_BYTES_MAX; count++) {
      const byte = this.#byteOf(from, "a number");
      if (count < 8) middle |= (byte & 0x7f) << (count - 4) * 7;
      else high |= (byte & 0x7f) << (count - 8) * 7;
      if (byte >= 0x80) continue;
      if (high >= HIGH_LIMIT) break;
      if (high === 0 && middle < SAFE_MIDDLE_LIMIT) {
        const zigzag = middle * LOW_LIMIT + low;
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      }
      return signedOf((BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low));
    }
    throw new DatumTrouble(`must be a number of 64 bits, and the one at byte ${from} has more`);
  }

  float(): number {
    return this.#view.getFloat32(this.#take(4, "a float"), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8, "a double"), true);
  }

  /** A copy. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.fixed(this.#length());
  }

  /** A copy of so many bytes. */
  fixed(size: number): Uint8Array<ArrayBuffer> {
    const from = this.#take(size, `${size} bytes`);
    return this.#bytes.slice(from, from + size) as Uint8Array<ArrayBuffer>;
  }

  text(): string {
    const length = this.#length();
    const from = this.#take(length, `text of ${length} bytes`);
    const to = from + length;
    if (this.#text !== undefined) {
      if (isAscii(this.#bytes, from, to)) return this.#text.slice(from, to);
    } else if (length <= SHORT_TEXT_BYTES && isAscii(this.#bytes, from, to)) {
      return shortText(this.#bytes, from, to);
    }
    const part = this.#bytes.subarray(from, to);
    const text = lenientDecoder.decode(part);
    if (!text.includes(REPLACEMENT)) return text;
    try {
      return strictDecoder.decode(part);
    } catch {
      // The decoder says no more than this.
      throw new DatumTrouble(`must be text, and the ${length} bytes before byte ${this.at} are no UTF-8`);
    }
  }

  /** How many follow in a list of so many names. */
  index(count: number, what: string): number {
    const from = this.at;
    const index = this.long();
    if (typeof index === "number" && index >= 0 && index < count) return index;
    throw new DatumTrouble(`must be ${what} 0 to ${count - 1}, found ${index} at byte ${from}`);
  }

  #length(): number {
    const from = this.at;
    const length = this.long();
    if (typeof length === "number" && length >= 0 && length <= this.left) return length;
    throw new DatumTrouble(`must be as long as byte ${from} says, ${length} bytes, and ${this.left} are left`);
  }

  /** The next byte of what began at `from`. */
  #byteOf(from: number, what: string): number {
    const byte = this.left > 0 ? this.#bytes[this.#at] : undefined;
    if (byte === undefined) throw this.#ended(from, what);
    this.#at++;
    return byte;
  }

  /** Steps over so many bytes and gives where they begin in the buffer. */
  #take(count: number, what: string): number {
    const from = this.#at;
    if (count > this.left) throw this.#ended(this.at, what);
    this.#at += count;
    return from;
  }

  #ended(from: number, what: string): DatumTrouble {
    return new DatumTrouble(
      `must be ${what} at byte ${from}, and the message ends after ${this.#end - this.#start} bytes`,
    );
  }
}

function signedOf(zigzag: bigint): number | bigint {
  const signed = (zigzag >> 1n) ^ -(zigzag & 1n);
  return signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((bytes[i] ?? 0) >= 0x80) return false;
  return true;
}

/** ASCII text of a few characters. */
function shortText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let i = from; i < to; i++) text += ASCII[bytes[i] ?? 0];
  return text;
}

const ASCII: readonly string[] = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
