import assert from "node:assert/strict";
import { define, defineForeign } from "./define.ts";
import type { ConfigIssue } from "./definition.ts";
import { block, choice, duration, integer, list, optional, record, text } from "./fields.ts";

const definition = define(block({
  brokers: list(text({ description: "Address." }), { description: "Addresses." }),
  acks: choice(["all", "leader", "none"], { description: "Waits for.", default: "all" }),
  size: integer({ description: "Most.", minimum: 1, maximum: 100, default: 10 }),
  wait: duration({ description: "Longest wait.", default: "1s" }),
  sasl: optional(block({ username: text({ description: "User." }) }, { description: "Sign-in." })),
  headers: record(text({ description: "Value." }), { description: "Headers.", default: {}, namePattern: "^[a-z]+$" }),
}));

interface Parser {
  parse(value: unknown): { readonly ok: true } | { readonly ok: false; readonly issues: readonly ConfigIssue[] };
}

function issues(value: unknown, of: Parser = definition) {
  const parsed = of.parse(value);
  assert.ok(!parsed.ok, "was accepted");
  return parsed.issues;
}

Deno.test("define: tells every mistake at once, each with its path", () => {
  const found = issues({ brokers: [], acks: "al", size: 0, wait: "soon", sasl: {}, headers: { "A": "b" } });
  assert.deepEqual(found.map((issue) => issue.path), [["brokers"], ["acks"], ["size"], ["wait"], ["sasl"], [
    "headers",
    "A",
  ]]);
});

Deno.test("define: an unknown field is told at its name, with the nearest known one", () => {
  const [issue] = issues({ brokers: ["a"], broker: "b" });
  assert.deepEqual(issue?.path, ["broker"]);
  assert.equal(issue?.atKey, true);
  assert.match(issue?.hint ?? "", /"brokers"/);
});

Deno.test("define: an unknown field that a nested block has is told to be there", () => {
  const nested = define(block({
    name: optional(text({ description: "A name." })),
    window: optional(block({ ttl: text({ description: "How long." }) }, { description: "A window." })),
  }));
  const found = issues({ ttl: "1h", title: "x" }, nested).map(({ hint }) => hint);
  assert.deepEqual(found, ['did you mean "window.ttl"?', "known here: name, window"]);
});

Deno.test("define: a plain value for a block is told which field it can be meant for", () => {
  const split = define(block({ path: optional(text({ description: "A path." })) }));
  assert.match(issues("lines", split)[0]?.hint ?? "", /\{ path: \.\.\. \}/);
  assert.equal(issues(3, split)[0]?.hint, undefined);
});

Deno.test("define: a missing field is told at its block, by name", () => {
  const [issue] = issues({});
  assert.deepEqual(issue?.path, []);
  assert.match(issue?.message ?? "", /"brokers".*a list/);
});

Deno.test("define: a number where text belongs is not converted, and the hint says how to write it", () => {
  const [issue] = issues({ brokers: [123] });
  assert.deepEqual(issue?.path, ["brokers", 0]);
  assert.match(issue?.hint ?? "", /quotes/);
  const [quoted] = issues({ brokers: ["a"], size: "10" });
  assert.match(quoted?.hint ?? "", /quotes/);
});

Deno.test("define: a text is quoted where another plain value belongs, not where a list or mapping does", () => {
  const told = issues({ brokers: "found", sasl: "found", size: "many", wait: "soon" }).map(({ message }) => message);
  assert.equal(told.length, 4);
  assert.equal(told.filter((message) => message.endsWith("found text")).length, 2);
  assert.ok(told.some((message) => message.endsWith('"many"')) && told.some((message) => message.endsWith('"soon"')));
});

Deno.test("define: quotes are recommended only where they make a value that its field takes", () => {
  const hintOf = (pattern: string) => {
    const parsed = define(block({ at: text({ description: "Address.", pattern, expected: "x" }) })).parse({ at: 8080 });
    assert.ok(!parsed.ok);
    return parsed.issues[0]?.hint;
  };
  assert.equal(hintOf("^:"), undefined);
  assert.match(hintOf("^8") ?? "", /quotes/);
});

Deno.test("define: integers beyond 2^53 are no valid counts, and are told with all their digits", () => {
  const [issue] = issues({ brokers: ["a"], size: 12345678901234567890n });
  assert.match(issue?.message ?? "", /12345678901234567890/);
});

Deno.test("define: a null block is an empty one for a mapping, and a mistake for a scalar", () => {
  assert.deepEqual(define(block({})).parse(null), { ok: true, value: {} });
  assert.equal(define(text({ description: "Program." })).parse(null).ok, false);
  assert.equal(define(text({ description: "Program." })).parse("payload.x = 1").ok, true);
});

Deno.test("define: field names that look like indexes stay names in paths", () => {
  const counts = define(record(integer({ description: "Count.", minimum: 0, maximum: 9 }), { description: "Counts." }));
  const parsed = counts.parse({ "0": 10 });
  assert.ok(!parsed.ok);
  assert.deepEqual(parsed.issues[0]?.path, ["0"]);
});

Deno.test("defineForeign: takes any draft 2020-12 schema and fills in its defaults", () => {
  const foreign = defineForeign({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { symbol: { type: "string" }, every: { type: "integer", default: 5 } },
    required: ["symbol"],
  });
  assert.ok(foreign.ok);
  assert.deepEqual(foreign.definition.parse({ symbol: "a" }), { ok: true, value: { symbol: "a", every: 5 } });
  assert.equal(foreign.definition.parse({}).ok, false);
});

Deno.test("defineForeign: refuses what is no schema", () => {
  assert.equal(defineForeign("x").ok, false);
  assert.equal(defineForeign({ type: "objekt" }).ok, false);
  assert.equal(defineForeign({ type: "object", properties: [] }).ok, false);
});
