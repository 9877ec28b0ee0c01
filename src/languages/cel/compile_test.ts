/** Owns the tests of compiling and running CEL as the engine does. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import type { Meta } from "../../message/mod.ts";
import { bindPredicate } from "../condition.ts";
import { bindKey, compileCel } from "./compile.ts";
import type { CelExpression } from "./expression.ts";
import { CEL_SOURCE_UNITS_MAX } from "./limits.ts";

function compiled(source: string): CelExpression {
  const result = compileCel(source);
  assert.ok(result.ok, `${source}: ${result.ok ? "" : JSON.stringify(result.issues)}`);
  return result.program;
}

/** Evaluates with some constants and parameters in place. */
function evaluate(source: string, payload: unknown = {}, meta: Meta = {}): unknown {
  const environment = { constants: { limit: 10, name: "eu" }, parameters: { day: "2026-01-31" } };
  return compiled(source).bind(environment)({ payload, meta });
}

function fails(source: string, payload: unknown = {}, code = "expression"): void {
  assert.throws(() => evaluate(source, payload), (caught) => caught instanceof EventboatError && caught.code === code);
}

function issueOffsets(source: string): readonly number[] {
  const result = compileCel(source);
  return result.ok ? [] : result.issues.map(({ offset }) => offset);
}

Deno.test("compileCel: an expression sees the four bindings", () => {
  assert.equal(evaluate(`payload.a == "x"`, { a: "x" }), true);
  assert.equal(evaluate(`meta.route`, {}, { route: "r" }), "r");
  assert.equal(evaluate(`payload.n > constants.limit`, { n: 11 }), true);
  assert.equal(evaluate(`parameters.day + constants.name`), "2026-01-31eu");
});

Deno.test("compileCel: names and functions that do not exist are issues, all of them, where they stand", () => {
  assert.deepEqual(issueOffsets("payloda.a == 1 && foo(bar) && payload.s.nope()"), [0, 18, 22, 40]);
  assert.deepEqual(issueOffsets("payload.items.all(x, y > 1)"), [21]);
  assert.deepEqual(issueOffsets("has(payload)"), [0]);
  assert.deepEqual(issueOffsets("payload.items.all(1, true)"), [14]);
  assert.deepEqual(issueOffsets("size(payload, 1)"), [0]);
  assert.deepEqual(issueOffsets("contains(payload, 'x')"), [0]);
  assert.deepEqual(issueOffsets("google.protobuf.Int64Value{value: 1} == 1"), [0]);
  assert.deepEqual(issueOffsets("payload.n == 9223372036854775808"), [13]);
});

Deno.test("compileCel: text that must be a pattern, a timestamp or a duration is read at once", () => {
  assert.deepEqual(issueOffsets("payload.s.matches('(')"), [18]);
  assert.deepEqual(issueOffsets("payload.s.matches('(?=a)')"), [18]);
  assert.deepEqual(issueOffsets("timestamp('2024-02-30T00:00:00Z') < timestamp(payload.t)"), [10]);
  assert.deepEqual(issueOffsets("duration('1 hour') > duration('1h')"), [9]);
});

Deno.test("compileCel: members of prototypes are no fields, members named like them are", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "length", "at", "value", "nanos"]) {
    for (const payload of [{}, [], "text", 1, null, new Uint8Array(2)]) {
      fails(`payload.${name}`, payload);
      assert.equal(evaluate(`has(payload.${name})`, payload), false);
    }
    fails(`payload['${name}']`, {});
    assert.equal(evaluate(`'${name}' in payload`, {}), false);
    const payload = JSON.parse(`{"${name}": "own"}`);
    assert.equal(evaluate(`payload.${name}`, payload), "own");
    assert.equal(evaluate(`payload['${name}']`, payload), "own");
    assert.equal(evaluate(`has(payload.${name}) && '${name}' in payload`, payload), true);
  }
  fails("payload.missing.explanation");
  fails("type(payload).typeName");
});

Deno.test("compileCel: a missing field fails, a null member is there", () => {
  fails("payload.a == 1");
  assert.equal(evaluate("has(payload.a)"), false);
  assert.equal(evaluate("has(payload.a) && 'a' in payload && payload.a == null", { a: null }), true);
  assert.equal(evaluate("has({'a': null}.a) && 'a' in {'a': null}"), true);
  fails("has(payload.a.b)");
});

Deno.test("compileCel: && and || hide the failure of a term when another decides, on either side", () => {
  assert.equal(evaluate("payload.a == 1 || true"), true);
  assert.equal(evaluate("true || payload.a == 1"), true);
  assert.equal(evaluate("payload.a == 1 && false"), false);
  assert.equal(evaluate("'text' && false"), false);
  assert.equal(evaluate("payload.a && payload.b && payload.c && false"), false);
  assert.equal(evaluate("[1, 2][0.5] == 1 || true"), true);
  fails("payload.a == 1 || false");
  fails("payload.a == 1 && true && true && true");
});

Deno.test("compileCel: a payload may be text, bytes, a list, a number or null", () => {
  assert.equal(evaluate("payload.startsWith('a')", "abc"), true);
  assert.equal(evaluate("size(payload)", "h😀"), 2);
  assert.equal(evaluate("payload[1] == 'b'", ["a", "b"]), true);
  assert.equal(evaluate("payload == null", null), true);
  assert.equal(evaluate("payload == b'\\x01'", Uint8Array.of(1)), true);
  assert.equal(evaluate("payload > 1", 2), true);
});

Deno.test("compileCel: numbers compare across types and do not mix in arithmetic", () => {
  assert.equal(evaluate("payload.n == 1 && payload.n == 1u && payload.n < 2 && payload.n in [1, 2]", { n: 1 }), true);
  fails("payload.n + 1", { n: 1 });
  assert.equal(evaluate("payload.n + 1.0", { n: 1 }), 2);
  fails("9223372036854775807 + 1");
  fails("1 / 0");
  assert.equal(evaluate("1.0 / 0.0"), Infinity);
});

Deno.test("compileCel: integers beyond 2^53 in a message are exact, whatever their size", () => {
  const id = 228_930_314_431_312_345n;
  assert.equal(evaluate("payload.id == 228930314431312345", { id }), true);
  assert.equal(evaluate("payload.id == 228930314431312346", { id }), false);
  assert.equal(evaluate("payload.id + 1", { id }), id + 1n);
  assert.equal(evaluate("string(payload.id)", { id }), String(id));
  assert.equal(
    evaluate("payload.id == 18446744073709551615u && type(payload.id) == uint", { id: 2n ** 64n - 1n }),
    true,
  );
  assert.equal(evaluate("payload.id > 18446744073709551615u", { id: 2n ** 70n }), true);
  assert.equal(evaluate("payload.id", { id: 2n ** 70n }), 2n ** 70n);
  fails("payload.id + 1", { id: 2n ** 70n });
});

Deno.test("compileCel: results are plain data", () => {
  assert.deepEqual(evaluate("[1, 2u, 9007199254740993, b'a', null]"), [
    1,
    2,
    9007199254740993n,
    Uint8Array.of(97),
    null,
  ]);
  assert.deepEqual(evaluate("{'a': {'__proto__': 1u}}"), { a: JSON.parse(`{"__proto__": 1}`) });
  assert.deepEqual(evaluate("{1: 'a', true: 'b'}"), new Map<unknown, unknown>([[1, "a"], [true, "b"]]));
  assert.equal(evaluate("timestamp('2026-01-31T08:00:00.25+01:00')"), "2026-01-31T07:00:00.250Z");
  assert.equal(evaluate("duration('1h') + duration('-0.5s')"), "3599.500s");
  assert.equal(evaluate("type(1.5)"), "double");
  const payload = { list: [1, { a: [2] }] };
  assert.equal(evaluate("payload.list", payload), payload.list);
});

Deno.test("compileCel: an evaluation that costs too much ends with budget, a costly one that does not is let be", () => {
  const list = Array.from({ length: 1_000 }, (_, index) => index);
  fails("payload.all(x, payload.all(y, x + y >= 0.0))", list, "budget");
  fails("payload.all(x, payload.all(y, x + y >= 0.0)) || true", list, "budget");
  assert.equal(evaluate("payload.all(x, payload.exists(y, y == 7.0))", list), true);
  assert.equal(evaluate("payload.map(x, x * 2.0).filter(x, x < 10.0).size()", list), 5);
  fails("payload.contains('b')", "a".repeat(11_000_000), "budget");
  fails("[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, payload.all(c, payload.all(d, c + d >= 0.0))))", [
    ...list.slice(0, 100),
  ], "budget");
});

Deno.test("compileCel: long runs of blanks are read in time that grows with their length, and move no offset", () => {
  // Were it the square, this would take minutes.
  const blanks = " ".repeat(CEL_SOURCE_UNITS_MAX / 4);
  assert.equal(evaluate(`1${blanks}+${blanks}1 == 2${blanks}`), true);
  const source = `1 <${blanks}payload.\`a-b\`${blanks}&&${blanks}nothing`;
  assert.deepEqual(issueOffsets(source), [source.indexOf("nothing")]);
});

Deno.test("compileCel: comments may follow one another, and move no offset", () => {
  assert.equal(evaluate("// one\n  // two\n1 // three\n + // '\n 1"), 2);
  assert.equal(evaluate("'// no comment' + /* */ 'x'".replace("/* */ ", "")), "// no commentx");
  assert.deepEqual(issueOffsets("// one\n// two\npayload.s.nope()"), [24]);
});

Deno.test("compileCel: every evaluation has its own budget", () => {
  const predicate = bindPredicate(compiled("payload.s < 'b' && payload.s.contains('a')"), NOTHING);
  const scope = { payload: { s: "a".repeat(4_000_000) }, meta: {} };
  for (let round = 0; round < 5; round++) assert.equal(predicate(scope), true);
});

Deno.test("compileCel: patterns are RE2's and none is catastrophic", () => {
  assert.equal(evaluate("payload.matches('^(a+)+$')", "a".repeat(5_000) + "b"), false);
  assert.equal(evaluate("matches(payload, '(?i)B')", "abc"), true);
  fails("payload.text.matches(payload.pattern)", { text: "a", pattern: "(" });
});

Deno.test("compileCel: data that nests without end is budget, not a crash", () => {
  const levels = 100_000;
  fails("payload.a == payload.b", { a: nested(levels), b: nested(levels) }, "budget");
  fails("payload.a", { a: nested(levels) }, "budget");
});

function nested(levels: number): unknown {
  let list: unknown = 1;
  for (let level = 0; level < levels; level++) list = [list];
  return list;
}

const NOTHING = { constants: {}, parameters: {} };

Deno.test("bindPredicate: gives a bool or fails with expression", () => {
  const scope = { payload: { a: 1 }, meta: {} };
  assert.equal(bindPredicate(compiled("payload.a == 1"), NOTHING)(scope), true);
  for (const source of ["payload.a", "'true'", "null", "[true]", "payload.b"]) {
    const predicate = bindPredicate(compiled(source), NOTHING);
    assert.throws(() => predicate(scope), (caught) => caught instanceof EventboatError && caught.code === "expression");
  }
});

Deno.test("bindKey: what is only written as text is no string", () => {
  for (const source of ["timestamp(payload.t)", "duration('1s')", "type(payload.t)", "b'a'", "1u", "null"]) {
    const key = bindKey(compiled(source), NOTHING);
    const scope = { payload: { t: "2026-01-31T00:00:00Z" }, meta: {} };
    assert.throws(() => key(scope), (caught) => caught instanceof EventboatError && caught.code === "expression");
  }
});

Deno.test("compileCel: a failure says what was read and what was found there, never the data itself", () => {
  const payload = { a: { b: { "x y": 1 } }, s: "SECRET".repeat(1_000), items: [{ id: 1 }, {}], n: 1, t: null };
  const told: readonly (readonly [source: string, ...parts: string[]])[] = [
    ["payload.a.c == 1", "payload.a.c"],
    ["payload.a.b['x z'] == 1", '"x z"'],
    ["payload.items[1].id == 1", "payload.items[1].id"],
    ["payload.items.all(item, item.id > 0)", "item.id"],
    ["payload.s.b == 1", "payload.s is a string", '"b"'],
    ["payload.t.b.c == 1", "payload.t is null"],
    ["meta.route == 'a'", "meta.route"],
    ["payload.n.all(x, true)", "all()", "a double"],
    ["payload.n + 1 == 2", "double, int", "double() or int()"],
    ["payload.a.b", "must give a bool", "a map"],
    ["payload.s", "must give a bool", "a string"],
    ["payload.n", "must give a bool", "a number"],
    ["timestamp(payload.n) == 1", "timestamp()", "double"],
  ];
  for (const [source, ...parts] of told) {
    const predicate = bindPredicate(compiled(source), NOTHING);
    assert.throws(() => predicate({ payload, meta: {} }), (caught) => {
      assert.ok(caught instanceof EventboatError && caught.code === "expression");
      for (const part of [...parts, source]) assert.ok(caught.message.includes(part), `${part}: ${caught.message}`);
      assert.ok(!caught.message.includes("SECRET") && caught.message.length < 300, caught.message);
      return true;
    });
  }
  for (const source of ["int(payload.s) == 1", "payload[payload.s] == 1", "payload.a[payload.s + 'x'] == 1"]) {
    const predicate = bindPredicate(compiled(source), NOTHING);
    assert.throws(
      () => predicate({ payload, meta: {} }),
      (caught) => caught instanceof Error && caught.message.length < 300,
    );
  }
});

Deno.test("bindKey: gives a string or fails with expression", () => {
  const scope = { payload: { a: "k", n: 1 }, meta: {} };
  assert.equal(bindKey(compiled("payload.a"), NOTHING)(scope), "k");
  const key = bindKey(compiled("payload.n"), NOTHING);
  assert.throws(() => key(scope), (caught) => caught instanceof EventboatError && caught.code === "expression");
});

Deno.test("compileCel: errors quote what they are told to, not what was compiled", () => {
  for (const source of ["payload.a == 'k3y'", "payload.n", "payload.list.all(x, payload.list.all(y, 'k3y' != x))"]) {
    const result = compileCel(source, "a text");
    assert.ok(result.ok);
    const scope = { payload: { n: 1, list: Array.from({ length: 1_000 }, () => "") }, meta: {} };
    for (const bind of [bindPredicate, bindKey]) {
      const run = bind(result.program, NOTHING);
      assert.throws(() => run(scope), (caught) => {
        return caught instanceof EventboatError && caught.message.includes("`a text`") &&
          !caught.message.includes("k3y");
      });
    }
  }
});

Deno.test("compileCel: text from an expression never becomes code", () => {
  const nasty = "${globalThis.x = 1}`'\\\"; throw 1 //";
  assert.equal(evaluate(`payload[${JSON.stringify(nasty)}]`, { [nasty]: "data" }), "data");
  assert.equal(evaluate(`${JSON.stringify(nasty)}`), nasty);
});

Deno.test("compileCel: names that JavaScript's objects have are no functions and no methods", () => {
  for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__defineGetter__"]) {
    for (const call of [`${name}()`, `${name}('x')`, `payload.${name}()`, `payload.s.${name}('x')`, `[1].${name}(1)`]) {
      const compiled = compileCel(call);
      assert.equal(compiled.ok, false, call);
      assert.match(compiled.ok ? "" : compiled.issues[0]?.message ?? "", /^there is no (function|method)/, call);
    }
  }
});
