import assert from "node:assert/strict";
import type { Data } from "../base/mod.ts";
import { differencesOf, plainValue, valueText } from "./value_match.ts";

const paths = (expected: Data, found: unknown) => differencesOf(expected, found).map(({ path }) => path);

Deno.test("differencesOf: of a mapping only the expected keys are looked at, at any depth", () => {
  assert.deepEqual(paths({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }), []);
  assert.deepEqual(paths({ a: { b: 1, x: 2 }, y: 3 }, { a: { b: 0 } }), [".a.b", ".a.x", ".y"]);
});

Deno.test("differencesOf: a list has to be as long, element by element", () => {
  assert.deepEqual(paths([1, { a: 1 }], [1, { a: 1, b: 2 }]), []);
  assert.deepEqual(paths([1, { a: 1 }], [1, { a: 2 }]), [".1.a"]);
  assert.deepEqual(paths([1], [1, 2]), [""]);
  assert.deepEqual(paths([], {}), [""]);
});

Deno.test("differencesOf: numbers are compared exactly, in whichever form they are kept", () => {
  assert.deepEqual(paths(9007199254740993n, 9007199254740993n), []);
  assert.deepEqual(paths(9007199254740993n, 9007199254740992), [""]);
  assert.deepEqual(paths(5, 5n), []);
  assert.deepEqual(paths(0.3, 0.1 + 0.2), [""]);
  assert.deepEqual(paths(1, "1"), [""]);
  assert.deepEqual(paths(0, false), [""]);
  assert.deepEqual(paths(NaN, NaN), []);
});

Deno.test("differencesOf: nothing is not null, and can be asked for", () => {
  assert.deepEqual(paths(null, null), []);
  assert.deepEqual(differencesOf(null, undefined), [{ path: "", expected: "null", found: "nothing" }]);
  assert.deepEqual(paths({ a: { absent: true } }, {}), []);
  assert.deepEqual(differencesOf({ absent: true }, 5), [{ path: "", expected: "nothing", found: "5" }]);
});

Deno.test("differencesOf: a pattern wants a text that holds it", () => {
  assert.deepEqual(paths({ matches: "^a.c$" }, "abc"), []);
  assert.deepEqual(paths({ matches: "^4" }, 42), []);
  assert.deepEqual(differencesOf({ matches: "^b" }, "abc"), [{
    path: "",
    expected: "text that matches ^b",
    found: '"abc"',
  }]);
  assert.deepEqual(paths({ matches: "." }, { a: 1 }), [""]);
  assert.deepEqual(paths({ matches: "a", other: 1 }, { matches: "a", other: 1 }), []);
});

Deno.test("differencesOf: names that objects have by themselves are no keys", () => {
  assert.deepEqual(paths({ constructor: { absent: true } }, {}), []);
  assert.deepEqual(paths({ toString: 1 }, {}), [".toString"]);
});

Deno.test("differencesOf: bytes are compared as the text they are", () => {
  assert.deepEqual(paths("é", new TextEncoder().encode("é")), []);
  assert.deepEqual(paths("x", Uint8Array.of(0xff)), [""]);
});

Deno.test("valueText: one line of JSON, exact and shortened", () => {
  assert.equal(
    valueText({ n: 9007199254740993n, bytes: Uint8Array.of(0xff) }),
    '{"n":9007199254740993,"bytes":{"base64":"/w=="}}',
  );
  assert.equal(valueText("x".repeat(500), 10), '"xxxxxxxxx... (502 characters)');
  assert.equal(plainValue(Infinity), "Infinity");
});
