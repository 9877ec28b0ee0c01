/** Owns the tests that nothing an expression or a message holds makes an evaluation endless: it costs, and it ends. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { compileCel } from "./compile.ts";
import { CEL_COST_LIMIT } from "./expression.ts";
import { CEL_SOURCE_UNITS_MAX } from "./limits.ts";

/** How an expression ends: its value, the code of its error, or `issue` when it does not compile. */
function endOf(source: string, payload: unknown): unknown {
  const compiled = compileCel(source);
  if (!compiled.ok) return "issue";
  try {
    return compiled.program.bind({ constants: {}, parameters: {} })({ payload, meta: {} });
  } catch (caught) {
    assert.ok(caught instanceof EventboatError, `${source}: ${caught}`);
    assert.ok(caught.message.length < 500, `the message must be short: ${caught.message.length}`);
    return caught.code;
  }
}

const LIST = Array.from({ length: 1_000 }, (_, index) => index);
const TEXT = "a".repeat(100_000);
const WIDE = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
const VAST = 10n ** 200_000n;

/** A body evaluated a million times: a thousand elements over a thousand. */
function often(body: string): string {
  return `payload.list.all(x, payload.list.all(y, ${body}))`;
}

const OTHER_PART = `${"a".repeat(500)}b${"a".repeat(500)}`;

Deno.test("CEL cost: what grows with data is paid for, however it is asked", () => {
  const hostile: readonly string[] = [
    often("x + y >= 0.0"),
    "payload.list.map(x, payload.list.map(y, payload.list.map(z, [x, y, z]))).size() > 0",
    often("payload.text == payload.same"),
    often("payload.text <= payload.same"),
    often("payload.text + payload.same != ''"),
    often("size(payload.text) > 0"),
    often("!payload.text.contains('b')"),
    `payload.list.all(x, !payload.text.contains('${OTHER_PART}'))`,
    often("payload.text.startsWith(payload.same)"),
    often("payload.text.matches('^(a+)+$')"),
    often("bytes(payload.text) != b''"),
    often("string(bytes(payload.text)) != ''"),
    often("payload.list == payload.again"),
    often("payload.list + payload.again != []"),
    often("!(-1.0 in payload.list)"),
    often("payload.wide == payload.wider"),
    often("payload.wide != {}"),
    often("size(payload.wide) > 0"),
    often("payload.wide.exists(k, true)"),
    often("payload.wide.exists_one(k, false) == false"),
    often("payload.vast == payload.vaster"),
    often("payload.vast <= payload.vaster"),
    often("string(payload.vast) != ''"),
    "[payload.text].map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a) == []",
    "[[1]].map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a)" +
    ".map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).size() == 1",
    often("timestamp('2024-01-01T00:00:00Z').getHours('Europe/Berlin') >= 0"),
    often("payload.patterns.all(p, !'x'.matches(p))"),
    often("'x'.matches(payload.bad) || true"),
    often("payload[payload.text] == 1 || true"),
    often("{payload.text: 1, payload.same: 2} == {} || true"),
    often("double(payload.digits) == 0.0 || true"),
  ];
  const payload = {
    list: LIST,
    again: [...LIST],
    text: TEXT,
    same: `${TEXT.slice(1)}a`,
    wide: WIDE,
    wider: { ...WIDE },
    vast: VAST,
    vaster: VAST + 0n,
    patterns: Array.from({ length: 100 }, (_, index) => `[a-z]{${index + 1}}\\pL$`),
    bad: "(",
    digits: `${"1".repeat(100_000)}x`,
  };
  for (const source of hostile) assert.equal(endOf(source, payload), "budget", source);
});

Deno.test("CEL cost: constants are paid for too, together, and an expression that costs little is let be", () => {
  const digits = "[0,1,2,3,4,5,6,7,8,9]";
  const costly = ["a", "b", "c", "d"].reduceRight(
    (body, name) => `${digits}.all(${name}, ${body})`,
    "a + b + d >= 0",
  );
  assert.equal(endOf(costly, null), true);
  // Each of them fits the budget, all of them do not: neither before the first message nor with it.
  assert.equal(endOf(Array.from({ length: 100 }, () => costly).join(" && "), null), "budget");
  assert.equal(endOf("payload.list.map(x, x * 2.0).filter(x, x < 10.0).size() == 5", { list: LIST }), true);
  assert.equal(endOf("payload.contains('error')", `${"x".repeat(1_000_000)}error`), true);
  assert.equal(endOf("payload.matches('error|warning')", `${"x".repeat(100_000)}error`), true);
  assert.equal(endOf("payload == 'a' || payload in ['b', 'c']", "a".repeat(10_000_000)), false);
});

Deno.test("CEL cost: text of any shape and length compiles or is an issue, its evaluation ends", () => {
  const length = 100_000;
  const nests = (open: string, middle: string, close: string, times: number) =>
    open.repeat(times) + middle + close.repeat(times);
  const shapes: readonly ((times: number) => string)[] = [
    (times) => nests("(", "true", ")", times),
    (times) => nests("[", "1", "]", times),
    (times) => nests("{1:", "1", "}", times),
    (times) => nests("true ? (", "1", ") : 2", times),
    (times) => `${"true ? 1 : ".repeat(times)}1`,
    (times) => `${"!".repeat(times)}true`,
    (times) => nests("-(", "1", ")", times),
    (times) => nests("size(", "'a'", ")", times),
    (times) => `payload${".a".repeat(times)}`,
    (times) => `payload${"[0]".repeat(times)}`,
    (times) => nests("payload[", "0", "]", times),
    (times) => `payload${".size()".repeat(times)}`,
    (times) => nests("[1].all(x, ", "true", ")", times),
    (times) => nests("[1].map(x, ", "x", ")", times),
    (times) => `1${"+1".repeat(times)}`,
    (times) => `true${" && true".repeat(times)}`,
    (times) => `'${"\\n".repeat(times)}'`,
    (times) => '"'.repeat(times),
    (times) => "// x\n".repeat(times),
    (times) => "?:".repeat(times),
  ];
  for (const shape of shapes) {
    assert.equal(endOf(shape(length), {}), "issue");
    // Long text, and some that nest no deeper than is allowed.
    for (const times of [120, 240, Math.floor(CEL_SOURCE_UNITS_MAX / 4 / shape(100).length) * 100]) {
      endOf(shape(times), {});
    }
  }
});

Deno.test("CEL cost: data that nests deeply compares, or ends the evaluation, and never the program", () => {
  const nested = (levels: number, leaf: unknown) => {
    let data: unknown = leaf;
    for (let level = 0; level < levels; level++) data = level % 2 === 0 ? [data] : { a: data };
    return data;
  };
  const source = "payload.a == payload.b";
  assert.equal(endOf(source, { a: nested(1_000, 1), b: nested(1_000, 1) }), true);
  assert.equal(endOf(source, { a: nested(1_000, 1), b: nested(1_000, 2) }), false);
  assert.equal(endOf(source, { a: nested(100_000, 1), b: nested(100_000, 1) }), "budget");
  assert.equal(endOf("payload in [payload]", nested(100_000, 1)), "budget");
});

Deno.test("CEL cost: the error of one that costs too much names the expression and the limit", () => {
  const compiled = compileCel("payload.all(x, payload.all(y, x == y))");
  assert.ok(compiled.ok);
  const run = compiled.program.bind({ constants: {}, parameters: {} });
  assert.throws(() => run({ payload: Array.from({ length: 1_000 }, () => 1), meta: {} }), (caught) => {
    assert.ok(caught instanceof EventboatError);
    assert.ok(caught.message.includes("payload.all(x") && caught.message.includes(String(CEL_COST_LIMIT)));
    return true;
  });
});
