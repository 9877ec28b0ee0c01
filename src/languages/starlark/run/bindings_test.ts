/** Owns the tests of payload and meta: read in place, copied on write, and what comes out of a run. */

import assert from "node:assert/strict";
import { compileStarlark } from "../compile.ts";
import { failureOf, runScript } from "../script_probe.ts";

/** A payload that throws when something is written to it. */
function frozen<T extends object>(data: T): T {
  for (const value of Object.values(data)) if (typeof value === "object" && value !== null) frozen(value);
  return Object.freeze(data);
}

function sample() {
  return frozen({
    amount: 12.5,
    quantity: 4,
    user: { name: "Ada", tier: 4, address: { city: "Oslo" } },
    items: [{ price: 1, tags: ["a"] }, { price: 2, tags: [] }],
    other: { untouched: true },
    nothing: null,
    big: 9007199254740993n,
  });
}

Deno.test("payload: a script that only reads gives back the very same objects", () => {
  const payload = sample();
  const meta = frozen({ source: "x" });
  const source = `
total = payload.amount * payload.quantity
name = payload["user"].name.upper()
city = payload.user.address.city
seen = [item.price for item in payload["items"]]
tags = sorted(payload["items"][0].tags)
text = str(payload) + str(meta)
keys = payload.keys()
copy = dict(payload)
local = {"amount": 1}
local.amount = 2
`;
  const result = runScript(source, { payload, meta });
  assert.equal(result.payload, payload);
  assert.deepEqual([result.payloadChanged, result.metaChanged, result.filtered], [false, false, false]);
  assert.equal(result.meta, undefined);
});

Deno.test("payload: a write copies the path to it and shares the rest", () => {
  const payload = sample();
  const result = runScript('payload.user.address.city = "Rome"', { payload });
  const changed = result.payload as ReturnType<typeof sample>;
  assert.equal(result.payloadChanged, true);
  assert.deepEqual(changed, { ...payload, user: { ...payload.user, address: { city: "Rome" } } });
  assert.equal(payload.user.address.city, "Oslo");
  assert.equal(changed.items, payload.items);
  assert.equal(changed.other, payload.other);
  assert.notEqual(changed.user, payload.user);
});

Deno.test("payload: writes through variables, loops and functions reach it", () => {
  const payload = sample();
  const source = `
u = payload.user
a = u.address
a.city = "Rome"
u["tier"] += 1
def mark(item):
    item.seen = True
    item.tags.append("new")
for item in payload["items"]:
    mark(item)
payload["items"].append({"price": 3})
same = [payload.user.address.city, u.address == a, payload["items"][0].seen]
payload.same = same
`;
  const changed = runScript(source, { payload }).payload;
  assert.deepEqual(changed, {
    ...payload,
    user: { name: "Ada", tier: 5, address: { city: "Rome" } },
    items: [{ price: 1, tags: ["a", "new"], seen: true }, { price: 2, tags: ["new"], seen: true }, { price: 3 }],
    same: ["Rome", true, true],
  });
});

Deno.test("payload: one dict in two places stays one dict", () => {
  const source = `
payload.copy = payload.user
payload.user.tier = 9
payload.copy.name = "Eve"
`;
  const { payload } = runScript(source, { payload: frozen({ user: { name: "Ada", tier: 4 } }) });
  assert.deepEqual(payload, { user: { name: "Eve", tier: 9 }, copy: { name: "Eve", tier: 9 } });
});

Deno.test("payload: what was replaced is no part of it any more", () => {
  const source = `
u = payload.user
payload.user = 1
u.name = "lost"
l = payload.pop("list")
l.append(9)
payload.list2 = l
v = payload.deep.inner
payload.deep = {"inner": 0}
v.x = 5
`;
  const payload = frozen({ user: { name: "Ada" }, list: [1], deep: { inner: { x: 1 } } });
  assert.deepEqual(runScript(source, { payload }).payload, { user: 1, deep: { inner: 0 }, list2: [1, 9] });
});

Deno.test("payload: lists of a message, changed in every way", () => {
  const source = `
l = payload.l
first = l[0]
l.insert(0, "x")
first.a = 2
l[2].b = 3
l.pop(3)
l.extend([first])
payload.n = [len(l), first in l, l.index(first)]
`;
  const payload = frozen({ l: [{ a: 1 }, { b: 1 }, { c: 1 }] });
  assert.deepEqual(runScript(source, { payload }).payload, {
    l: ["x", { a: 2 }, { b: 3 }, { a: 2 }],
    n: [4, true, 1],
  });
});

Deno.test("payload: keys are taken out without a trace in the message", () => {
  const payload = frozen(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, { n: index }])));
  const source = `
for i in range(0, 100, 2):
    payload.pop("k%d" % i)
payload.k1.n = "one"
payload.k0 = "again"
def count(): return len(payload)
payload["count"] = count()
`;
  const changed = runScript(source, { payload }).payload as Record<string, unknown>;
  assert.equal(Object.keys(changed).length, 52);
  assert.deepEqual([changed["k1"], changed["k3"], changed["k0"], changed["count"]], [
    { n: "one" },
    payload["k3"],
    "again",
    51,
  ]);
  assert.equal(changed["k3"], payload["k3"]);
  assert.equal(Object.keys(payload).length, 100);
});

Deno.test("payload: bound again as any value", () => {
  const cases: [string, unknown][] = [
    ["payload = 5", 5],
    ['payload = "text"', "text"],
    ["payload = [1, (2, 3), range(2)]", [1, [2, 3], [0, 1]]],
    ["payload = 2.0", 2],
    ["payload = 1 << 64", 18446744073709551616n],
    ["payload = {'a': {'b': set([1])}}", { a: { b: [1] } }],
    ["payload = payload.user", { name: "Ada" }],
    ["payload = {'old': payload}", { old: { user: { name: "Ada" } } }],
    ["payload = True", true],
  ];
  for (const [source, expected] of cases) {
    const result = runScript(source, { payload: frozen({ user: { name: "Ada" } }) });
    assert.deepEqual(result.payload, expected, source);
    assert.deepEqual([result.payloadChanged, result.filtered], [true, false], source);
  }
  assert.deepEqual(runScript('payload = b"\\xff"').payload, Uint8Array.of(255));
  assert.equal(runScript("payload = payload", { payload: sample() }).payloadChanged, false);
});

Deno.test("payload: None filters, a payload that was null does not", () => {
  assert.equal(runScript("payload = None").filtered, true);
  assert.equal(runScript("if payload.drop: payload = None", { payload: { drop: true } }).filtered, true);
  assert.equal(runScript("if payload.drop: payload = None", { payload: { drop: false } }).filtered, false);
  assert.equal(runScript("x = payload == None", { payload: null }).filtered, false);
  assert.equal(runScript("payload = None\npayload = 1").filtered, false);
  // A message that is null is taken away only by a statement that runs.
  assert.equal(runScript("if payload == 1: payload = None", { payload: null }).filtered, false);
  assert.equal(runScript("payload = None", { payload: null }).filtered, true);
});

Deno.test("payload: text, numbers, lists and bytes are bound as such", () => {
  assert.equal(runScript("payload = payload.upper()", { payload: "abc" }).payload, "ABC");
  assert.equal(runScript("payload = payload + 1", { payload: 41 }).payload, 42);
  assert.equal(runScript("payload = payload * 2", { payload: 2n ** 60n }).payload, 2n ** 61n);
  assert.equal(runScript("payload = str(payload)", { payload: new TextEncoder().encode("héllo") }).payload, "héllo");
  const list = frozen([1, { a: 1 }]);
  assert.deepEqual(runScript("payload.append(3)", { payload: list }).payload, [1, { a: 1 }, 3]);
  assert.deepEqual(runScript("payload[1].a = 2", { payload: list }).payload, [1, { a: 2 }]);
  assert.equal(runScript("x = payload[1].a", { payload: list }).payload, list);
  failureOf("payload.x = 1", { payload: "abc" });
  failureOf("x = payload.x", { payload: [1] });
  failureOf("x = payload.x.y", { payload: { x: "text" } });
  failureOf("x = payload.length", { payload: [1] });
  failureOf("x = payload.x.length", { payload: { x: [1] } });
  failureOf("x = payload.x.constructor.name", { payload: { x: [1] } });
  failureOf('x = payload.x["0"]', { payload: { x: "ab" } });
});

Deno.test("payload: an integral number is an int, any other a float", () => {
  const payload = JSON.parse('{"a":1,"b":1.5,"c":1e2,"d":-0,"e":1e400,"f":5e-324,"g":1e20}');
  const source = 'payload = [type(payload[k]) for k in "a b c d f g".split()] + [str(payload.d), payload.g + 1]';
  assert.deepEqual(runScript(source, { payload }).payload, [
    ...["int", "float", "int", "int", "float", "int"],
    "0",
    100000000000000000001n,
  ]);
});

Deno.test("payload: numbers come out exact", () => {
  const source = "payload.x = payload.x + 0\npayload.y = payload.x * 1.0 if payload.x < 1000 else 0";
  for (const x of [0, 1, -1, 0.1, 5e-324, 2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 64n - 1n, 10n ** 30n]) {
    const { payload } = runScript(source, { payload: frozen({ x }) });
    assert.equal((payload as { x: unknown }).x, x);
  }
  assert.deepEqual(runScript("payload.x = 0.1 + 0.2\npayload.y = 4 / 2").payload, { x: 0.1 + 0.2, y: 2 });
});

Deno.test("payload: what JSON cannot hold is refused, with the field's name", () => {
  const cases: [string, RegExp][] = [
    ['payload.x = float("nan")', /^payload\.x is NaN/],
    ["payload.x = 1e300 * 1e300", /^payload\.x is Infinity/],
    ['payload["a b"] = [0, len]', /^payload\["a b"\]\[1\] is builtin/],
    ["payload.x = {1: 2}", /^payload\.x has a key that is int/],
    ["payload.x = payload", /^payload\.x holds itself/],
    ["x = [1]\nx.append(x)\npayload = x", /^payload\[1\] holds itself/],
    ["payload = lambda: 1", /^payload is function/],
    ["payload = [json]", /^payload\[0\] is module/],
    ["meta.x = b''", /^meta\.x is bytes/],
    ["meta = 5", /^meta is int/],
    ["meta = None", /^meta is NoneType/],
  ];
  for (const [source, message] of cases) assert.match(failureOf(source).message, message);
});

Deno.test("meta: read and written like payload, alone", () => {
  const meta = frozen({ source: "a", attempt: 1 });
  const result = runScript('meta.route = meta.source + "!"\nmeta["attempt"] += 1', { meta });
  assert.deepEqual(result.meta, { source: "a", attempt: 2, route: "a!" });
  assert.deepEqual([result.metaChanged, result.payloadChanged], [true, false]);
  assert.deepEqual(meta, { source: "a", attempt: 1 });
  assert.deepEqual(runScript('meta = {"only": 1}', { meta }).meta, { only: 1 });
  assert.equal(runScript("meta = meta", { meta }).metaChanged, false);
  assert.deepEqual(runScript("meta = payload", { meta, payload: frozen({ a: 1 }) }).meta, { a: 1 });
  assert.equal(runScript('x = meta.get("zzz")', { meta }).metaChanged, false);
});

Deno.test("meta: takes no data of a payload that a store could not write down", () => {
  const nested = (levels: number, core: unknown) => {
    for (let level = 0; level < levels; level++) core = { in: core };
    return { data: core };
  };
  const metaOf = (payload: unknown, source = "meta.copy = payload.data") => runScript(source, { payload }).meta;
  assert.deepEqual(metaOf(nested(3, [1])), { copy: { in: { in: { in: [1] } } } });
  assert.ok(metaOf(nested(499, 1)));
  for (const source of ["meta.copy = payload.data", "meta = payload", 'meta = {"copy": [payload]}']) {
    const deep = failureOf(source, { payload: nested(20_000, 1) });
    assert.equal(deep.kind, "runtime");
    assert.match(deep.message, /^meta\S* nests deeper than 500 levels/);
    const bytes = failureOf(source, { payload: nested(1, [new Uint8Array(3)]) });
    assert.match(bytes.message, /^meta\S* holds bytes/);
  }
});

Deno.test("meta: put together only when a script looks at it", () => {
  const compiled = compileStarlark("if payload.look: meta.seen = True");
  assert.ok(compiled.ok);
  const run = compiled.program.bind({ constants: {}, parameters: {} });
  let asked = 0;
  const scope = (look: boolean) => ({
    payload: { look },
    get meta() {
      asked++;
      return {};
    },
  });
  run(scope(false));
  assert.equal(asked, 0);
  run(scope(true));
  assert.equal(asked, 1);
});

Deno.test("constants and parameters: frozen, nested ones too", () => {
  const constants = { rate: 2, limits: { low: 1, list: [1] } };
  const source = "payload.x = constants.rate * constants.limits.low + constants['limits']['list'][0]";
  assert.deepEqual(runScript(source, { constants }).payload, { x: 3 });
  for (
    const write of [
      "constants.rate = 3",
      "constants.limits.low = 2",
      "constants.limits['list'].append(2)",
      "constants.pop('rate')",
      "parameters.x = 1",
      "remove(constants, 'rate')",
      "x = constants.limits\nx.low = 5",
    ]
  ) {
    assert.equal(failureOf(write, { constants }).kind, "runtime", write);
  }
  assert.deepEqual(constants, { rate: 2, limits: { low: 1, list: [1] } });
  const { payload } = runScript("payload.limits = constants.limits", { constants });
  assert.deepEqual(payload, { limits: { low: 1, list: [1] } });
});

Deno.test("a failed run leaves no trace, and the next one starts afresh", () => {
  const compiled = compileStarlark("payload.a = 1\npayload.b.c = 2\nx = 1 // payload.d");
  assert.ok(compiled.ok);
  const run = compiled.program.bind({ constants: {}, parameters: {} });
  const bad = frozen({ b: { c: 0 }, d: 0 });
  assert.throws(() => run({ payload: bad, meta: {} }));
  assert.deepEqual(bad, { b: { c: 0 }, d: 0 });
  assert.deepEqual(run({ payload: frozen({ b: { c: 0 }, d: 1 }), meta: {} }).payload, { b: { c: 2 }, d: 1, a: 1 });
});

Deno.test("branches: two runs on one message never see each other's writes", () => {
  const payload = frozen({ user: { n: 0 }, list: [{ n: 0 }] });
  const first = runScript("payload.user.n = 1\npayload.list[0].n = 1", { payload }).payload;
  const second =
    runScript("payload.user.m = payload.user.n\npayload.list[0].m = payload.list[0].n", { payload }).payload;
  assert.deepEqual(first, { user: { n: 1 }, list: [{ n: 1 }] });
  assert.deepEqual(second, { user: { n: 0, m: 0 }, list: [{ n: 0, m: 0 }] });
});
