/**
 * Owns the patterns of `LIKE`: `%` stands for any characters, `_` for one, a backslash makes either literal.
 *
 * A pattern is cut at its `%`. Its first piece must begin the text, its last one end it, and each piece between is
 * searched for from where the one before ended: taking the first place is always right, so nothing is tried twice. The
 * search for a piece with `_` in it looks at each character once and keeps in bits which beginnings of the piece end there.
 */

import type { CostMeter } from "../cost_meter.ts";
import { unitsAt } from "./text.ts";

/** A character of a piece; null stands for any. */
type PieceCharacter = string | null;

/** Beginnings kept in one number. */
const WORD_BITS = 31;
/** Texts up to this length are matched without counting it. */
const FREE_UNITS_MAX = 256;

/** A compiled pattern. */
export class LikePattern {
  readonly #pieces: readonly Piece[];
  /** How many numbers the longest search keeps at each character. */
  readonly #words: number;

  constructor(pattern: string) {
    this.#pieces = cut(pattern).map((characters) => new Piece(characters));
    this.#words = Math.max(1, ...this.#pieces.map(({ words }) => words));
  }

  /**
   * Whether a whole text matches.
   * @throws {EventboatError} `budget` where the meter runs out.
   */
  matches(text: string, meter: CostMeter): boolean {
    if (text.length > FREE_UNITS_MAX) meter.spendLength(text.length * this.#words);
    const [first, ...others] = this.#pieces;
    if (first === undefined) return text === "";
    let offset = first.endAt(text, 0);
    const last = others.pop();
    if (last === undefined) return offset === text.length;
    if (offset < 0) return false;
    for (const piece of others) {
      offset = piece.search(text, offset);
      if (offset < 0) return false;
    }
    const start = last.startBefore(text);
    return start >= offset && last.endAt(text, start) === text.length;
  }
}

/** The pieces of a pattern between its `%`, as characters. */
function cut(pattern: string): readonly (readonly PieceCharacter[])[] {
  const pieces: PieceCharacter[][] = [[]];
  for (let offset = 0; offset < pattern.length; offset += unitsAt(pattern, offset)) {
    const escaped = pattern.charAt(offset) === "\\" ? pattern.charAt(offset + 1) : "";
    const piece = pieces.at(-1) ?? [];
    if (escaped === "%" || escaped === "_") {
      piece.push(escaped);
      offset++;
      continue;
    }
    const character = pattern.slice(offset, offset + unitsAt(pattern, offset));
    if (character === "%") pieces.push([]);
    else piece.push(character === "_" ? null : character);
  }
  return pieces;
}

/** What stands between two `%`. */
class Piece {
  readonly #characters: readonly PieceCharacter[];
  /** The piece as text, where no `_` is in it. */
  readonly #text: string | undefined;
  readonly words: number;

  constructor(characters: readonly PieceCharacter[]) {
    this.#characters = characters;
    this.#text = characters.includes(null) ? undefined : characters.join("");
    this.words = this.#text === undefined ? Math.ceil(characters.length / WORD_BITS) : 1;
  }

  /** Where the piece ends if it stands at an offset, else -1. */
  endAt(text: string, offset: number): number {
    if (this.#text !== undefined) return text.startsWith(this.#text, offset) ? offset + this.#text.length : -1;
    let at = offset;
    for (const character of this.#characters) {
      if (at >= text.length) return -1;
      if (character !== null && !text.startsWith(character, at)) return -1;
      at += character?.length ?? unitsAt(text, at);
    }
    return at;
  }

  /** The offset so many characters before the end of a text as the piece has, or -1 where the text is shorter. */
  startBefore(text: string): number {
    let at = text.length;
    for (let left = this.#characters.length; left > 0; left--) {
      if (at <= 0) return -1;
      at -= at >= 2 && unitsAt(text, at - 2) === 2 ? 2 : 1;
    }
    return at;
  }

  /** Where the first place of the piece at an offset or behind it ends, or -1. */
  search(text: string, offset: number): number {
    if (this.#text === undefined) return this.#searchBits(text, offset);
    const found = text.indexOf(this.#text, offset);
    return found < 0 ? -1 : found + this.#text.length;
  }

  #searchBits(text: string, offset: number): number {
    const { masks, others } = this.#masks();
    const last = this.#characters.length - 1;
    const goal = 1 << last % WORD_BITS;
    const state = new Int32Array(this.words);
    for (let at = offset; at < text.length;) {
      const units = unitsAt(text, at);
      const mask = masks.get(text.slice(at, at + units)) ?? others;
      let carry = 1;
      for (let word = 0; word < state.length; word++) {
        const before = state[word] ?? 0;
        state[word] = ((before << 1) | carry) & (mask[word] ?? 0);
        carry = (before >>> (WORD_BITS - 1)) & 1;
      }
      at += units;
      if (((state.at(-1) ?? 0) & goal) !== 0) return at;
    }
    return -1;
  }

  /** For each character the places of the piece where it may stand, as bits; `others` for those not named. */
  #masks(): { readonly masks: ReadonlyMap<string, Int32Array>; readonly others: Int32Array } {
    const others = new Int32Array(this.words);
    for (const [place, character] of this.#characters.entries()) if (character === null) setBit(others, place);
    const masks = new Map<string, Int32Array>();
    for (const [place, character] of this.#characters.entries()) {
      if (character === null) continue;
      const mask = masks.get(character) ?? others.slice();
      setBit(mask, place);
      masks.set(character, mask);
    }
    return { masks, others };
  }
}

function setBit(bits: Int32Array, place: number): void {
  const word = Math.floor(place / WORD_BITS);
  bits[word] = (bits[word] ?? 0) | (1 << place % WORD_BITS);
}
