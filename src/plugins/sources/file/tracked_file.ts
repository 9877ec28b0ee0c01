/** Owns one file that is followed: its handle, how far it was read, and the proof that it is still the same. */

import { reasonOf } from "../../../diagnostics/mod.ts";
import type { Meta } from "../../../message/mod.ts";
import { byteOrderMark, Charset } from "./charset.ts";
import { ANCHOR_BYTES, anchorAt, EMPTY_HEAD, fingerprint, type Head, HEAD_BYTES, headOf } from "./fingerprint.ts";
import type { FoundFile } from "./path_scan.ts";
import { type Incarnation, type Place, type Position, START } from "./positions.ts";

/** A file could not be opened or read. */
export class FileReadError extends Error {
  override readonly name = "FileReadError";
  readonly path: string;

  /** Why, for where the path is told already. */
  readonly reason: string;

  constructor(action: "open" | "read" | "unpack", path: string, cause: unknown) {
    const reason = reasonOf(cause);
    super(`cannot ${action} ${path}: ${reason}`, { cause });
    this.path = path;
    this.reason = reason;
  }

  /** Whether the pipeline has no permission for the path: waiting cannot help. */
  get isDenied(): boolean {
    return this.cause instanceof Deno.errors.NotCapable;
  }

  /** Whether there is no such file. */
  get isGone(): boolean {
    return this.cause instanceof Deno.errors.NotFound;
  }
}

/** What was read into the buffer: `[from, to)` is new, what lies before it are the bytes in front of the position. */
export interface FileWindow {
  readonly from: number;
  readonly to: number;
  /** Offset of the buffer's first byte in the file. */
  readonly base: number;
  /** Whether the file had more bytes than the buffer took. */
  readonly more: boolean;
}

/**
 * A file, known by device and inode, whatever its name is by now. It is read by position: nothing is kept of a line
 * that is not complete, it is read again when there is more of it. So thousands of files cost no buffers.
 */
export class TrackedFile {
  /** Where the file is now. */
  path: string;
  readonly meta: Meta;
  incarnation: Incarnation;
  /** How far the file was read. */
  place: Place = START;
  size: number;
  modifiedMs: number;
  /** Whether there may be something to read. */
  ready = true;
  /**
   * Whether the file was written anew and a copy of what it held is to be looked for first: the copy's position must be
   * in the state before any line of the new content is.
   */
  awaitsScan = false;
  /** Whether whole lines wait for the rest of their group. */
  waiting = false;
  /** Since when, on the clock that never goes back, the file is found under no name any more. */
  missingSinceMs: number | undefined;
  /** When the file was last seen to grow, on the same clock. */
  grownAtMs = 0;
  /** How far the file reached when it was last read. */
  seenTo = 0;
  /** The file that had this one's name before and is to be read to its end first. */
  predecessor: TrackedFile | undefined;
  /** Whether the last attempt to read the file failed, and that was told. */
  failed = false;
  readonly #declared: Charset;
  readonly #headBytes = new Uint8Array(4);
  #headSeen = 0;
  #charset: Charset;
  #handle: Deno.FsFile | undefined;

  constructor(found: FoundFile, declared: Charset, meta: Meta) {
    this.path = found.path;
    this.size = found.size;
    this.modifiedMs = found.modifiedMs;
    this.incarnation = { key: found.key, birthMs: found.birthMs, head: EMPTY_HEAD, forgotten: false };
    this.meta = meta;
    this.#declared = declared;
    this.#charset = declared;
  }

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  /** The declared encoding, or what the file's byte order mark says. */
  get charset(): Charset {
    return this.#charset;
  }

  /** Length of the byte order mark. */
  get markLength(): number {
    return byteOrderMark(this.#headBytes, 0)?.length ?? 0;
  }

  /** @throws {FileReadError} */
  open(): void {
    if (this.#handle !== undefined) return;
    try {
      this.#handle = Deno.openSync(this.path, { read: true });
      const info = this.#handle.statSync();
      // The name may have passed to another file between the look and the opening: the next look tells.
      if (!info.isFile || (info.ino !== null && !this.#isInode(info))) {
        this.close();
        throw new Deno.errors.NotFound("the name belongs to another file by now");
      }
    } catch (cause) {
      throw cause instanceof FileReadError ? cause : new FileReadError("open", this.path, cause);
    }
  }

  close(): void {
    this.#handle?.close();
    this.#handle = undefined;
  }

  /**
   * Reads on from the position; undefined when the file is not the one that was read so far: it was truncated, or
   * written anew. The bytes in front of the position come along in the same read, so that a file cannot change
   * between the proof and what is proven.
   * @throws {FileReadError}
   */
  readWindow(buffer: Uint8Array): FileWindow | undefined {
    return this.#read(() => {
      const { offset, anchor } = this.place;
      const base = offset - anchor.length;
      const to = this.#readAt(base, buffer);
      if (to < anchor.length || fingerprintOf(buffer, anchor.length) !== anchor.hash) return undefined;
      if (!this.#proveHead(base === 0 ? buffer.subarray(0, to) : undefined)) return undefined;
      return { from: anchor.length, to, base, more: to === buffer.length };
    });
  }

  /** Reads the beginning into the buffer; returns how much there is. @throws {FileReadError} */
  readHead(buffer: Uint8Array): number {
    return this.#read(() => this.#readAt(0, buffer));
  }

  /** Begins at the start of what the file holds now. */
  restart(): void {
    this.incarnation = { ...this.incarnation, head: EMPTY_HEAD, forgotten: false };
    this.place = START;
    this.seenTo = 0;
    this.waiting = false;
    this.ready = true;
    this.#headBytes.fill(0);
    this.#headSeen = 0;
    this.#charset = this.#declared;
  }

  /**
   * Goes to a position that an earlier life, or another file with the same content, had reached. False, and nothing
   * changed, when the file does not hold what was read there.
   * @throws {FileReadError}
   */
  resume(position: Position, incarnation: Incarnation = position.incarnation): boolean {
    return this.#read(() => {
      const { place } = position;
      const { head } = position.incarnation;
      const anchorStart = place.anchor.at - place.anchor.length;
      const before = new Uint8Array(Math.min(ANCHOR_BYTES, place.offset));
      const proof = new Uint8Array(place.anchor.length);
      const headBytes = new Uint8Array(HEAD_BYTES);
      const headLength = this.#readAt(0, headBytes);
      if (headLength < head.length || fingerprintOf(headBytes, head.length) !== head.hash) return false;
      if (this.#readAt(anchorStart, proof) < proof.length) return false;
      if (fingerprintOf(proof, proof.length) !== place.anchor.hash) return false;
      if (this.#readAt(place.offset - before.length, before) < before.length) return false;
      this.incarnation = incarnation;
      this.incarnation.head = headOf(headBytes, Math.max(headLength, head.length));
      this.#seeHead(headBytes, headLength);
      this.place = { ...place, anchor: anchorAt(before, before.length, place.offset - before.length) };
      return true;
    });
  }

  /** Goes behind the last line that is complete: only what is written from now on is read. @throws {FileReadError} */
  resumeAtEnd(buffer: Uint8Array): void {
    this.#read(() => {
      const head = new Uint8Array(HEAD_BYTES);
      const headLength = this.#readAt(0, head);
      this.#seeHead(head, headLength);
      this.incarnation.head = headOf(head, headLength);
      // The base keeps the parity of the offset, so that code units of two bytes stay whole.
      const size = this.#open().statSync().size;
      const base = Math.max(0, size - size % 2 - buffer.length);
      const length = this.#readAt(base, buffer);
      let end = base === 0 ? Math.min(this.markLength, length) : 0;
      const view = buffer.subarray(0, length);
      for (let at = end; at >= 0;) {
        at = this.#charset.newline(view, at);
        if (at >= 0) end = at += this.#charset.unit;
      }
      const inside = base > 0 && end === 0;
      this.place = { offset: base + end, anchor: anchorAt(buffer, end, base), inside, packedSize: 0 };
      this.seenTo = base + length;
    });
  }

  /** Takes a position over without proof: whoever unpacks the file has it. */
  assume(position: Position): void {
    this.incarnation = position.incarnation;
    this.place = position.place;
  }

  /** Learns the file's beginning, and from it the encoding. False when it is not the beginning that is known. */
  proveHead(bytes: Uint8Array): boolean {
    return this.#proveHead(bytes);
  }

  #isInode(info: Deno.FileInfo): boolean {
    const { key } = this.incarnation;
    return key.startsWith("path:") || key === `${info.dev}:${info.ino}`;
  }

  /** Compares the beginning with what is known of it, and learns more of it. */
  #proveHead(seen: Uint8Array | undefined): boolean {
    const { head } = this.incarnation;
    let bytes = seen;
    if (bytes === undefined) {
      const buffer = new Uint8Array(HEAD_BYTES);
      bytes = buffer.subarray(0, this.#readAt(0, buffer));
    }
    if (bytes.length < head.length || fingerprintOf(bytes, head.length) !== head.hash) return false;
    const grown: Head = headOf(bytes, bytes.length);
    if (grown.length > head.length) this.incarnation.head = grown;
    this.#seeHead(bytes, bytes.length);
    return true;
  }

  #seeHead(bytes: Uint8Array, length: number): void {
    if (this.#headSeen >= this.#headBytes.length) return;
    this.#headSeen = Math.min(length, this.#headBytes.length);
    this.#headBytes.set(bytes.subarray(0, this.#headSeen));
    const mark = byteOrderMark(this.#headBytes, 0);
    if (mark !== undefined) {
      this.#charset = mark.label === this.#declared.name ? this.#declared : new Charset(mark.label);
    }
  }

  #open(): Deno.FsFile {
    this.open();
    // `open` left a handle or threw.
    return this.#handle as Deno.FsFile;
  }

  /** Fills the buffer from the offset on, as far as the file reaches. */
  #readAt(offset: number, buffer: Uint8Array): number {
    const handle = this.#open();
    handle.seekSync(offset, Deno.SeekMode.Start);
    let length = 0;
    while (length < buffer.length) {
      const count = handle.readSync(buffer.subarray(length));
      if (count === null || count === 0) break;
      length += count;
    }
    return length;
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof FileReadError) throw cause;
      this.close();
      throw new FileReadError("read", this.path, cause);
    }
  }
}

function fingerprintOf(bytes: Uint8Array, length: number): number {
  return length === 0 ? 0 : fingerprint(bytes, 0, length);
}
