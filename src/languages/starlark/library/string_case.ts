/** Owns the string methods about letters, digits and case. */

import type { Method } from "../values/callable.ts";
import { method } from "./native.ts";

const LETTERS_REGEXP = /^\p{L}+$/u;
const DIGITS_REGEXP = /^\p{Nd}+$/u;
const ALPHANUMERIC_REGEXP = /^[\p{L}\p{Nd}]+$/u;
const SPACE_REGEXP = /^(?:(?!\ufeff)[\s\x85])+$/u;
const WORD_REGEXP = /(\p{L})(\p{L}*)/gu;
const CASED_REGEXP = /[\p{Lu}\p{Ll}\p{Lt}]/u;
const LOWER_REGEXP = /\p{Ll}/u;
const UPPER_REGEXP = /[\p{Lu}\p{Lt}]/u;

function test(name: string, holds: (text: string) => boolean): Method {
  return method<string>(name, "", (thread, text) => {
    thread.chargeText(text.length);
    return holds(text);
  });
}

function change(name: string, to: (text: string) => string): Method {
  return method<string>(name, "", (thread, text) => {
    thread.chargeText(text.length);
    return to(text);
  });
}

function titleCase(text: string): string {
  return text.replace(WORD_REGEXP, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase());
}

/** Upper-case letters only after what has no case, lower-case letters only after what has. */
function isTitleCase(text: string): boolean {
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
    return first.toUpperCase() + text.slice(first.length).toLowerCase();
  }),
  test("isalnum", (text) => ALPHANUMERIC_REGEXP.test(text)),
  test("isalpha", (text) => LETTERS_REGEXP.test(text)),
  test("isdigit", (text) => DIGITS_REGEXP.test(text)),
  test("islower", (text) => CASED_REGEXP.test(text) && !UPPER_REGEXP.test(text)),
  test("isspace", (text) => SPACE_REGEXP.test(text)),
  test("istitle", isTitleCase),
  test("isupper", (text) => CASED_REGEXP.test(text) && !LOWER_REGEXP.test(text)),
  change("lower", (text) => text.toLowerCase()),
  change("title", titleCase),
  change("upper", (text) => text.toUpperCase()),
];
