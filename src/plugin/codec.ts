/** Owns the contract of a codec. */

/** Turns bytes into a payload and back. Stateless once made; shared by all nodes that name it. */
export interface Codec {
  /**
   * The payload; undefined where the bytes hold no message at all, such as the header line of a table: it then ends
   * here, counted as filtered.
   * @throws {CodecError}
   */
  decode(bytes: Uint8Array): unknown;
  /** @throws {CodecError} */
  encode(payload: unknown): Uint8Array<ArrayBuffer>;
  /**
   * Decodes many at once: message i is `bytes[start(i), ends[i])` with `gap` bytes between two, its payload goes to
   * `payloads[i]`, undefined where `decode` gives that. A message that fails is told to `failed` and its payload left
   * undefined; nothing is thrown.
   */
  decodeMany?(
    bytes: Uint8Array,
    ends: Uint32Array,
    gap: number,
    payloads: unknown[],
    failed: (index: number, error: CodecError) => void,
  ): void;
  /** The encoded text, for codecs whose encoding is UTF-8 text: saves a copy a message. @throws {CodecError} */
  encodeText?(payload: unknown): string;
  /**
   * Whether `encodeText` of plain data is what `JSON.stringify` makes of it: a payload that is at hand as such a text is
   * then not printed anew. Default false.
   */
  readonly isJsonText?: boolean;
  /**
   * What to write for a message that nobody changed and whose bytes are in this codec already: the bytes themselves,
   * or undefined to have it encoded anew. Default: the bytes themselves.
   */
  passthrough?(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined;
  /** How messages stand in lines, where one may take several. Default: a line is a message. */
  readonly framing?: LineFraming;
  /** What a file of such messages begins with, its newline included: a header line. Default: nothing. */
  readonly head?: Uint8Array<ArrayBuffer>;
}

/** Which lines belong together, for sources that cut text into lines. */
export interface LineFraming {
  /** A byte of UTF-8 without which every line is a message of its own. */
  readonly mark: number;
  /** Whether the next line belongs to the same message. `isOpen`: whether this line belonged to the one before it. */
  isOpenAfter(line: string, isOpen: boolean): boolean;
}

/** Bytes that cannot be decoded, or a payload that cannot be encoded. The message says why, to follow a colon. */
export class CodecError extends Error {
  override readonly name = "CodecError";
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
