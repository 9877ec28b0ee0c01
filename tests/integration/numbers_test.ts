/**
 * Owns the tests of numbers on their way through a message: JSON to script to JSON, and the comparisons of CEL and CESQL.
 *
 * A JSON number without fraction and exponent keeps every digit. Any other is a double, and is written as the shortest
 * text that reads back as the same double; so `1.0` comes out as `1` and `1E5` as `100000`, but only of a message that
 * a node changed. A zero has no sign. What a double cannot be is refused where it is read, by the field's name.
 */

import assert from "node:assert/strict";
import { bindKey, bindPredicate, compileCel, compileCesql, compileStarlark } from "../../src/languages/mod.ts";
import { Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";

/** The name `n`, but not the field of that name. */
const NAME_REGEXP = /(?<![.\w])n\b/g;
const NOTHING = { constants: {}, parameters: {} };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const json = new Registry(builtins()).get("codec", "json")?.create({}, testContext());
assert.ok(json !== undefined);
const decode = (text: string) => json.decode(encoder.encode(text));
const encode = (payload: unknown) => decoder.decode(json.encode(payload));

/** A number as it is read, and what becomes of it. */
interface NumberCase {
  readonly text: string;
  /** What is written of it when the message changed. */
  readonly written: string;
  /** What `str()` and `json.encode()` show in a script. */
  readonly shown: string;
  /** One more, as a script counts, and as it is written. */
  readonly next: string;
  /** What `string()` gives in CEL: the key of messages ordered by the number. */
  readonly key: string;
  /** What is true of `n` in CEL, and what is not. */
  readonly holds: readonly string[];
  readonly fails: readonly string[];
}

/** An integer: the same text everywhere. */
function whole(text: string, holds: readonly string[], fails: readonly string[]): NumberCase {
  const value = BigInt(text);
  return like(String(value), { text, next: String(value + 1n), holds, fails });
}

/** A number that is written, shown and made a key in one way, but for what is said otherwise. */
function like(written: string, rest: Partial<NumberCase> & Pick<NumberCase, "next" | "holds" | "fails">): NumberCase {
  return { text: written, written, shown: written, key: written, ...rest };
}

const CASES: readonly NumberCase[] = [
  whole(
    "9007199254740993",
    ["n == 9007199254740993", "n == 9007199254740993u", "n in [9007199254740993]", "n > 9007199254740992"],
    ["n == 9007199254740992", "n == 9007199254740992.0", "n == 9007199254740994", "n < 9007199254740993"],
  ),
  whole("-9007199254740993", ["n == -9007199254740993", "n < -9007199254740992"], ["n == -9007199254740992.0"]),
  whole(
    "9223372036854775807",
    ["n == 9223372036854775807", "n == 9223372036854775807u", "n > 9223372036854775806", "type(n) == int"],
    ["n == 9223372036854775808u", "n == 9223372036854775807.0", "n in [9223372036854775806]"],
  ),
  whole("-9223372036854775808", ["n == -9223372036854775808", "n < -9223372036854775807"], ["n > 0u"]),
  whole("-9223372036854775807", ["n > -9223372036854775808"], ["n == -9223372036854775808"]),
  whole(
    "18446744073709551615",
    ["n == 18446744073709551615u", "n > 18446744073709551614u", "n > 9223372036854775807", "type(n) == uint"],
    ["n == 18446744073709551614u", "n == 18446744073709551615.0", "n < 0"],
  ),
  whole("-18446744073709551615", ["n < -9223372036854775808", "n == n"], ["n == 0", "n > 0u"]),
  whole("1000000000000000000000000000000", ["n > 18446744073709551615u", "n > 1e29", "n < 1e31"], ["n == 1e30"]),
  whole("-1000000000000000000000000000000", ["n < -9223372036854775808", "n > -1e31"], ["n == -1e30"]),
  whole("-0", ["n == 0", "n == 0u", "n == -0.0", "n >= 0"], ["n < 0"]),
  { ...whole("-0", ["n == 0", "n in [0.0]"], ["n < 0.0"]), text: "-0.0" },
  like("0.30000000000000004", { next: "1.3", holds: ["n == 0.1 + 0.2", "n > 0.3"], fails: ["n == 0.3"] }),
  like("-0.30000000000000004", { next: "0.7", holds: ["n == -0.1 - 0.2"], fails: ["n == -0.3"] }),
  like("5e-324", { next: "1", holds: ["n == 5e-324", "n > 0", "n / 2.0 == 0.0"], fails: ["n == 0", "n < 0.0"] }),
  like("-5e-324", { next: "1", holds: ["n < 0", "n == -5e-324"], fails: ["n == 0"] }),
  like("1e+21", {
    ...{ text: "1e21", shown: "1000000000000000000000", next: "1000000000000000000001" },
    ...{ holds: ["n == 1e21", "n > 18446744073709551615u"], fails: ["n == 1e22"] },
  }),
  like("1e+22", {
    ...{ text: "1e22", shown: "10000000000000000000000", next: "10000000000000000000001" },
    ...{ holds: ["n == 1e22"], fails: ["n == 1e21"] },
  }),
  like("-1e+22", {
    ...{ text: "-1e22", shown: "-10000000000000000000000", next: "-9999999999999999999999" },
    ...{ holds: ["n == -1e22"], fails: ["n > 0"] },
  }),
  // Of these digits a double holds seventeen; those are kept.
  like("1.2345678901234568e+29", {
    ...{ text: "123456789012345678901234567890.5", shown: "123456789012345677877719597056" },
    next: "123456789012345677877719597057",
    ...{ holds: ["n == 123456789012345678901234567890.5"], fails: ["n == 1.23456789012345e29"] },
  }),
  like("100000", { text: "1E5", next: "100001", holds: ["n == 100000", "n == 1e5"], fails: ["n == 100001"] }),
  like("1", { text: "1.0", next: "2", holds: ["n == 1", "n == 1u", "n == 1.0"], fails: ["n == 1.5"] }),
  like("-1", { text: "-1.0", next: "0", holds: ["n == -1"], fails: ["n == 1u"] }),
];

const SCRIPT = `payload.shown = str(payload.n)
payload.encoded = json.encode(payload.n)
payload.next = payload.n + 1
payload.list = [payload.n, {"again": payload.n}]
`;

/** The text of a number among others and its place, before the script has touched the message. */
function message(text: string): string {
  return `{"n":${text},"beside":{"n":[${text}]}}`;
}

Deno.test("numbers: a message that nothing changed keeps its very text", () => {
  for (const { text } of CASES) {
    const bytes = encoder.encode(message(text));
    assert.deepEqual(json.passthrough?.(bytes), bytes, text);
  }
});

Deno.test("numbers: JSON to script to JSON, read, counted with, copied and left alone", () => {
  const compiled = compileStarlark(SCRIPT);
  assert.ok(compiled.ok);
  const run = compiled.program.bind(NOTHING);
  for (const { text, written, shown, next } of CASES) {
    const { payload } = run({ payload: decode(message(text)), meta: {} });
    const expected =
      `{"n":${written},"beside":{"n":[${written}]},"shown":"${shown}","encoded":"${shown}","next":${next},` +
      `"list":[${written},{"again":${written}}]}`;
    assert.equal(encode(payload), expected, text);
  }
});

Deno.test("numbers: CEL compares by the exact value, and makes a key of it", () => {
  for (const { text, holds, fails, key } of CASES) {
    const scope = { payload: decode(message(text)), meta: {} };
    const verdict = (source: string) => {
      const compiled = compileCel(source.replaceAll(NAME_REGEXP, "payload.n"));
      assert.ok(compiled.ok, source);
      return bindPredicate(compiled.program, NOTHING)(scope);
    };
    for (const source of holds) assert.equal(verdict(source), true, `${text}: ${source}`);
    for (const source of fails) assert.equal(verdict(source), false, `${text}: ${source}`);
    assert.equal(verdict("n == payload.beside.n[0] && n in payload.beside.n && n <= payload.beside.n[0]"), true);
    const ordering = compileCel("string(payload.n)");
    assert.ok(ordering.ok);
    assert.equal(bindKey(ordering.program, NOTHING)(scope), key);
  }
});

Deno.test("numbers: in CESQL what is no Integer of it is the number's own text", () => {
  const texts = ["9007199254740993", "18446744073709551615", "-1000000000000000000000000000000", "0.30000000000000004"];
  for (const text of texts) {
    const compiled = compileCesql(`data.n = '${text}' AND NOT (data.n = '${text}0')`);
    assert.ok(compiled.ok);
    assert.equal(bindPredicate(compiled.program, NOTHING)({ payload: decode(message(text)), meta: {} }), true, text);
  }
});

Deno.test("numbers: what a double cannot be is refused where it is read or made, by the field's name", () => {
  for (const text of ["1e400", "-1e400", "1E+309", `${"9".repeat(310)}.0`]) {
    const named = (caught: unknown) => caught instanceof Error && caught.message.includes("payload.beside.n[0]");
    assert.throws(() => decode(`{"n":1,"beside":{"n":[${text}]}}`), named, text);
  }
  for (const expression of ["1e308 * 10", "-1e308 * 10", 'float("nan")', "payload.n * 1e308 * 1e308"]) {
    const compiled = compileStarlark(`payload.beside = {"far": ${expression}}`);
    assert.ok(compiled.ok);
    const run = compiled.program.bind(NOTHING);
    const named = (caught: unknown) => caught instanceof Error && caught.message.includes("payload.beside.far");
    assert.throws(() => run({ payload: { n: 5 }, meta: {} }), named, expression);
  }
});
