/** Owns how far each file was read and how far that is committed. */

import { type Anchor, ANCHOR_OF_START, type Head } from "./fingerprint.ts";
import { decodeState, encodeEntry, encodeState } from "./position_state.ts";

/** One file's content from one creation or truncation to the next. */
export interface Incarnation {
  /** Device and inode, or the path where the platform has none. */
  readonly key: string;
  /** When the file was created, where the platform tells. */
  readonly birthMs: number | null;
  /** Grows while the file is shorter than a whole head. */
  head: Head;
  /** Whether the file is gone and its position is to be kept no longer. */
  forgotten: boolean;
}

/** A place in a file. */
export interface Place {
  readonly offset: number;
  /** Bytes at or before the offset that prove that the file is still the same. */
  readonly anchor: Anchor;
  /** Whether the offset lies inside a line that was too long, whose rest is to be left out. */
  readonly inside: boolean;
  /** Size of a compressed file of which everything was read; 0 otherwise. It saves unpacking it again. */
  readonly packedSize: number;
}

/** The beginning of a file. */
export const START: Place = { offset: 0, anchor: ANCHOR_OF_START, inside: false, packedSize: 0 };

/** A place that is known, in one incarnation of a file. */
export interface Position {
  readonly incarnation: Incarnation;
  readonly place: Place;
}

/** A batch that was handed to the engine, or a place that was taken without one. */
interface Passage {
  readonly incarnation: Incarnation;
  readonly firstSrcSeq: number;
  /** Where each message of the batch begins; empty where there is no batch. */
  readonly starts: Float64Array;
  readonly from: Place;
  readonly to: Place;
}

interface Entry extends Position {
  /** The entry as it stands in the state, kept until head or place change. */
  text: string;
  textHead: Head;
}

/** Positions of files that are gone and are to be remembered: beyond this the oldest are given up. */
const REMEMBERED_MAX = 10_000;

/**
 * Follows the numbers that the source gave to its messages. Passages wait, in order, until they are committed; the
 * state then says of each file how far its committed lines reach. One passage is kept per batch, not per line, and the
 * engine bounds how many messages are under way.
 */
export class Positions {
  readonly #committed = new Map<string, Entry>();
  /** What the last run left, by key, until a file is found for it. */
  readonly #saved = new Map<string, Position>();
  #passages: Passage[] = [];
  #head = 0;

  /**
   * @param state what {@linkcode Positions.commit} returned last, in an earlier life
   * @throws {EventboatError} `source_failed`: the state is none of ours
   */
  constructor(state: Uint8Array | undefined) {
    for (const position of state === undefined ? [] : decodeState(state)) {
      this.#saved.set(position.incarnation.key, position);
      this.#set(position);
    }
  }

  /** What an earlier life knew of the file with this key. It is told once. */
  takeSaved(key: string): Position | undefined {
    const position = this.#saved.get(key);
    this.#saved.delete(key);
    return position;
  }

  /** How many files of an earlier life have not been found. */
  get savedCount(): number {
    return this.#saved.size;
  }

  /** A batch was handed over. `starts` is kept and must not be the array that was given away. */
  pass(incarnation: Incarnation, firstSrcSeq: number, starts: Float64Array, from: Place, to: Place): void {
    this.#passages.push({ incarnation, firstSrcSeq, starts, from, to });
  }

  /** A place was taken without a message: it counts once everything before `nextSrcSeq` is committed. */
  mark(incarnation: Incarnation, nextSrcSeq: number, place: Place): void {
    this.pass(incarnation, nextSrcSeq, new Float64Array(0), place, place);
  }

  /** The file is gone: its position is dropped. */
  forget(incarnation: Incarnation): void {
    incarnation.forgotten = true;
    if (this.#committed.get(incarnation.key)?.incarnation === incarnation) this.#committed.delete(incarnation.key);
  }

  /** The files of an earlier life that were not found are given up: all of them, or what is too much to remember. */
  forgetSaved(all: boolean): void {
    let surplus = all ? this.#saved.size : this.#saved.size - REMEMBERED_MAX;
    for (const position of this.#saved.values()) {
      if (surplus-- <= 0) break;
      this.#saved.delete(position.incarnation.key);
      this.forget(position.incarnation);
    }
  }

  /** The file is gone, but is to be known if it comes back. */
  remember(position: Position): void {
    this.#saved.set(position.incarnation.key, position);
    this.forgetSaved(false);
  }

  /** Everything through this number is committed. Returns the state. */
  commit(throughSrcSeq: number): Uint8Array<ArrayBuffer> {
    for (; this.#head < this.#passages.length; this.#head++) {
      const passage = this.#passages[this.#head];
      if (passage === undefined) break;
      const committed = throughSrcSeq - passage.firstSrcSeq + 1;
      if (committed < passage.starts.length) {
        if (committed > 0) this.#set({ incarnation: passage.incarnation, place: within(passage, committed) });
        break;
      }
      if (committed < 0) break;
      this.#set({ incarnation: passage.incarnation, place: passage.to });
    }
    if (this.#head * 2 > this.#passages.length) {
      this.#passages = this.#passages.slice(this.#head);
      this.#head = 0;
    }
    return this.#encode();
  }

  #set(position: Position): void {
    if (position.incarnation.forgotten) return;
    this.#committed.set(position.incarnation.key, { ...position, text: "", textHead: position.incarnation.head });
  }

  #encode(): Uint8Array<ArrayBuffer> {
    const texts: string[] = [];
    for (const entry of this.#committed.values()) {
      if (entry.text === "" || entry.textHead !== entry.incarnation.head) {
        entry.text = encodeEntry(entry);
        entry.textHead = entry.incarnation.head;
      }
      texts.push(entry.text);
    }
    return encodeState(texts);
  }
}

/** The place in front of the first message of a batch that is not committed. */
function within(passage: Passage, committed: number): Place {
  // The bytes before that message were given away with the batch: the proof is the one of where the batch began.
  const offset = passage.starts[committed] ?? passage.to.offset;
  return { offset, anchor: passage.from.anchor, inside: false, packedSize: 0 };
}
