/** Owns regular expressions: RE2's syntax, matched in time linear in the text. */

import { RE2JS } from "@bufbuild/re2";
import { reasonOf } from "../../diagnostics/mod.ts";
import type { CelMeter } from "./meter.ts";

/** Compiled patterns one bound expression keeps: constants are few, patterns from data could be many. */
const PATTERNS_MAX = 16;

/** Longest pattern, in UTF-16 units: one from a message is compiled on the spot. */
const PATTERN_UNITS_MAX = 4_096;

/** How the library begins each of its sentences. */
const LIBRARY_PREFIX_REGEXP = /^error parsing regexp: /;

/** Instructions of a compiled pattern that cost about as much a character of text as one look at that character. */
const INSTRUCTIONS_PER_STEP = 8;

/** Why a pattern is none; undefined when it is sound. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === "string" ? compiled : undefined;
}

/** The patterns of one bound expression. */
export class CelPatterns {
  readonly #meter: CelMeter;
  readonly #compiled = new Map<string, RE2JS>();

  constructor(meter: CelMeter) {
    this.#meter = meter;
  }

  /** Whether the pattern is found anywhere in the text; a string says what is wrong with the pattern. */
  test(pattern: string, text: string): boolean | string {
    const known = this.#compiled.get(pattern) ?? this.#add(pattern);
    if (typeof known === "string") return known;
    const steps = Math.max(1, instructionCount(known) / INSTRUCTIONS_PER_STEP);
    this.#meter.spendLength((text.length + 1) * steps);
    return known.test(text);
  }

  #add(pattern: string): RE2JS | string {
    this.#meter.spend(pattern.length);
    const compiled = compile(pattern);
    if (typeof compiled === "string") return compiled;
    // Repetitions make much of little text: `a{1000}` is a thousand instructions.
    this.#meter.spend(instructionCount(compiled));
    if (this.#compiled.size >= PATTERNS_MAX) this.#compiled.clear();
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

function instructionCount(compiled: RE2JS): number {
  return compiled.re2().prog.numInst();
}

function compile(pattern: string): RE2JS | string {
  if (pattern.length > PATTERN_UNITS_MAX) {
    return `a regular expression may have ${PATTERN_UNITS_MAX} characters, this one has ${pattern.length}`;
  }
  try {
    return RE2JS.compile(pattern);
  } catch (caught) {
    // It throws its own exceptions for bad syntax, and a RangeError for nesting too deep for its recursion.
    return `not a regular expression of RE2: ${reasonOf(caught).replace(LIBRARY_PREFIX_REGEXP, "")}`;
  }
}
