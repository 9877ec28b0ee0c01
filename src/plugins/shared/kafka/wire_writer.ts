/** Owns writing what brokers read: big-endian numbers, texts and records' variable-length numbers, in order. */

const FIRST_CAPACITY = 1024;
const HIGH_WORD = 2 ** 32;
const VARINT_BYTES_MAX = 10;
/** Up to here a zigzag number fits 32 bits. */
const SMALL_MAX = 0x3fffffff;

/** Writes one value after the other into a buffer that grows. */
export class WireWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;
  readonly #encoder = new TextEncoder();

  constructor(capacity = FIRST_CAPACITY) {
    this.#bytes = new Uint8Array(Math.max(capacity, FIRST_CAPACITY));
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** What was written: a view, valid until more is. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  int8(value: number): this {
    this.#view.setInt8(this.#grow(1), value);
    return this;
  }

  int16(value: number): this {
    this.#view.setInt16(this.#grow(2), value);
    return this;
  }

  int32(value: number): this {
    this.#view.setInt32(this.#grow(4), value);
    return this;
  }

  int64(value: number): this {
    const at = this.#grow(8);
    this.#view.setInt32(at, Math.floor(value / HIGH_WORD));
    this.#view.setUint32(at + 4, value - Math.floor(value / HIGH_WORD) * HIGH_WORD);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.int16(-1);
    const encoded = this.#encoder.encode(value);
    return this.int16(encoded.length).raw(encoded);
  }

  /** Bytes as they are. */
  raw(value: Uint8Array): this {
    this.#bytes.set(value, this.#grow(value.length));
    return this;
  }

  /** Elements behind their count in 32 bits. */
  array<Item>(items: readonly Item[], write: (item: Item) => void): this {
    this.int32(items.length);
    for (const item of items) write(item);
    return this;
  }

  /** A zigzag number of variable length. */
  varint(value: number): this {
    this.#reserve(VARINT_BYTES_MAX);
    if (value >= -SMALL_MAX && value <= SMALL_MAX) {
      let rest = (value << 1) ^ (value >> 31);
      for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      this.#bytes[this.#length++] = rest;
      return this;
    }
    let rest = value >= 0 ? value * 2 : -value * 2 - 1;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
    return this;
  }

  /** Bytes behind their length as a zigzag number; null is a length of -1. */
  varbytes(value: Uint8Array | null): this {
    if (value === null) return this.varint(-1);
    return this.varint(value.length).raw(value);
  }

  /** Writes a number of 32 bits, unsigned, over what stands at `at`. */
  patchUint32(at: number, value: number): void {
    this.#view.setUint32(at, value);
  }

  #grow(more: number): number {
    this.#reserve(more);
    const at = this.#length;
    this.#length += more;
    return at;
  }

  #reserve(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(wanted, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** How many bytes a zigzag number takes. */
export function varintSize(value: number): number {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  let size = 1;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
