/** Owns the steps of one walk as they come: numbered in the order they begin, counted as they end. */

import type { WalkStep, WalkTotals } from "./walk.ts";

type StepIdentity = Pick<WalkStep, "node" | "kind" | "plugin" | "edge">;
type StepEnd = Omit<WalkStep, keyof StepIdentity | "step">;

/** What a walk has come to so far. */
export class WalkRecord {
  readonly #steps: WalkStep[] = [];
  readonly #stepsMax: number;
  readonly #imagined = new Set<string>();
  readonly #totals: { -readonly [name in keyof WalkTotals]: number } = {
    given: 0,
    filtered: 0,
    dead_letters: 0,
    dropped: 0,
    not_executed: 0,
  };
  #opened = 0;
  #truncated = false;

  constructor(stepsMax: number) {
    this.#stepsMax = stepsMax;
  }

  /** Whether no further step fits. What is left out then is told. */
  get isFull(): boolean {
    if (this.#opened < this.#stepsMax) return false;
    this.#truncated = true;
    return true;
  }

  /** Begins a step and gives its number; undefined where the record is full. */
  open(): number | undefined {
    return this.isFull ? undefined : this.#opened++;
  }

  /** Ends a step. */
  close(step: number, identity: StepIdentity, end: StepEnd): void {
    this.#steps[step] = { step, ...identity, ...end };
    if (end.state === "given") this.#totals.given++;
    else if (end.state === "dead_letter") this.#totals.dead_letters++;
    else if (end.state === "dropped") this.#totals.dropped++;
    else if (end.state === "not_executed") this.#totals.not_executed++;
    else if (end.state === "filtered" && end.outputs === undefined) this.#totals.filtered++;
  }

  /** A step without any below it. */
  add(identity: StepIdentity, end: StepEnd): void {
    const step = this.open();
    if (step !== undefined) this.close(step, identity, end);
  }

  /** Counts a message that no edge takes. */
  count(what: keyof WalkTotals): void {
    this.#totals[what]++;
  }

  /** Whether a node stands in the record as one that may not be reached. */
  isImagined(node: string): boolean {
    return this.#imagined.has(node);
  }

  /** Notes that it does. */
  imagine(node: string): void {
    this.#imagined.add(node);
  }

  /** Everything, in order. */
  end(): { readonly steps: readonly WalkStep[]; readonly totals: WalkTotals; readonly truncated: boolean } {
    return { steps: this.#steps, totals: { ...this.#totals }, truncated: this.#truncated };
  }
}
