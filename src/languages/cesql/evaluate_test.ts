/** Owns the tests of what operators and casts give, and of the errors that go with a value. */

import assert from "node:assert/strict";
import { evaluateCesql } from "./compile.ts";
import type { CesqlErrorClass, CesqlValue } from "./value.ts";

const META = {
  id: "e-1",
  type: "order",
  text: "abc",
  number: 7,
  flag: true,
  least: -2147483648,
  greatest: 2147483647,
  zero: 0,
  seven: "7",
  yes: "TRUE",
};

/** One row: an expression, its value, and the class of its error. */
type Row = readonly [expression: string, value: CesqlValue, error?: CesqlErrorClass];

function check(title: string, rows: readonly Row[]): void {
  Deno.test(`evaluateCesql: ${title}`, () => {
    for (const [expression, value, error] of rows) {
      const expected = error === undefined ? { value } : { value, error };
      assert.deepEqual(evaluateCesql(expression, { payload: null, meta: META }), expected, expression);
    }
  });
}

check("literals", [
  ["7", 7],
  ["-2147483648", -2147483648],
  ["+2147483647", 2147483647],
  ["007", 7],
  ["tRUE", true],
  ["fAlSe", false],
  [`'a"b'`, `a"b`],
  [`"a'b"`, `a'b`],
  [`'a\\'b'`, "a'b"],
  [`"a\\"b"`, `a"b`],
  [`'it''s'`, "it's"],
  [`"""q"""`, `"q"`],
  [`'a\\b'`, "a\\b"],
  [`'a\\\\'`, "a\\\\"],
  [`'a\\"b'`, `a\\"b`],
  [`'a""b'`, `a""b`],
  [`'two\nlines'`, "two\nlines"],
  [`''`, ""],
]);

check("precedence: unary, LIKE and IN, * / %, + -, comparisons, logic from left to right", [
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["20 / 2 / 5", 2],
  ["10 - 2 - 3", 5],
  ["10 -2", 8],
  ["10 - -2", 12],
  ["--10", 10],
  ["- 10 + 1", -9],
  ["-seven * 2", -14],
  ["1 + 1 = 2 AND 2 * 2 > 3", true],
  ["FALSE AND FALSE OR TRUE", true],
  ["TRUE OR TRUE AND FALSE", false],
  ["TRUE XOR TRUE XOR TRUE", true],
  ["TRUE XOR TRUE OR TRUE", true],
  ["1 < 2 = TRUE", true],
  ["NOT TRUE = FALSE", true],
  ["NOT flag LIKE 'fal%'", true],
  ["-number LIKE '-7'", true],
  ["-number IN (-7)", true],
  ["NOT (flag IN (FALSE))", true],
  ["1 + seven LIKE '7'", 2],
  ["text LIKE 'a%' IN (TRUE)", true],
  ["EXISTS text = TRUE", true],
  ["NOT EXISTS missing", true],
  ["NOT NOT flag", true],
]);

check("arithmetic is cut towards zero, and an error where it does not fit", [
  ["7 / 2", 3],
  ["-7 / 2", -3],
  ["7 % 3", 1],
  ["-7 % 3", -1],
  ["7 % -3", 1],
  ["-4 % 2", 0],
  ["0 * -5", 0],
  ["-zero", 0],
  ["5 / zero", 0, "math"],
  ["5 % zero", 0, "math"],
  ["greatest + 1", 0, "math"],
  ["least - 1", 0, "math"],
  ["greatest * greatest", 0, "math"],
  ["least / -1", 0, "math"],
  ["-least", 0, "math"],
  ["least % -1", 0],
  ["'5' + TRUE", 6],
  ["text + 1", 0, "cast"],
  ["1 + text", 0, "cast"],
]);

check("comparisons cast the left side to the type of the right one, orders both to Integer", [
  ["seven = 7", true],
  ["seven = '7'", true],
  ["7 = seven", true],
  ["number = '7'", true],
  ["number = '07'", false],
  ["flag = 'true'", true],
  ["flag = 'TRUE'", false],
  ["yes = TRUE", true],
  ["flag = 1", true],
  ["flag = 2", false],
  ["number = TRUE", true],
  ["zero = FALSE", true],
  ["text = 7", false, "cast"],
  ["text != TRUE", false, "cast"],
  ["text = number", false, "cast"],
  ["number = text", false],
  ["seven = number", true],
  ["number <> 8", true],
  ["number != seven", false],
  ["'6' < seven", true],
  ["FALSE < TRUE", true],
  ["7 <= seven", true],
  ["8 > seven", true],
  ["7 >= number", true],
  ["'abc' < 'abd'", false, "cast"],
]);

check("logic casts to Boolean, and looks right only where left does not decide", [
  ["TRUE AND 'true'", true],
  ["1 AND yes", true],
  ["zero OR 'False'", false],
  ["number XOR FALSE", true],
  ["FALSE AND text", false],
  ["TRUE OR missing", true],
  ["TRUE AND text", false, "cast"],
  ["FALSE OR missing", false, "missingAttribute"],
  ["missing OR TRUE", false, "missingAttribute"],
  ["text AND FALSE", false, "cast"],
  ["FALSE AND missing AND missing", false],
  ["TRUE AND TRUE AND missing", false, "missingAttribute"],
  ["FALSE OR FALSE OR TRUE OR missing", true],
  ["TRUE XOR missing", false, "missingAttribute"],
  ["NOT text", false, "cast"],
  ["NOT zero", true],
  ["NOT 'true'", false],
]);

check("LIKE casts to String, IN its list to the type of the value", [
  ["number LIKE '_'", true],
  ["flag NOT LIKE 't%'", false],
  ["missing LIKE '%'", false, "missingAttribute"],
  ["missing NOT LIKE '%'", false, "missingAttribute"],
  ["text LIKE 'a''b'", false],
  ["number IN (1, '7')", true],
  ["seven IN (1, 7)", true],
  ["flag IN (0, 'true')", true],
  ["yes IN (TRUE)", false],
  ["text NOT IN ('x', 'y')", true],
  ["text NOT IN ('x', 'abc')", false],
  ["number IN (text)", false, "cast"],
  ["number IN (7, missing)", true],
  ["number IN (missing, 7)", false, "missingAttribute"],
  ["number NOT IN (missing)", false, "missingAttribute"],
  ["missing IN (1)", false, "missingAttribute"],
  ["1 + 6 IN (number, 9)", 1],
]);

check("an operation with a failed operand gives the zero value of its type and the error of the operand", [
  ["missing", false, "missingAttribute"],
  ["missing = ''", false, "missingAttribute"],
  ["missing / 0", 0, "missingAttribute"],
  ["1 / missing", 0, "missingAttribute"],
  ["-missing", 0, "missingAttribute"],
  ["UPPER(missing)", "", "missingAttribute"],
  ["LENGTH(missing)", 0, "missingAttribute"],
  ["IS_INT(missing)", false, "missingAttribute"],
  ["LEFT('abc', -1) = 'abc'", false, "functionEvaluation"],
  ["ABS(least) = 2147483647", false, "math"],
  ["LENGTH(LEFT('abc', -1))", 0, "functionEvaluation"],
  ["(LEFT('abc', -1))", "abc", "functionEvaluation"],
  ["NOPE(1)", false, "missingFunction"],
  ["NOPE(1) + 1", 0, "missingFunction"],
  ["LEFT('abc')", false, "missingFunction"],
]);
