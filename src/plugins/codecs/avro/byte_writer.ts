/** Owns the writing of Avro's elements into a buffer that grows. */

const BYTES_START = 1024;
/** A buffer larger than this is let go of once its message is written. */
const BYTES_KEPT_MAX = 1 << 20;
/** Text up to this many UTF-16 units is looked at here; calling the platform costs more. */
const SHORT_TEXT_UNITS = 32;
const VARINT_BYTES_MAX = 10;
const LOW_LIMIT = 2 ** 28;
/** Twice a smaller number is exact as a double. */
const EXACT_ZIGZAG_LIMIT = 2 ** 52;

const encoder = new TextEncoder();

/** Writes one datum after the other; used again for the next. */
export class ByteWriter {
  #bytes = new Uint8Array(BYTES_START);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** A copy of what was written, after which the next datum may begin. */
  take(): Uint8Array<ArrayBuffer> {
    const written = this.#bytes.slice(0, this.#at);
    this.clear();
    return written;
  }

  /** Forgets what was written. */
  clear(): void {
    this.#at = 0;
    if (this.#bytes.length <= BYTES_KEPT_MAX) return;
    this.#bytes = new Uint8Array(BYTES_START);
    this.#view = new DataView(this.#bytes.buffer);
  }

  boolean(value: boolean): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value ? 1 : 0;
  }

  /** A whole number of at most 64 bits. */
  long(value: number | bigint): void {
    this.#reserve(VARINT_BYTES_MAX);
    if (typeof value === "number" && value >= -0x40000000 && value < 0x40000000) {
      let left = (value << 1) ^ (value >> 31);
      while (left >= 0x80) {
        this.#bytes[this.#at++] = (left & 0x7f) | 0x80;
        left >>>= 7;
      }
      this.#bytes[this.#at++] = left;
      return;
    }
    if (typeof value === "number" && value > -EXACT_ZIGZAG_LIMIT && value < EXACT_ZIGZAG_LIMIT) {
      this.#zigzag(value < 0 ? -value * 2 - 1 : value * 2);
      return;
    }
    const wide = BigInt(value);
    let left = BigInt.asUintN(64, (wide << 1n) ^ (wide >> 63n));
    while (left >= 0x80n) {
      this.#bytes[this.#at++] = Number(left & 0x7fn) | 0x80;
      left >>= 7n;
    }
    this.#bytes[this.#at++] = Number(left);
  }

  /** A number of up to 53 bits, in two parts that integer arithmetic can do. */
  #zigzag(value: number): void {
    let low = value % LOW_LIMIT;
    const high = (value - low) / LOW_LIMIT;
    for (let i = 0; i < 4; i++) {
      this.#bytes[this.#at++] = (low & 0x7f) | 0x80;
      low >>>= 7;
    }
    let left = high;
    while (left >= 0x80) {
      this.#bytes[this.#at++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    this.#bytes[this.#at++] = left;
  }

  float(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#at, value, true);
    this.#at += 4;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Bytes with their length before them. */
  bytes(value: Uint8Array): void {
    this.long(value.length);
    this.fixed(value);
  }

  /** Bytes by themselves. */
  fixed(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Text in UTF-8 with its length before it. The text must be well-formed. */
  text(value: string): void {
    if (value.length <= SHORT_TEXT_UNITS && this.#shortText(value)) return;
    this.bytes(encoder.encode(value));
  }

  /** Writes ASCII text; false, and nothing written, where it is other text. */
  #shortText(value: string): boolean {
    const { length } = value;
    this.#reserve(length + 1);
    const bytes = this.#bytes;
    const from = this.#at;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) return false;
      bytes[from + 1 + i] = code;
    }
    // At most 32: twice that is one byte.
    bytes[from] = length << 1;
    this.#at = from + 1 + length;
    return true;
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
