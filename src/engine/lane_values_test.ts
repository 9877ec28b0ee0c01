import assert from "node:assert/strict";
import { packValues, unpackValues } from "./lane_values.ts";

/** What comes out on the other side of a port. */
function crossed(value: unknown): unknown {
  return unpackValues(structuredClone(packValues([value])))[0];
}

const shared = { a: 1 };

for (
  const [what, value, isText] of [
    ["a mapping", { a: 1, b: [true, null, "text"], c: { d: 1.5 } }, true],
    ["the smallest number and the largest", [5e-324, Number.MAX_VALUE, 2 ** 53], true],
    ["a key that is the name of the prototype", JSON.parse('{"__proto__": {"a": 1}, "b": 2}'), true],
    ["half of a surrogate pair, NUL and an emoji", ["\ud800", "\0", "\u{1f600}"], true],
    ["minus zero", { a: [-0] }, false],
    ["no number", NaN, false],
    ["an integer beyond 2^53", { a: 2n ** 64n - 1n }, false],
    ["bytes", new Uint8Array([1, 2, 255]), false],
    ["a member that is undefined", { a: undefined, b: 1 }, false],
    ["a list with an undefined element", [undefined, 1], false],
    ["a moment", new Date(0), false],
    ["a list that is longer than is looked at", Array.from({ length: 20_000 }, (_, i) => i), false],
  ] as const
) {
  Deno.test(`packValues: ${what} crosses as it is, ${isText ? "as text" : "cloned"}`, () => {
    assert.equal(typeof packValues([value]), isText ? "string" : "object");
    assert.deepStrictEqual(crossed(value), value);
    assert.ok(Object.is(JSON.stringify(crossed([value]), replacer), JSON.stringify([value], replacer)));
  });
}

function replacer(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : value;
}

Deno.test("packValues: what holds itself many times over is not written out", () => {
  let value: unknown = shared;
  for (let depth = 0; depth < 60; depth++) value = [value, value];
  assert.equal(typeof packValues([value]), "object");
});

Deno.test("packValues: one value that JSON does not say exactly takes its neighbours along, and nothing is lost", () => {
  const values = [{ a: 1 }, { a: 1n }, "x"];
  assert.deepStrictEqual(unpackValues(structuredClone(packValues(values))), values);
});

Deno.test("packValues: no values are no text", () => {
  assert.deepEqual(unpackValues(packValues([])), []);
});
