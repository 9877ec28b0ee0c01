/** Owns the budget of a run. */

import { Fault } from "./fault.ts";
import { TextIndex } from "./text_index.ts";

/** Characters of text that one step pays for. */
const STEP_CHARACTERS = 128;
/** Pairs of characters compared that one step pays for. */
const STEP_COMPARED = 1024;
/** Characters of two texts found to be the same that one step pays for. */
const STEP_SAME = 8192;
/** Elements copied that one step pays for. */
const STEP_ELEMENTS = 4;

/** Members of a message's object that one step pays for. */
const STEP_MEMBERS = 2;
/** Keys put into a dict or set that one step pays for. */
const STEP_KEYS = 3;

/** What a run shares: its steps, its printer and its marks against recursion. One per bound script, reset for each run. */
export class Thread {
  /** Steps taken. Compiled scripts add to it directly. */
  steps = 0;
  /** Steps that may be taken. */
  readonly stepsMax: number;
  /** Takes what `print` prints. */
  readonly print: (text: string) => void;
  /** Takes the values that a console shows. */
  readonly show: (text: string) => void;
  /** Number of the run: a function that is marked with it is running. */
  run = 0;
  /** Functions made so far. */
  functions = 0;
  #index = new TextIndex("");

  constructor(stepsMax: number, print: (text: string) => void, show: (text: string) => void) {
    this.stepsMax = stepsMax;
    this.print = print;
    this.show = show;
  }

  /** Begins a run. */
  begin(): void {
    this.steps = 0;
    this.run++;
    this.functions = 0;
    if (this.#index.text !== "") this.#index = new TextIndex("");
  }

  /** The code points of a text. The last one is kept, so that a loop over its positions scans it once. */
  index(text: string): TextIndex {
    if (this.#index.text.length === text.length) {
      // Told by its characters, which takes time when the text is long and another one of the same content.
      this.charge(Math.floor(text.length / STEP_SAME));
      if (this.#index.text === text) return this.#index;
    }
    this.chargeText(text.length);
    this.#index = new TextIndex(text);
    return this.#index;
  }

  /** Takes steps. @throws {Fault} of kind `steps` when they are used up. */
  charge(steps: number): void {
    if ((this.steps += steps) > this.stepsMax) throw exhausted(this.stepsMax);
  }

  /** Takes the steps for making text of so many characters. */
  chargeText(characters: number): void {
    this.charge(Math.ceil(characters / STEP_CHARACTERS));
  }

  /** Takes the steps for looking for one text in another, which at worst compares every pair of characters. */
  chargeSearch(text: number, wanted: number): void {
    this.chargeText(text);
    this.charge(Math.floor(text * wanted / STEP_COMPARED));
  }

  /** Takes the steps for putting so many keys into a dict or set. */
  chargeKeys(keys: number): void {
    this.charge(Math.ceil(keys / STEP_KEYS));
  }

  /** Takes the steps for going through the members of a dict over a message's object, which are looked up one by one. */
  chargeMembers(members: number): void {
    this.charge(Math.ceil(members / STEP_MEMBERS));
  }

  /** Takes the steps for copying so many elements. */
  chargeElements(elements: number): void {
    this.charge(Math.ceil(elements / STEP_ELEMENTS));
  }
}

/** The fault of a run without steps left. */
export function exhausted(stepsMax: number): Fault {
  return new Fault(`script used up its ${stepsMax} steps`, "steps");
}
