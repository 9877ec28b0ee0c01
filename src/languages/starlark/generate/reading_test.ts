/** Owns the tests of scripts that only read: they do what they would do if they might change something. */

import assert from "node:assert/strict";
import { ScriptError } from "../program.ts";
import { type ProbeOptions, runScript } from "../script_probe.ts";

/** A statement that never runs, with which no script is one that only reads; it has no part in the steps. */
const WRITE_FUNCTION = "\ndef change():\n  payload.changed = 1\n";
const PAYLOADS: readonly unknown[] = [
  { user: { id: "u1", tier: 3, tags: ["a", "b"], none: null, home: { city: "x" } }, amount: 2.5, list: [1, { k: 2 }] },
  { user: null, amount: -0, list: "text" },
  { user: [1, 2], amount: 1n << 70n, list: {} },
  { user: "text", amount: true },
  { user: new Uint8Array([1]), list: [] },
  JSON.parse('{"user":{"__proto__":{"id":1},"constructor":2,"length":3}}'),
  [1, { user: 2 }],
  "text",
  7,
  null,
  new Uint8Array([1, 2]),
];
const SCRIPTS: readonly string[] = [
  "print(payload.user.id, payload['user']['tier'], payload.user.home.city)",
  "print(payload.user, payload.list, payload)",
  "u = payload.user\nprint(u)\nprint(u.id, u['tier'], u.none)\nprint(u.home.city)\nprint(u == payload.user, [u], u)",
  "u = payload.user\nh = u.home\nprint(h.city)\nprint(h, u)\nprint(h.street)",
  "u = payload.user\nprint([t for t in u.tags], u.tags[1], 'a' in u.tags, len(u), str(u), type(u), bool(u))",
  "def f():\n  return u\ndef g():\n  return u.id\nu = payload.user\nprint(f())\nprint(g(), (lambda: u)(), (lambda: u.tier)())",
  "def f():\n  return u.id\nx = f()\nu = payload.user",
  "def f():\n  return u\nx = [f()]\nu = payload.user",
  "x = u.id\nu = payload.user",
  "w = u.home\nu = payload.user",
  "u = payload.nothing",
  "u = payload.user.nothing\nprint(u)",
  "u = payload.items\nprint(u)\nprint(payload.length, payload.constructor)",
  "u = payload.user\nprint(u.items())\nprint(u.length, u.constructor, u.__proto__)",
  "n = payload.amount\nprint(n, type(n), -n, n / 2, n == 2.5, n > 1)",
  "if payload.amount:\n  u = payload.user\nprint(u)\nprint(u.id)",
  "for i in [1, 2]:\n  u = payload.user\nprint(u.id)",
  "l = payload.list\nprint(l[0], l[1].k, [i for i in l], l == payload.list)\nfor x in l:\n  print(x)",
  "print({k: v for k, v in payload.items()}, sorted(payload.keys()), payload.get('user'))",
  "m = meta.m\nprint(m, meta, meta.nothing)",
];

/** All that can be seen of a run. */
function outcome(source: string, options: ProbeOptions): readonly unknown[] {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  try {
    const { steps: _, ...result } = runScript(source, { ...options, print });
    assert.equal(result.payload, options.payload, source);
    return [printed, result];
  } catch (error) {
    assert.ok(error instanceof ScriptError, `${error}\n${source}`);
    return [printed, error.kind, error.message, error.line, error.column, error.backtrace];
  }
}

Deno.test("a script that only reads: the values, failures and places that a script has which might change its message", () => {
  for (const source of SCRIPTS) {
    for (const payload of PAYLOADS) {
      const options = { payload, meta: { m: 1 } };
      assert.deepEqual(outcome(source, options), outcome(source + WRITE_FUNCTION, options), source);
    }
  }
});

Deno.test("a script that only reads: takes the steps of one that might change its message", () => {
  const source = "u = payload.user\ndef f():\n  return u.id\nx = [f(), u.home, payload.list]\n";
  const [payload] = PAYLOADS;
  const definition = 1;
  assert.equal(
    runScript(source, { payload }).steps + definition,
    runScript(source + WRITE_FUNCTION, { payload }).steps,
  );
});

Deno.test("a script that changes what it took from its message: seen wherever it is looked at", () => {
  const changes = [
    "u.id = 2",
    "u['id'] = 2",
    "u.update({'id': 2})",
    "u.pop('id')\nu.setdefault('id', 2)",
    "getattr(u, 'update')([('id', 2)])",
    "f = u.update\nf(id=2)",
    "remove(u, 'id')\nu.update(id=2)",
    "def f(x):\n  x |= {'id': 2}\nf(u)",
    "(lambda x: x.update(id=2))(u)",
    "[x.update(id=2) for x in [u]]",
    "payload = {'user': {'id': 2}}\nu.id = 2",
    "for payload.user.id in [2]: pass",
    "def f():\n  u.id, y = 2, 3\nf()",
    "payload.user.id += 1",
  ];
  for (const change of changes) {
    const source = `u = payload.user\nbefore = payload.user.id\n${change}\nprint(before, u.id, payload.user.id)`;
    const printed: string[] = [];
    const payload = { user: { id: 1 } };
    const result = runScript(source, { payload, print: (text) => printed.push(text) });
    assert.deepEqual([printed, result.payload, payload], [["1 2 2"], { user: { id: 2 } }, { user: { id: 1 } }], source);
  }
  const lists = ["l += [3]", "l.append(3)", "l.insert(2, 3)", "l.extend([3])"];
  for (const change of lists) {
    const source = `v = payload.list\ndef f(l):\n  ${change}\nf(v)\nprint(v, payload.list)`;
    const printed: string[] = [];
    runScript(source, { payload: { list: [1, 2] }, print: (text) => printed.push(text) });
    assert.deepEqual(printed, ["[1, 2, 3] [1, 2, 3]"], source);
  }
});
