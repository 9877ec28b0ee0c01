/** Owns the tests of regular expressions: RE2's syntax, bounded in size, and matched in bounded time. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { CelMeter } from "./meter.ts";
import { CelPatterns, patternFault } from "./pattern.ts";
import { PATTERN_SIZE_MAX, patternSize } from "./pattern_size.ts";

/** Tests with a budget of its own; `budget` when that runs out. */
function test(pattern: string, text: string, prepared = false): boolean | string {
  const meter = new CelMeter();
  const patterns = new CelPatterns(meter);
  if (prepared) patterns.prepare(pattern);
  meter.start(0);
  try {
    return patterns.test(pattern, text);
  } catch (caught) {
    assert.ok(caught instanceof EventboatError);
    return caught.code;
  }
}

Deno.test("CelPatterns: RE2's syntax, found anywhere in the text", () => {
  const matching: readonly (readonly [string, string])[] = [
    ["b", "abc"],
    ["", ""],
    ["^a.c$", "abc"],
    ["(?i)ABC", "xabcx"],
    ["(?s)a.b", "a\nb"],
    ["(?m)^b$", "a\nb\nc"],
    ["\\pL+", "é"],
    ["\\p{Greek}", "λ"],
    ["[[:digit:]]", "1"],
    ["\\d{3}-\\d{2}", "x123-45"],
    ["^.$", "🤗"],
    ["\\Qa.b\\E", "a.b"],
    ["(?P<name>x)y", "xy"],
    ["\\x{1F917}", "🤗"],
    ["a{0,2}?b", "b"],
  ];
  for (const [pattern, text] of matching) assert.equal(test(pattern, text), true, pattern);
  for (const [pattern, text] of [["^b", "ab"], ["\\Qa.b\\E", "axb"], ["\\bb", "ab"]] as const) {
    assert.equal(test(pattern, text), false, pattern);
  }
});

Deno.test("CelPatterns: what RE2 does not have is a fault that says so, never a match", () => {
  const foreign = [
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(a)\\1",
    "(",
    "a)",
    "[a",
    "*a",
    "a**",
    "a{1001}",
    "\\C\\",
    "(?>a)",
    "\\z(?",
  ];
  for (const pattern of foreign) {
    const fault = patternFault(pattern);
    assert.ok(fault !== undefined && fault.length < 300, pattern);
    assert.equal(test(pattern, "aaa"), fault);
  }
});

Deno.test("CelPatterns: a hostile pattern is refused before it is compiled, or costs the budget", () => {
  const refused = [
    "(a{1000}){1000}",
    "((a{100}){100}){100}",
    "a{1000}".repeat(500),
    `(?:${"a{100}".repeat(50)}){100}`,
    `(?i)${"\\pL".repeat(1_000)}`,
    "(".repeat(2_000) + ")".repeat(2_000),
    "a".repeat(1_000_000),
    `${"(a?".repeat(1_000)}${")*".repeat(1_000)}`,
  ];
  for (const pattern of refused) assert.equal(typeof patternFault(pattern), "string", pattern.slice(0, 40));
  const text = "a".repeat(2_000_000);
  for (const pattern of ["^(a+)+$", "(a|aa)+$", "(a|a?)+b", "a?".repeat(200) + "a".repeat(200), "[a-z]{1000}\\d"]) {
    assert.equal(patternFault(pattern), undefined, pattern);
    // Neither of these has a time that grows with more than the text, and that is paid for.
    assert.equal(test(pattern, `${text}!`, true), "budget", pattern.slice(0, 40));
    assert.notEqual(test(pattern, `${text.slice(0, 500)}!`, true), "budget", pattern.slice(0, 40));
  }
});

Deno.test("CelPatterns: one from a message is paid for when it is new, one of the expression never", () => {
  const meter = new CelMeter();
  const patterns = new CelPatterns(meter);
  const cost = (pattern: string) => {
    meter.start(0);
    patterns.test(pattern, "");
    return meter.spent;
  };
  const fresh = cost("a+b");
  assert.ok(cost("a+b") < fresh);
  patterns.prepare("x+y");
  assert.ok(cost("x+y") < fresh);
  // Many others pass by: those that are kept are few, and what the expression wrote stays.
  for (let index = 0; index < 100; index++) cost(`a${index}`);
  assert.equal(cost("a+b"), fresh);
  assert.ok(cost("x+y") < fresh);
});

Deno.test("patternSize: repetitions multiply, whatever they repeat", () => {
  const sizes: readonly (readonly [string, number])[] = [
    ["", 0],
    ["abc", 3],
    ["a{3}", 4],
    ["a{2,5}b", 11],
    ["(ab){3}", 16],
    ["(a{10}){10}", 143],
    ["[abc]{2}", 15],
    ["\\d\\.\\n", 3],
    ["\\pL", 50],
    ["[\\p{Greek}x]", 62],
    ["a{,5}", 5],
    ["\\Q{9}{9}\\E", 6],
    ["[]a]{2}", 12],
  ];
  for (const [pattern, size] of sizes) assert.equal(patternSize(pattern), size, pattern);
  for (const pattern of ["(", ")", "{", "\\", "[", "[^", "\\p", "\\p{", "\\x{", "\\Q", "a{9", ")))((("]) {
    assert.ok(patternSize(pattern) < 60, pattern);
  }
  assert.ok(patternSize("a{999999999}") > PATTERN_SIZE_MAX);
});
