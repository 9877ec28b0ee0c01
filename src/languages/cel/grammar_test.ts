/** Owns the tests of the check of CEL text. */

import assert from "node:assert/strict";
import { checkCelGrammar } from "./grammar.ts";
import { CEL_DEPTH_MAX, CEL_ISSUES_MAX, CEL_SOURCE_UNITS_MAX } from "./limits.ts";

/** Offsets of what is wrong. */
function faults(source: string): readonly number[] {
  return checkCelGrammar(source).issues.map(({ offset }) => offset);
}

Deno.test("checkCelGrammar: sound text has no issues", () => {
  const sound = [
    `payload.region == "eu" && meta.attempt < 3 || !has(payload.x)`,
    "payload.a[0].b['c'].d(1, [2, 3,], {'k': 1, 2: 3,}) // a comment at the end",
    "a ? b : c ? d : -1 + -x * !y.z(.w)",
    "r'\\q' + \"\"\"a\nb\"\"\" + b'\\x00\\377' + 'h\\u00e9\\U0001F600'",
    "0x1F + 1u + 1.5e-3 + .5 - 1",
    "a.b.C{d: 1}",
    "payload.`content-type`",
    "payload.if.while",
    "!-1 || !!a",
  ];
  for (const source of sound) assert.deepEqual(faults(source), [], source);
});

Deno.test("checkCelGrammar: a mistake is reported where it stands", () => {
  const table: readonly (readonly [string, readonly number[]])[] = [
    ["", [0]],
    ["payload.region ==", [17]],
    ['payload.region = "eu"', [15]],
    ["payload.a & payload.b", [10]],
    ["(1 + 2", [6]],
    ["1 2", [2]],
    ["1 + + 2", [4]],
    ["payload.in", [8]],
    ["if", [0]],
    ["'abc", [0]],
    ["'a\\q'", [2]],
    ["b'\\u00e9'", [2]],
    ["'\\ud800'", [1]],
    ["18446744073709551616u", [0]],
    ["1.5u", [0]],
    ["payload.?a", [8]],
    ["`a-b`", [0]],
    ["payload.a;", [9]],
    ["-!a", [1]],
    ["f(x)(y)", [4]],
  ];
  for (const [source, offsets] of table) assert.deepEqual(faults(source), offsets, source);
});

Deno.test("checkCelGrammar: what stands wrong is quoted, and a word of another language gets CEL's own", () => {
  const table = [
    ["payload.a == 1 and payload.b == 2", '"and"', "&&"],
    ["payload.a == 1 OR payload.b == 2", '"OR"', "||"],
    ["not payload.a", '"payload"', "!"],
    ["payload.a is null", '"is"', "=="],
    ["payload.a contains 'x'", '"contains"', "text.contains("],
    ["if payload.a", '"if"', "? this : that"],
  ] as const;
  for (const [source, quoted, wanted] of table) {
    const [issue] = checkCelGrammar(source).issues;
    assert.ok(issue?.message.includes(quoted), issue?.message);
    assert.ok(issue?.hint?.includes(wanted), issue?.hint);
  }
});

Deno.test("checkCelGrammar: mistakes in different places are all reported, in the order of the text", () => {
  assert.deepEqual(faults("foo(1 +, 2 *) && payload.x == '\\q' && "), [7, 12, 31, 38]);
});

Deno.test("checkCelGrammar: text that nests too deep is an issue, in every direction it can nest", () => {
  const many = CEL_DEPTH_MAX + 50;
  const shapes: readonly (readonly [string, string, string])[] = [
    ["(", "1", ")"],
    ["[", "1", "]"],
    ["{1:", "1", "}"],
    ["f(", "1", ")"],
    ["a[", "1", "]"],
    ["!", "a", ""],
    ["-", "a", ""],
    ["a ? b : ", "c", ""],
    ["", "a", ".b"],
    ["", "a", "[0]"],
    ["", "1", " + 1"],
    ["", "1", " < 1"],
    ["true || (", "a", ")"],
  ];
  for (const [before, core, after] of shapes) {
    const deep = before.repeat(many) + core + after.repeat(many);
    assert.equal(faults(deep).length, 1, deep.slice(0, 20));
    const shallow = before.repeat(50) + core + after.repeat(50);
    assert.deepEqual(faults(shallow), [], shallow.slice(0, 20));
  }
  assert.equal(faults("(".repeat(CEL_SOURCE_UNITS_MAX)).length, 1);
});

Deno.test("checkCelGrammar: long chains of && and || are no depth, and text of any size is bounded", () => {
  assert.deepEqual(faults(Array(2_000).fill("payload.a == 1").join(" || ")), []);
  assert.deepEqual(faults("1".repeat(CEL_SOURCE_UNITS_MAX + 1)), [0]);
});

Deno.test("checkCelGrammar: reports so many mistakes and no more", () => {
  for (const piece of [";", "[,", ",", "'", "\\", "if "]) {
    const issues = faults(`[${piece.repeat(CEL_SOURCE_UNITS_MAX / 2 / piece.length)}`);
    assert.ok(issues.length >= 1 && issues.length <= CEL_ISSUES_MAX, piece);
  }
});

Deno.test("checkCelGrammar: ends for any text", () => {
  const pieces = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "?",
    ".",
    "+",
    "-",
    "!",
    "a",
    "1",
    "'",
    '"',
    "`",
    "in",
    "&&",
    "é",
  ];
  for (let seed = 0; seed < 2_000; seed++) {
    let state = seed;
    const text = Array.from({ length: 12 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return pieces[(state >>> 8) % pieces.length];
    }).join(" ");
    const { issues } = checkCelGrammar(text);
    assert.ok(issues.every(({ offset }) => offset >= 0 && offset <= text.length), text);
  }
});
