/** Owns regular expressions: RE2's syntax, matched in time linear in the text. */

import { RE2JS } from "@bufbuild/re2";
import { reasonOf } from "../../diagnostics/mod.ts";
import type { CelMeter } from "./meter.ts";
import { PATTERN_SIZE_MAX, patternSize } from "./pattern_size.ts";

/** Compiled patterns one bound expression keeps: constants are few, patterns from data could be many. */
const PATTERNS_MAX = 16;

/** Longest pattern, in UTF-16 units: one from a message is compiled on the spot. */
const PATTERN_UNITS_MAX = 4_096;

/** How the library begins each of its sentences. */
const LIBRARY_PREFIX_REGEXP = /^error parsing regexp: /;

/** Steps that one character of text costs, whatever the pattern. */
const STEPS_MIN = 3;
/** Instructions of a compiled pattern that make one step more a character of text. */
const INSTRUCTIONS_PER_STEP = 2;
/** Units that compiling a pattern costs, whatever it holds. */
const PATTERN_UNITS = 100;
/** Units that compiling a pattern costs for each of its instructions. */
const UNITS_PER_INSTRUCTION = 10;

/** Why a pattern is none; undefined when it is sound. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === "string" ? compiled : undefined;
}

/** The patterns of one bound expression. */
export class CelPatterns {
  readonly #meter: CelMeter;
  /** What the expression itself has written: as many as its text has room for. */
  readonly #written = new Map<string, RE2JS>();
  readonly #compiled = new Map<string, RE2JS>();

  constructor(meter: CelMeter) {
    this.#meter = meter;
  }

  /** Compiles a pattern that every evaluation uses. One that is none fails where it is used. */
  prepare(pattern: string): void {
    const compiled = this.#written.get(pattern) ?? compile(pattern);
    if (typeof compiled !== "string") this.#written.set(pattern, compiled);
  }

  /** Whether the pattern is found anywhere in the text; a string says what is wrong with the pattern. */
  test(pattern: string, text: string): boolean | string {
    const known = this.#written.get(pattern) ?? this.#compiled.get(pattern) ?? this.#add(pattern);
    if (typeof known === "string") return known;
    const steps = STEPS_MIN + instructionCount(known) / INSTRUCTIONS_PER_STEP;
    this.#meter.spendLength((text.length + 1) * steps);
    return known.test(text);
  }

  #add(pattern: string): RE2JS | string {
    const size = pattern.length > PATTERN_UNITS_MAX ? 0 : patternSize(pattern);
    this.#meter.spend(PATTERN_UNITS + size * UNITS_PER_INSTRUCTION);
    const compiled = compile(pattern);
    if (typeof compiled === "string") return compiled;
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
  const size = patternSize(pattern);
  if (size > PATTERN_SIZE_MAX) {
    return `a regular expression may be ${PATTERN_SIZE_MAX} steps long with its repetitions written out, this one has ${size}`;
  }
  try {
    return RE2JS.compile(pattern);
  } catch (caught) {
    // It throws its own exceptions for bad syntax, and a RangeError for nesting too deep for its recursion.
    return `not a regular expression of RE2: ${reasonOf(caught).replace(LIBRARY_PREFIX_REGEXP, "")}`;
  }
}
