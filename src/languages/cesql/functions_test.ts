/** Owns the tests of the built-in functions. */

import assert from "node:assert/strict";
import { evaluateCesql } from "./compile.ts";
import { CESQL_FUNCTION_NAMES } from "./functions.ts";
import type { CesqlErrorClass, CesqlValue } from "./value.ts";

const LEAST = -2147483648;
const META = { emoji: "a😀b", least: LEAST, lone: "\ud83dx", blank: "\u0085\u2003 x\u3000\n", bom: "\ufeffx\u200b" };

/** Calls of each function: arguments, value, class of the error. */
const CALLS: { readonly [name: string]: readonly (readonly [string, CesqlValue, CesqlErrorClass?])[] } = {
  INT: [
    ["'12'", 12],
    ["'+12'", 12],
    ["'-0'", 0],
    ["'2147483648'", 0, "cast"],
    ["'-2147483648'", LEAST],
    ["' 1'", 0, "cast"],
    ["'1.0'", 0, "cast"],
    ["'1e3'", 0, "cast"],
    ["'0x1'", 0, "cast"],
    ["''", 0, "cast"],
    ["'١'", 0, "cast"],
    ["TRUE", 1],
    ["FALSE", 0],
    ["7", 7],
  ],
  BOOL: [["'tRue'", true], ["'FALSE'", false], ["'yes'", false, "cast"], ["''", false, "cast"], ["0", false], [
    "-5",
    true,
  ]],
  STRING: [["TRUE", "true"], ["-7", "-7"], ["'x'", "x"], ["007", "7"]],
  IS_INT: [["'12'", true], ["'x'", false], ["TRUE", true], ["1", true], ["'99999999999'", false]],
  IS_BOOL: [["'True'", true], ["'x'", false], ["1", true], ["FALSE", true]],
  ABS: [["-5", 5], ["'5'", 5], ["least", 2147483647, "math"], ["-2147483648", 2147483647, "math"], ["'x'", 0, "cast"]],
  LENGTH: [["'abc'", 3], ["emoji", 3], ["lone", 2], ["123", 3], ["TRUE", 4], ["''", 0]],
  CONCAT: [["", ""], ["'a'", "a"], ["'a', 1, TRUE, emoji", "a1truea😀b"]],
  CONCAT_WS: [["','", ""], ["',', 'a'", "a"], ["', ', 'a', 2, FALSE", "a, 2, false"], ["'', 'a', 'b'", "ab"]],
  LOWER: [["'ÄBC'", "äbc"], ["TRUE", "true"]],
  UPPER: [["'straße'", "STRASSE"], ["TRUE", "TRUE"]],
  TRIM: [["'  a b '", "a b"], ["blank", "x"], ["bom", "\ufeffx\u200b"], ["'   '", ""], ["''", ""]],
  LEFT: [
    ["'abc', 2", "ab"],
    ["emoji, 2", "a😀"],
    ["'abc', 9", "abc"],
    ["'abc', 0", ""],
    ["'abc', -1", "abc", "functionEvaluation"],
    ["12345, '2'", "12"],
  ],
  RIGHT: [
    ["'abc', 2", "bc"],
    ["emoji, 2", "😀b"],
    ["'abc', 9", "abc"],
    ["'abc', 0", ""],
    ["'abc', -1", "abc", "functionEvaluation"],
  ],
  SUBSTRING: [
    ["'abcdef', 1", "abcdef"],
    ["'abcdef', 6", "f"],
    ["'abcdef', 7", "", "functionEvaluation"],
    ["'abcdef', -6", "abcdef"],
    ["'abcdef', -7", "", "functionEvaluation"],
    ["'abcdef', 0", ""],
    ["'', 0", ""],
    ["emoji, 2", "😀b"],
    ["emoji, -2, 1", "😀"],
    ["'abcdef', 2, 3", "bcd"],
    ["'abcdef', 5, 99", "ef"],
    ["'abcdef', -2, 99", "ef"],
    ["'abcdef', 2, 0", ""],
    ["'abcdef', 0, 3", ""],
    ["'abcdef', 2, -1", "", "functionEvaluation"],
    ["'abcdef', 0, -1", "", "functionEvaluation"],
    ["'abcdef', 9, 1", "", "functionEvaluation"],
  ],
};

for (const [name, calls] of Object.entries(CALLS)) {
  Deno.test(`CESQL function ${name}`, () => {
    for (const [operands, value, error] of calls) {
      const expected = error === undefined ? { value } : { value, error };
      const expression = `${name}(${operands})`;
      assert.deepEqual(evaluateCesql(expression, { payload: null, meta: META }), expected, expression);
      assert.deepEqual(
        evaluateCesql(expression.replace(name, name.toLowerCase()), { payload: null, meta: META }),
        expected,
      );
    }
  });
}

Deno.test("CESQL functions: every one has its test", () => {
  assert.deepEqual(Object.keys(CALLS).sort(), [...CESQL_FUNCTION_NAMES].sort());
});
