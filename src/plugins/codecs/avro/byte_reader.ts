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

/** Reads one datum. @throws {DatumTrouble} by every method, where what is asked for is not there */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Items read that took no bytes: only these may be many in few bytes. */
  emptyItems = 0;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.at;
  }

  boolean(): boolean {
    const byte = this.#byte();
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
    const from = this.at;
    // Most are short: seven bits a byte, up to 28 bits without leaving small integers.
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[this.at];
      if (byte === undefined) throw this.#ended(from, "a number");
      this.at++;
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
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw this.#ended(from, "a number");
      this.at++;
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
    if (length <= SHORT_TEXT_BYTES) {
      const short = shortText(this.#bytes, from, length);
      if (short !== undefined) return short;
    }
    const part = this.#bytes.subarray(from, from + length);
    const text = lenientDecoder.decode(part);
    if (!text.includes(REPLACEMENT)) return text;
    try {
      return strictDecoder.decode(part);
    } catch {
      // The decoder says no more than this.
      throw new DatumTrouble(`must be text, and the ${length} bytes at byte ${from} are no UTF-8`);
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

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw this.#ended(this.at, "a byte");
    this.at++;
    return byte;
  }

  /** Steps over so many bytes and gives where they begin. */
  #take(count: number, what: string): number {
    const from = this.at;
    if (count > this.left) throw this.#ended(from, what);
    this.at += count;
    return from;
  }

  #ended(from: number, what: string): DatumTrouble {
    return new DatumTrouble(`must be ${what} at byte ${from}, and the message ends after ${this.#bytes.length} bytes`);
  }
}

function signedOf(zigzag: bigint): number | bigint {
  const signed = (zigzag >> 1n) ^ -(zigzag & 1n);
  return signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
}

/** ASCII text, or undefined where it is other text. */
function shortText(bytes: Uint8Array, from: number, length: number): string | undefined {
  let text = "";
  for (let i = from; i < from + length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x80) return undefined;
    text += ASCII[byte];
  }
  return text;
}

const ASCII: readonly string[] = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
