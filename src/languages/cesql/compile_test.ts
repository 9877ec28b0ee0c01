/** Owns the tests of compiling CESQL: what is refused, where and with which hint, and what a program tells of itself. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { bindPredicate } from "../condition.ts";
import { compileCesql } from "./compile.ts";
import type { CesqlExpression } from "./expression.ts";

const NOTHING = { constants: {}, parameters: {} };

function compiled(source: string): CesqlExpression {
  const result = compileCesql(source);
  assert.ok(result.ok, `${source}: ${result.ok ? "" : JSON.stringify(result.issues)}`);
  return result.program;
}

function offsets(source: string): readonly number[] {
  const result = compileCesql(source);
  return result.ok ? [] : result.issues.map(({ offset }) => offset);
}

/** What the first issue says, hint included. */
function told(source: string): string {
  const result = compileCesql(source);
  assert.ok(!result.ok, source);
  return `${result.issues[0]?.message}: ${result.issues[0]?.hint ?? ""}`;
}

/** Each with the places of its issues. */
const REFUSED: readonly (readonly [string, readonly number[]])[] = [
  ["", [0]],
  ["   ", [3]],
  ["a =", [3]],
  ["a = = b", [4]],
  ["a b", [2]],
  ["(a", [2]],
  ["a)", [1]],
  ["()", [1]],
  ["NOT", [3]],
  ["a AND", [5]],
  ["AND a", [0]],
  ["a LIKE b", [7]],
  ["a LIKE 5", [7]],
  ["a LIKE ('x')", [7]],
  ["a NOT b", [2]],
  ["a NOT LIKE", [10]],
  ["a IN ()", [6]],
  ["a IN 'x'", [5]],
  ["a IN ('x',)", [10]],
  ["a IN ('x'", [9]],
  ["EXISTS", [6]],
  ["EXISTS 'a'", [7]],
  ["EXISTS (a)", [7]],
  ["EXISTS NOT", [7]],
  ["EXISTS 1", [7]],
  ["'open", [0]],
  ['a = "open', [4]],
  ["'closed' 'again'", [9]],
  ["a == b", [2]],
  ["a && b || !c", [2, 7, 10]],
  ["a = 2147483648", [4]],
  ["a = -2147483649", [4]],
  ["a = 1.5", [5]],
  ["a ; b § c", [2, 4, 6]],
  ["order_id = 7", [0]],
  ["data.order_id = 7", [5]],
  ["database = 7", [0]],
  ["EXISTS DataX", [7]],
  ["dataschema = 'x' OR datacontenttype = 'y'", [0, 20]],
  ["data.a.b.c.d.e = 1", [13]],
  ["data. = 1", [6]],
  ["data.'a' = 1", [5]],
  ["payload.a = 1", [7]],
  ["type.x = 1", [4]],
  ["UPER(a) = 'A' OR LEFT(a) = 'b' OR F1(a)", [0, 17, 34]],
  ["LENGTH()", [0]],
  ["CONCAT_WS()", [0]],
  ["SUBSTRING(a, 1, 2, 3) = ''", [0]],
  ["UPPER(a", [7]],
  ["UPPER(a,) = LOVER(b)", [8, 12]],
  ["time > '2026-01-01'", [7]],
  ["'abc' < a", [0]],
  ["a + 'x' = 1", [4]],
  ["a / 0 = 1", [4]],
  ["a % '0' = 1", [4]],
  ["-'x' = 1", [1]],
  ["NOT 'x'", [4]],
  ["a AND 'x'", [6]],
  ["'x' = 5", [0]],
  ["5 IN ('a', 5)", [6]],
  ["LEFT(a, 'x') = 'b'", [8]],
  ["INT('x') = 1 OR BOOL('y')", [4, 21]],
];

Deno.test("compileCesql: what is no CESQL is refused, every mistake at its place", () => {
  for (const [source, expected] of REFUSED) assert.deepEqual(offsets(source), expected, source);
});

Deno.test("compileCesql: what is CESQL is taken", () => {
  const taken = [
    "a",
    "1a2b = ''",
    "left = 'x' AND length = 5 AND LEFT (left, 1) = 'x'",
    "data.in.not.like.and = 1",
    "data.1.2 = 3",
    "data = 'x'",
    "myData = 'x'",
    "\t a\r\n=\n1 ",
    "nOt exists a and B iN ('x') oR c NoT lIkE 'y' xOr d",
    "a NOT IN (b, c + 1, UPPER(d))",
    "FALSE AND missing / 1 = 1",
    "ABS(-2147483648) = 1",
  ];
  for (const source of taken) assert.deepEqual(offsets(source), [], source);
});

Deno.test("compileCesql: hints say what was probably meant", () => {
  assert.match(told("UPER(type) = 'A'"), /"UPPER"/);
  assert.match(told("substr(type, 1) = 'A'"), /SUBSTRING/);
  assert.match(told("concat_sw(',')"), /CONCAT_WS/);
  assert.match(told("NOPE(type)"), /ABS, LENGTH/);
  assert.match(told("LEFT(type)"), /takes 2 arguments, here are 1/);
  assert.match(told("SUBSTRING(type)"), /takes 2 or 3 arguments/);
  assert.match(told("CONCAT_WS()"), /takes 1 or more arguments, here are 0/);
  assert.match(told("a == 1"), /write =/);
  assert.match(told("a && b"), /write AND/);
  assert.match(told("payload.x = 1"), /data\.x/);
  assert.match(told("meta.type = 'x'"), /by its name alone/);
  assert.match(told("constants.x = 1"), /\$\{constants\.x\}/);
  assert.match(told("message_id = 'x'"), /in CEL/);
  assert.match(told("database = 'x'"), /kept for the payload/);
  assert.match(told("time > '2026-01-01'"), /= and LIKE/);
  assert.match(told("a = 1.5"), /no fraction/);
  assert.match(told("a IS NULL"), /EXISTS/);
  assert.match(told("a BETWEEN 1 AND 2"), />= 1/);
});

Deno.test("compileCesql: length, depth, patterns and the number of issues have limits", () => {
  assert.deepEqual(offsets(`a = '${"x".repeat(65_536)}'`), [0]);
  assert.deepEqual(offsets(`a = '${"x".repeat(65_000)}'`), []);
  assert.deepEqual(offsets(`${"(".repeat(249)}a${")".repeat(249)}`), []);
  assert.equal(offsets(`${"(".repeat(60_000)}a`).length, 1);
  assert.equal(offsets(`${"NOT ".repeat(16_000)}a`).length, 1);
  assert.equal(offsets(`${"-".repeat(65_000)}a`).length, 1);
  assert.equal(offsets(`${"UPPER(".repeat(10_000)}a`).length, 1);
  assert.equal(offsets(`a${" LIKE 'x'".repeat(6000)}`).length, 1);
  assert.equal(offsets(`1${" + 1".repeat(16_000)}`).length, 1);
  assert.deepEqual(offsets(`1${" + 1".repeat(200)}`), []);
  assert.deepEqual(offsets(`a LIKE '${"x".repeat(4097)}'`), [7]);
  assert.equal(offsets("§ ".repeat(30_000)).length, 50);
  assert.equal(offsets("F(a) OR ".repeat(2000) + "a").length, 50);
});

Deno.test("compileCesql: a chain of one logical operator may be as long as the text", () => {
  for (const operator of ["AND", "OR", "XOR"]) {
    const program = compiled(`a = 'x'${` ${operator} a = 'y'`.repeat(4000)}`);
    assert.equal(program.bind(NOTHING)({ payload: {}, meta: { a: "x" } }), operator !== "AND");
  }
});

Deno.test("compileCesql: a program tells what it reads, whether it is a literal, and what it demands", () => {
  const { reads, literal, equalities } = compiled("type = 'a' AND 'b' = data.x.y AND (EXISTS subjecT OR data = 'c')");
  assert.deepEqual(reads, ["meta.type", "payload.x.y", "meta.subjecT", "meta.subject", "payload"]);
  assert.equal(literal, undefined);
  assert.deepEqual(equalities, [{ path: "meta.type", value: "a" }, { path: "payload.x.y", value: "b" }]);
  assert.equal(compiled("(true)").literal, true);
  assert.equal(compiled("FALSE").literal, false);
  assert.equal(compiled("'true'").literal, undefined);
});

Deno.test("compileCesql: nothing is demanded by equalities that casts make true for more than one value", () => {
  for (
    const source of [
      "a = '5'",
      "a = 'True'",
      "a = '[]'",
      "a = 5",
      "a = TRUE",
      "aB = 'x'",
      "data = 'x'",
      "a != 'x'",
      "a = '1.5'",
    ]
  ) {
    assert.deepEqual(compiled(source).equalities, [], source);
  }
  assert.deepEqual(compiled("a = 'x' OR b = 'y'").equalities, []);
});

Deno.test("bindPredicate: a condition in CESQL gives a bool, or fails with expression and the place", () => {
  const holds = bindPredicate(compiled("type = 'a' AND data.n >= 5"), NOTHING);
  assert.equal(holds({ payload: { n: 5 }, meta: { type: "a" } }), true);
  assert.equal(holds({ payload: { n: 4 }, meta: { type: "a" } }), false);
  assert.equal(holds({ payload: {}, meta: { type: "b" } }), false);
  const fails = (source: string, words: RegExp) =>
    assert.throws(
      () => bindPredicate(compiled(source), NOTHING)({ payload: { n: "x" }, meta: {} }),
      (caught) => caught instanceof EventboatError && caught.code === "expression" && words.test(caught.message),
    );
  fails("TRUE AND type = 'a'", /there is no attribute type \(at character 10\)/);
  fails("data.n > 1", /no whole number of 32 bits \(at character 1\)/);
  fails("data.m.k = 1", /there is no data\.m\.k/);
  fails("LEFT('abc', -1) = 'abc'", /LEFT/);
  fails("data.n", /must give a bool, it gave a string/);
  fails("1 + 1", /it gave a number/);
});

Deno.test("compileCesql: an evaluation that looks at too much text ends with budget, data nested without end too", () => {
  const fails = (source: string, payload: unknown) =>
    assert.throws(
      () => compiled(source).bind(NOTHING)({ payload, meta: {} }),
      (caught) => caught instanceof EventboatError && caught.code === "budget",
    );
  const text = "ab ".repeat(300_000);
  const often = (part: string) => `LENGTH(CONCAT(${Array.from({ length: 200 }, () => part).join()})) > 0`;
  fails(often("data"), text);
  fails(often("UPPER(data)"), text);
  fails(`${"data = 'x' OR ".repeat(100)}data LIKE '%c%' OR ${"data LIKE '%c%' OR ".repeat(100)}FALSE`, text);
  fails(`LENGTH(CONCAT_WS(data${", 'x'".repeat(500)})) > 0`, text);
  fails("data = '1' OR ".repeat(200) + "FALSE", Array.from({ length: 100_000 }, (_, index) => index));
  fails(`${"data > 1 OR ".repeat(200)}FALSE`, "0".repeat(1_000_000));
  fails("data = '1' OR ".repeat(1200) + "FALSE", 10n ** 9000n);
  let nested: unknown = 1;
  for (let level = 0; level < 100_000; level++) nested = [nested];
  fails("data.a = '1'", { a: nested });
  assert.equal(compiled("data LIKE '%b%'").bind(NOTHING)({ payload: text, meta: {} }), true);
});
