import assert from "node:assert/strict";
import { define } from "./define.ts";
import { block, choice, data, duration, flag, integer, list, number, oneOf, optional, record, text } from "./fields.ts";

const tail = define(block({
  path: text({ description: "What to read." }),
  start_at: choice(["beginning", "end"], { description: "Where to begin.", default: "beginning" }),
  poll_every_ms: integer({ description: "Pause.", minimum: 10, maximum: 60_000, default: 250 }),
  multiline: optional(block({
    pattern: text({ description: "First line." }),
    negate: flag({ description: "Turn it round.", default: false }),
  }, { description: "How lines join." })),
  rotate: block({ max_age: duration({ description: "Age.", default: "1h" }) }, {
    description: "Rotation.",
    default: {},
  }),
  tags: list(text({ description: "A tag." }), { description: "Tags.", default: ["a"] }),
}));

Deno.test("block: fills in defaults, also inside a nested block that is there, and leaves absent ones absent", () => {
  assert.deepEqual(tail.parse({ path: "x" }), {
    ok: true,
    value: { path: "x", start_at: "beginning", poll_every_ms: 250, rotate: { max_age: "1h" }, tags: ["a"] },
  });
  const parsed = tail.parse({ path: "x", multiline: { pattern: "^a" } });
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.value.multiline, { pattern: "^a", negate: false });
});

Deno.test("block: works on a copy, and no two parses share a default", () => {
  const given = { path: "x", multiline: { pattern: "^a" } };
  const first = tail.parse(given);
  const second = tail.parse(given);
  assert.ok(first.ok && second.ok);
  assert.deepEqual(given, { path: "x", multiline: { pattern: "^a" } });
  assert.notEqual(first.value.tags, second.value.tags);
  assert.notEqual(first.value.rotate, second.value.rotate);
});

Deno.test("block: its type has fields with a default, and optional ones may be absent", () => {
  const parsed = tail.parse({ path: "x" });
  assert.ok(parsed.ok);
  const pollEveryMs: number = parsed.value.poll_every_ms;
  const negate: boolean | undefined = parsed.value.multiline?.negate;
  const startAt: "beginning" | "end" = parsed.value.start_at;
  assert.deepEqual([pollEveryMs, negate, startAt], [250, undefined, "beginning"]);
});

Deno.test("block: its schema is plain JSON Schema in declaration order", () => {
  const schema = JSON.parse(JSON.stringify(tail.schema));
  assert.deepEqual(Object.keys(schema.properties), [
    "path",
    "start_at",
    "poll_every_ms",
    "multiline",
    "rotate",
    "tags",
  ]);
  assert.deepEqual(schema.required, ["path"]);
  assert.equal(schema.additionalProperties, false);
  assert.equal(schema.properties.multiline.additionalProperties, false);
  assert.deepEqual(schema.properties.start_at, {
    type: "string",
    description: "Where to begin.",
    default: "beginning",
    enum: ["beginning", "end"],
  });
  assert.equal(JSON.stringify(tail.schema).includes("~optional"), false);
});

Deno.test("oneOf: fills in the defaults of the alternative that the value has the type of", () => {
  const tls = oneOf([
    flag({ description: "On or off." }),
    block({ verify: flag({ description: "Check.", default: true }) }, { description: "In detail." }),
  ], { description: "Encryption." });
  const definition = define(block({ tls: optional(tls) }));
  assert.deepEqual(definition.parse({ tls: {} }), { ok: true, value: { tls: { verify: true } } });
  assert.deepEqual(definition.parse({ tls: true }), { ok: true, value: { tls: true } });
  const wrong = definition.parse({ tls: { verfy: true } });
  assert.ok(!wrong.ok);
  assert.deepEqual(wrong.issues.map((issue) => issue.path), [["tls", "verfy"]]);
  const neither = definition.parse({ tls: "yes" });
  assert.ok(!neither.ok);
  assert.deepEqual(neither.issues.map((issue) => issue.path), [["tls"]]);
});

Deno.test("record, data, number: take names the user chooses and any value, and keep a key named __proto__", () => {
  const definition = define(block({
    args: record(data({ description: "Anything." }), { description: "By name.", default: {} }),
    ratio: number({ description: "Part.", minimum: 0, maximum: 1, default: 0.5 }),
  }));
  const args = JSON.parse('{"__proto__": [1, {"b": null}], "b": 2}');
  const parsed = definition.parse({ args });
  assert.ok(parsed.ok);
  assert.equal(JSON.stringify(parsed.value), '{"args":{"__proto__":[1,{"b":null}],"b":2},"ratio":0.5}');
  assert.equal(Object.getPrototypeOf(parsed.value.args), Object.prototype);
});
