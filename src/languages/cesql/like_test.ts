/** Owns the tests of patterns: against a plain matcher on random texts, and by how much they look at. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { CostMeter } from "../cost_meter.ts";
import { LikePattern } from "./like.ts";

const CASES = 4000;
const UNITS_MAX = 1_000_000;

function meter(): CostMeter {
  return new CostMeter({ language: "CESQL", unitsMax: UNITS_MAX, hint: "" });
}

function matches(text: string, pattern: string): boolean {
  return new LikePattern(pattern).matches(text, meter());
}

/** The same by the definition: a backslash before % or _ makes it literal. */
function matchesPlainly(text: readonly string[], pattern: readonly string[]): boolean {
  const [first, second] = pattern;
  if (first === undefined) return text.length === 0;
  const rest = pattern.slice(1);
  if (first === "%") return matchesPlainly(text, rest) || (text.length > 0 && matchesPlainly(text.slice(1), pattern));
  if (first === "\\" && (second === "%" || second === "_")) {
    return text[0] === second && matchesPlainly(text.slice(1), rest.slice(1));
  }
  return text.length > 0 && (first === "_" || first === text[0]) && matchesPlainly(text.slice(1), rest);
}

/** Numbers below a limit, the same ones each time. */
function draws(): (limit: number) => number {
  let state = 20_260_601;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
}

Deno.test("LikePattern: matches what the definition says, on random texts and patterns", () => {
  const below = draws();
  const word = (letters: readonly string[], length: number) =>
    Array.from({ length: below(length) }, () => letters[below(letters.length)] ?? "");
  let matched = 0;
  for (let index = 0; index < CASES; index++) {
    const text = word(["a", "b", "😀", "%", "_", "\\"], 9);
    const pattern = word(["a", "b", "😀", "%", "%", "_", "_", "\\"], 8);
    const expected = matchesPlainly(text, pattern);
    assert.equal(matches(text.join(""), pattern.join("")), expected, `${text.join("")} LIKE ${pattern.join("")}`);
    if (expected) matched++;
  }
  assert.ok(matched > CASES / 20, `${matched} matched`);
});

Deno.test("LikePattern: every place counts, case counts, a character is a code point", () => {
  assert.equal(matches("abc", "ABC"), false);
  assert.equal(matches("😀", "_"), true);
  assert.equal(matches("a😀b😀", "a_b_"), true);
  assert.equal(matches("x😀", "%_"), true);
  assert.equal(matches("😀x😀y", "%_x%_"), true);
  assert.equal(matches("", ""), true);
  assert.equal(matches("", "%%"), true);
  assert.equal(matches("", "_"), false);
  assert.equal(matches("ab", "ab%b"), false);
  assert.equal(matches("aXb\nc", "a%c"), true);
});

Deno.test("LikePattern: pieces longer than a word of bits are found", () => {
  const long = "abcdefghij".repeat(12);
  for (const at of [0, 1, 30, 31, 32, 61, 62, 63, 118]) {
    const pattern = `%x${long.slice(0, at)}_${long.slice(at + 1)}%`;
    assert.equal(matches(`yyx${long}z`, pattern), true);
    assert.equal(matches(`yyx${long.slice(0, 119)}!z`, pattern), at === 119);
  }
});

Deno.test("LikePattern: no pattern is catastrophic, and a text too long to look at ends with budget", () => {
  const text = "a".repeat(200_000);
  assert.equal(matches(text, `${"%a_".repeat(300)}%b`), false);
  assert.equal(matches(text, `%${"a_".repeat(500)}b%`), false);
  assert.equal(matches(text, `${"%a".repeat(2000)}%b%`), false);
  assert.throws(
    () => matches("a".repeat(11_000_000), "%b"),
    (caught) => caught instanceof EventboatError && caught.code === "budget",
  );
});
