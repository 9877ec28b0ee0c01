/** Owns the tests of how messages are seen as events. */

import assert from "node:assert/strict";
import type { Meta } from "../../message/mod.ts";
import { evaluateCesql } from "./compile.ts";

const MISSING = { value: false, error: "missingAttribute" };

function read(name: string, payload: unknown, meta: Meta = {}): unknown {
  const found = evaluateCesql(name, { payload, meta });
  return "value" in found && !("error" in found) ? found.value : found;
}

Deno.test("CESQL attributes: keys of meta by their type", () => {
  const meta: Meta = {
    text: "a",
    flag: false,
    whole: 42,
    negative: -2147483648,
    beyond: 2147483648,
    huge: 1e21,
    huger: 1.5e300,
    fraction: 0.1,
    tiny: 5e-324,
    minus: -1.25e-7,
    zero: -0,
    small: 7n,
    big: 2n ** 64n,
    list: ["a", 1, 2n ** 64n],
    map: { a: { b: null } },
    nothing: null,
  };
  assert.equal(read("text", {}, meta), "a");
  assert.equal(read("flag", {}, meta), false);
  assert.equal(read("whole", {}, meta), 42);
  assert.equal(read("negative", {}, meta), -2147483648);
  assert.equal(read("beyond", {}, meta), "2147483648");
  assert.equal(read("huge", {}, meta), "1000000000000000000000");
  assert.equal(read("huger", {}, meta), `15${"0".repeat(299)}`);
  assert.equal(read("fraction", {}, meta), "0.1");
  assert.equal(read("tiny", {}, meta), `0.${"0".repeat(323)}5`);
  assert.equal(read("minus", {}, meta), "-0.000000125");
  assert.ok(Object.is(read("zero", {}, meta), 0));
  assert.equal(read("small", {}, meta), 7);
  assert.equal(read("big", {}, meta), "18446744073709551616");
  assert.equal(read("list", {}, meta), `["a",1,18446744073709551616]`);
  assert.equal(read("map", {}, meta), `{"a":{"b":null}}`);
  assert.deepEqual(read("nothing", {}, meta), MISSING);
  assert.deepEqual(read("absent", {}, meta), MISSING);
});

Deno.test("CESQL attributes: the five of every event are text", () => {
  assert.equal(read("id", {}, { id: 17 }), "17");
  assert.equal(read("SUBJECT", {}, { subject: true }), "true");
  assert.equal(read("id IN ('a', '17')", {}, { id: 17 }), true);
  assert.equal(read("time", {}, { time: "2026-03-01T10:00:00+02:00" }), "2026-03-01T10:00:00+02:00");
  assert.equal(read("source", {}, { source: ["a"] }), `["a"]`);
  assert.deepEqual(read("type", {}, { type: null }), MISSING);
});

Deno.test("CESQL attributes: EXISTS asks whether there is one that is not null, whatever its name", () => {
  const meta = { id: "1", a: null, b: false, c: "" };
  assert.equal(read("EXISTS id", {}, meta), true);
  assert.equal(read("EXISTS type", {}, meta), false);
  assert.equal(read("EXISTS a", {}, meta), false);
  assert.equal(read("EXISTS b AND EXISTS c", {}, meta), true);
  assert.equal(read("EXISTS data.x", { x: { y: 1 } }), true);
  assert.equal(read("EXISTS data.x.y.z", { x: { y: null } }), false);
  assert.equal(read("EXISTS data", null), false);
});

Deno.test("CESQL attributes: a name reads the key as written, else the one in lower case", () => {
  assert.equal(read("contentType", {}, { contentType: "a", contenttype: "b" }), "a");
  assert.equal(read("contentType", {}, { contenttype: "b" }), "b");
  assert.deepEqual(read("contenttype", {}, { contentType: "a" }), MISSING);
  assert.equal(read("1st", {}, { "1st": "x" }), "x");
});

Deno.test("CESQL attributes: members of prototypes are no attributes, keys named like them are", () => {
  for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "length", "at", "0"]) {
    for (const payload of [{}, [], "text", 1, null, new Uint8Array(2), [["x"]]]) {
      assert.deepEqual(read(`data.${name}`, payload), MISSING, name);
      assert.deepEqual(read(`data.${name}.${name}`, { [name]: payload }), MISSING, name);
    }
    assert.equal(read(`data.${name}`, JSON.parse(`{"${name}": "own"}`)), "own");
    if (name !== "0") assert.deepEqual(read(name, {}), MISSING);
  }
});

Deno.test("CESQL data: four levels of the payload, by the case of its keys", () => {
  const payload = { a: { b: { c: { d: 5, e: { f: 1 } } } }, A: "upper", in: { not: "kept" }, list: [1, { x: 2 }] };
  assert.equal(read("data.a.b.c.d", payload), 5);
  assert.equal(read("data.a.b.c.e", payload), `{"f":1}`);
  assert.equal(read("DATA.A", payload), "upper");
  assert.equal(read("data.In.not", payload) instanceof Object, true);
  assert.equal(read("data.in.not", payload), "kept");
  assert.equal(read("data.list", payload), `[1,{"x":2}]`);
  assert.equal(read("data . a . b", payload), `{"c":{"d":5,"e":{"f":1}}}`);
  assert.deepEqual(read("data.list.x", payload), MISSING);
  assert.deepEqual(read("data.a.x.y", payload), MISSING);
});

Deno.test("CESQL data: the payload itself, whatever it is", () => {
  assert.equal(read("data LIKE 'ERROR%'", "ERROR: x"), true);
  assert.equal(read("data + 1", 4), 5);
  assert.equal(read("data", 1.5), "1.5");
  assert.equal(read("data", new Uint8Array([0, 1, 2, 3])), "AAECAw==");
  assert.equal(read("data", { a: new Uint8Array([255]), b: 2n ** 63n }), `{"a":"/w==","b":9223372036854775808}`);
  assert.equal(read("data", []), "[]");
  assert.deepEqual(read("data", null), MISSING);
  assert.equal(read("data.x = 9007199254740993", { x: 1 }) instanceof Object, true);
});

Deno.test("CESQL data: numbers of the payload compare as Integers where they are", () => {
  assert.equal(read("data.n > 100", { n: 101 }), true);
  assert.equal(read("data.n > 100", { n: "101" }), true);
  assert.deepEqual(read("data.n > 100", { n: 100.5 }), { value: false, error: "cast" });
  assert.deepEqual(read("data.n > 100", { n: 2n ** 40n }), { value: false, error: "cast" });
  assert.equal(read("data.n = '1099511627776'", { n: 2n ** 40n }), true);
  assert.equal(read("data.n = '100.5'", { n: 100.5 }), true);
});
