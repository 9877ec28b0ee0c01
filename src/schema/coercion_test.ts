import assert from "node:assert/strict";
import { coerceSubstituted, typedText } from "./coercion.ts";
import { coreScalar } from "./core_scalar.ts";
import { block, choice, data, flag, integer, list, oneOf, optional, record, text } from "./fields.ts";

const schema = block({
  path: text({ description: "Path." }),
  size: integer({ description: "Size.", minimum: 1, maximum: 9, default: 1 }),
  fsync: flag({ description: "Sync.", default: false }),
  ports: list(integer({ description: "Port.", minimum: 1, maximum: 9 }), { description: "Ports.", default: [1] }),
  any: optional(data({ description: "Anything." })),
  mode: choice(["1", "2"], { description: "Mode.", default: "1" }),
  limit: optional(oneOf([integer({ description: "N.", minimum: 0, maximum: 9 }), text({ description: "Word." })], {
    description: "Either.",
  })),
  weights: record(integer({ description: "W.", minimum: 0, maximum: 9 }), { description: "By name.", default: {} }),
});

Deno.test("coerceSubstituted: types text only where a number or boolean is asked for", () => {
  const given = {
    path: "0123",
    size: "5",
    fsync: "true",
    ports: ["7", "8"],
    any: "5",
    mode: "1",
    limit: "5",
    weights: { a: "3" },
  };
  const paths = [["path"], ["size"], ["fsync"], ["ports", 1], ["any"], ["mode"], ["limit"], ["weights", "a"]];
  assert.deepEqual(coerceSubstituted(schema, given, paths), {
    path: "0123",
    size: 5,
    fsync: true,
    ports: ["7", 8],
    any: "5",
    mode: "1",
    limit: "5",
    weights: { a: 3 },
  });
  assert.equal(given.size, "5");
});

Deno.test("coerceSubstituted: leaves text that is no such value, and paths that lead nowhere", () => {
  assert.deepEqual(coerceSubstituted(schema, { size: "many", fsync: "yes" }, [["size"], ["fsync"], ["gone", 0]]), {
    size: "many",
    fsync: "yes",
  });
});

Deno.test("typedText: gives the type that YAML would", () => {
  assert.equal(typedText("1e3", "number"), 1000);
  assert.equal(typedText("0x1F", "number"), 31);
  assert.equal(typedText("12345678901234567890", "number"), 12345678901234567890n);
  assert.equal(typedText("true", "number"), "true");
  assert.equal(typedText("on", "boolean"), "on");
  assert.equal(typedText("False", "boolean"), false);
});

Deno.test("coreScalar: reads words as YAML 1.2's core schema does", () => {
  const cases: [string, unknown][] = [
    ["", null],
    ["~", null],
    ["null", null],
    ["no", "no"],
    ["on", "on"],
    ["12:30", "12:30"],
    ["2026-01-01", "2026-01-01"],
    ["0123", 123],
    ["+7", 7],
    ["-0x1F", "-0x1F"],
    ["0o17", 15],
    ["1e3", 1000],
    [".5", 0.5],
    ["1.", 1],
    [".", "."],
    ["-.inf", -Infinity],
    [".NaN", NaN],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9".repeat(500), "9".repeat(500)],
  ];
  for (const [text, value] of cases) assert.deepEqual(coreScalar(text), value, text);
});
