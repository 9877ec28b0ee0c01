/** Owns the collecting of what is wrong with a script's text. */

import type { LanguageIssue } from "../../scope.ts";
import { shortText } from "./short_text.ts";

/** Most findings kept of one script: past it the text is no script, and more lines help nobody. */
const ISSUES_MAX = 100;
/** Longest message and hint: they may quote what a script wrote. */
const TEXT_CHARACTERS_MAX = 1000;

/** Findings of all stages; sorted by place when asked for. */
export class Issues {
  readonly #found: LanguageIssue[] = [];

  /** Records a finding over `[start, end)`. */
  report(message: string, start: number, end: number, hint?: string): void {
    if (this.isFull) return;
    const length = Math.max(1, end - start);
    const more = hint === undefined ? {} : { hint: shortText(hint, TEXT_CHARACTERS_MAX) };
    this.#found.push({ message: shortText(message, TEXT_CHARACTERS_MAX), offset: start, length, ...more });
  }

  /** Whether further findings are dropped: nobody needs to work them out. */
  get isFull(): boolean {
    return this.#found.length >= ISSUES_MAX;
  }

  /** Takes over the findings of another stage. */
  take(other: Issues): void {
    for (const issue of other.#found) if (this.#found.length < ISSUES_MAX) this.#found.push(issue);
  }

  /** How many there are. */
  get count(): number {
    return this.#found.length;
  }

  /** All, in the order of the text. */
  list(): readonly LanguageIssue[] {
    return [...this.#found].sort((a, b) => a.offset - b.offset);
  }
}
