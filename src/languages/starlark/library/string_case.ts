/** Owns the string methods about letters, digits and case. */

import type { Method } from "../values/callable.ts";
import type { Thread } from "../values/thread.ts";
import { method } from "./native.ts";

const LETTERS_REGEXP = /^\p{L}+$/u;
const DIGITS_REGEXP = /^\p{Nd}+$/u;
const ALPHANUMERIC_REGEXP = /^[\p{L}\p{Nd}]+$/u;
const SPACE_REGEXP = /^(?:(?!\ufeff)[\s\x85])+$/u;
const CASED_REGEXP = /[\p{Lu}\p{Ll}\p{Lt}\p{CWCM}]/u;
const LOWER_REGEXP = /\p{Ll}/u;
const UPPER_REGEXP = /[\p{Lu}\p{Lt}]/u;
/** What `isupper` and `islower` do not allow: numerals and the like have a case too. */
const NOT_UPPER_REGEXP = /[\p{Ll}\p{Lt}\p{CWU}]/u;
const NOT_LOWER_REGEXP = /[\p{Lu}\p{Lt}\p{CWL}]/u;
/** Letters made of two, whose form at the beginning of a word is neither the upper nor the lower one. */
const TITLE_FORMS: { readonly [upper: string]: string } = { "Ǆ": "ǅ", "Ǉ": "ǈ", "Ǌ": "ǋ", "Ǳ": "ǲ" };
/** Characters that one step pays for: tested all at once, changed all at once, and looked at one by one. */
const STEP_TESTED = 32;
const STEP_PLAIN = 128;
const STEP_POINTS = 4;
const ASCII_REGEXP = /^[\0-\x7f]*$/;

function test(name: string, holds: (text: string, thread: Thread) => boolean): Method {
  return method<string>(name, "", (thread, text) => {
    thread.charge(Math.ceil(text.length / STEP_TESTED));
    return holds(text, thread);
  });
}

function change(name: string, to: (text: string) => string): Method {
  return method<string>(name, "", (thread, text) => {
    thread.charge(Math.ceil(text.length / (name !== "title" && ASCII_REGEXP.test(text) ? STEP_PLAIN : STEP_POINTS)));
    return to(text);
  });
}

// The case of each character is its own: it stays one character, and its neighbours do not matter. JavaScript's
// methods on longer text do otherwise, such as with the sharp s and with a sigma at a word's end.

function upperPoint(point: string): string {
  const upper = point.toUpperCase();
  return isOnePoint(upper) ? upper : point;
}

function lowerPoint(point: string): string {
  const lower = point.toLowerCase();
  // The one letter whose lower form is longer is the dotted I; without its dot it is the form alone.
  return isOnePoint(lower) ? lower : lower.slice(0, 1);
}

function titlePoint(point: string): string {
  const upper = upperPoint(point);
  return TITLE_FORMS[upper] ?? upper;
}

function isOnePoint(text: string): boolean {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}

function upperCase(text: string): string {
  return ASCII_REGEXP.test(text) ? text.toUpperCase() : Array.from(text, upperPoint).join("");
}

function lowerCase(text: string): string {
  return ASCII_REGEXP.test(text) ? text.toLowerCase() : Array.from(text, lowerPoint).join("");
}

/** Upper-case letters after what has no case, lower-case letters after what has. */
function titleCase(text: string): string {
  let afterCased = false;
  return Array.from(text, (point) => {
    const changed = afterCased ? lowerPoint(point) : titlePoint(point);
    afterCased = CASED_REGEXP.test(changed);
    return changed;
  }).join("");
}

/** Whether {@linkcode titleCase} has nothing to change and something to say. */
function isTitleCase(text: string, thread: Thread): boolean {
  thread.charge(Math.ceil(2 * text.length / STEP_POINTS));
  let afterCased = false;
  let sawCased = false;
  for (const point of text) {
    if (UPPER_REGEXP.test(point) && afterCased) return false;
    if (LOWER_REGEXP.test(point) && !afterCased) return false;
    afterCased = CASED_REGEXP.test(point);
    sawCased ||= afterCased;
  }
  return sawCased;
}

/** The methods. */
export const CASE_METHODS: readonly Method[] = [
  change("capitalize", (text) => {
    const first = String.fromCodePoint(...(text === "" ? [] : [text.codePointAt(0) ?? 0]));
    return titlePoint(first) + lowerCase(text.slice(first.length));
  }),
  test("isalnum", (text) => ALPHANUMERIC_REGEXP.test(text)),
  test("isalpha", (text) => LETTERS_REGEXP.test(text)),
  test("isdigit", (text) => DIGITS_REGEXP.test(text)),
  test("islower", (text) => CASED_REGEXP.test(text) && !NOT_LOWER_REGEXP.test(text)),
  test("isspace", (text) => SPACE_REGEXP.test(text)),
  test("istitle", isTitleCase),
  test("isupper", (text) => CASED_REGEXP.test(text) && !NOT_UPPER_REGEXP.test(text)),
  change("lower", lowerCase),
  change("title", titleCase),
  change("upper", upperCase),
];
