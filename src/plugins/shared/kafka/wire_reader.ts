/** Owns reading what brokers send: big-endian numbers, texts and records' variable-length numbers, in order. */

const ZIGZAG_BITS_MAX = 64;
const HIGH_WORD = 2 ** 32;

/** What a broker sent ends before what it says it holds. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Reads one value after the other. */
export class WireReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Where the next value begins. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes are left. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  int8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  int16(): number {
    return this.#view.getInt16(this.#take(2));
  }

  int32(): number {
    return this.#view.getInt32(this.#take(4));
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4));
  }

  /** A number of 64 bits; exact to 2^53, which no offset and no time reaches. */
  int64(): number {
    const at = this.#take(8);
    return this.#view.getInt32(at) * HIGH_WORD + this.#view.getUint32(at + 4);
  }

  text(): string | null {
    const length = this.int16();
    return length < 0 ? null : new TextDecoder().decode(this.view(length));
  }

  /** As many bytes, not copied. */
  view(length: number): Uint8Array {
    const at = this.#take(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Elements, as many as their count in 32 bits says. */
  array<Item>(read: (reader: WireReader) => Item): Item[] {
    const count = this.int32();
    return count <= 0 ? [] : Array.from({ length: count }, () => read(this));
  }

  /** A zigzag number of variable length; exact to 2^53. */
  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte === undefined) throw cutOff();
    if (byte < 0x80) return (byte >>> 1) ^ -(byte & 1);
    let value = byte & 0x7f;
    let factor = 0x80;
    for (let bits = 7; byte >= 0x80; bits += 7) {
      byte = bytes[this.at++];
      if (byte === undefined || bits > ZIGZAG_BITS_MAX) throw cutOff();
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Passes over so many bytes. */
  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    const at = this.at;
    if (length < 0 || at + length > this.bytes.length) throw cutOff();
    this.at = at + length;
    return at;
  }
}

function cutOff(): WireError {
  return new WireError("it is damaged: it ends before what it says it holds");
}
