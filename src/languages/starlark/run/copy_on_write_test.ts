/**
 * Owns the property tests of copying on write: a script on a message does what it would do on data of its own, and the
 * message stays as it was.
 */

import assert from "node:assert/strict";
import { compileStarlark } from "../compile.ts";
import { ScriptError } from "../program.ts";

/** Seeds tried by default; `FUZZ_SEEDS=from,count` tries others. */
const [SEED_FROM, SEEDS] = (Deno.env.get("FUZZ_SEEDS") ?? "1,200").split(",").map(Number) as [number, number];
const STATEMENTS = 12;
/** Makes the payload data of the script's own, of which nothing is shared with the message. */
const EAGER = "payload = json.decode(json.encode(payload))\nmeta = json.decode(json.encode(meta))\n";

/** Keys in the order of their text, which is the order that json.encode gives them. */
const PAYLOAD = {
  deep: { a: { b: { c: { d: 1 } } } },
  flat: 1,
  items: [{ price: 1, tags: ["a"] }, { price: 2, tags: [] }, [3, [4]]],
  user: { address: { city: "Oslo", zip: null }, name: "Ada", tier: 4 },
};
const META = { attempt: 1, source: "x" };

const PLACES =
  ("payload payload.user payload.user.address payload.deep payload.deep.a payload.deep.a.b payload.deep.a.b.c " +
    "payload['items'] payload['items'][0] payload['items'][1].tags payload['items'][2] payload['items'][2][1] meta v0 v1 v2")
    .split(" ");
const KEYS = ["flat", "user", "a", "b", "tags", "new", "name"];

class StatementWriter {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2_654_435_761) >>> 0;
  }

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }

  #pick(from: readonly string[]): string {
    return from[this.#below(from.length)] ?? "";
  }

  #value(): string {
    const place = this.#pick(PLACES);
    return this.#pick(["1", '"text"', "None", "{}", "[]", '{"k": [1]}', place, place, `[${place}]`, `dict(${place})`]);
  }

  #read(): string {
    const [place, other, key] = [this.#pick(PLACES), this.#pick(PLACES), this.#pick(KEYS)];
    return this.#pick([
      `seen.append(str(${place}))`,
      `seen.append(len(${place}))`,
      `seen.append(${place} == ${other})`,
      `seen.append("${key}" in ${place})`,
      `seen.append([str(q) for q in ${place}])`,
      `seen.append(json.encode(${place}))`,
      `seen.append(getattr(${place}, "${key}", 0) != 1)`,
      `v${this.#below(3)} = ${place}`,
    ]);
  }

  #write(): string {
    const [place, key] = [this.#pick(PLACES), this.#pick(KEYS)];
    return this.#pick([
      `${place}.${key} = ${this.#value()}`,
      `${place}["${key}"] = ${this.#value()}`,
      `${place}.${key} += 1`,
      `${place}.pop("${key}", None)`,
      `remove(${place}, "${key}")`,
      `${place}.update({"${key}": ${this.#value()}})`,
      `${place}.setdefault("${key}", ${this.#value()})`,
      `${place}.append(${this.#value()})`,
      `${place}.insert(0, ${this.#value()})`,
      `${place}[0] = ${this.#value()}`,
      `${place}.pop(0)`,
      `${place}.extend([${this.#value()}])`,
      `${place}.clear()`,
      `for q in list(${place}): q.mark = 1`,
    ]);
  }

  /** Most statements fit some places only: each is tried where its kind of value stands. */
  statement(writes: boolean): string {
    for (;;) {
      const text = writes && this.#below(2) === 0 ? this.#write() : this.#read();
      const isForList = /\.(?:append|insert|extend)\(|\[0\] =|\.pop\(0\)/.test(text);
      const isOnList = /^(?:for q in list\()?(?:payload\['items'\](?!\[[0])|v2)/.test(text);
      if (isForList === isOnList || /^seen|^v\d =/.test(text)) return text;
    }
  }
}

/** A script in a function, where variables may be bound again. */
function scriptOf(seed: number, writes: boolean): string {
  const writer = new StatementWriter(seed);
  const lines = Array.from({ length: STATEMENTS }, () => `    ${writer.statement(writes)}\n`);
  return `def main():
    seen = []
    v0, v1, v2 = payload.user, payload.deep, payload["items"]
${lines.join("")}    print(json.encode(seen))
main()
`;
}

function frozen<T extends object>(data: T): T {
  for (const value of Object.values(data)) if (typeof value === "object" && value !== null) frozen(value);
  return Object.freeze(data);
}

interface Outcome {
  readonly payload?: unknown;
  readonly meta?: unknown;
  readonly failure?: string;
  readonly printed: string;
  readonly isUntouched: boolean;
}

function outcomeOf(source: string, scope: { payload: object; meta: typeof META }): Outcome {
  const compiled = compileStarlark(source);
  assert.ok(compiled.ok, source);
  let printed = "";
  const run = compiled.program.bind({ constants: {}, parameters: {} }, { print: (text) => printed += text });
  try {
    const result = run(scope);
    const isUntouched = result.payload === scope.payload && result.meta === undefined;
    return { payload: result.payload, meta: result.meta ?? scope.meta, printed, isUntouched };
  } catch (error) {
    assert.ok(error instanceof ScriptError && !error.message.startsWith("internal"), `${error}\n${source}`);
    // Which of several parts that cannot leave is named depends on the order they are looked at.
    const message = error.message.replace(/^(?:payload|meta)\S* .*/, "a part cannot leave");
    return { failure: `${error.kind} ${message}`, printed, isUntouched: false };
  }
}

Deno.test("copying on write: a script does on a message what it does on data of its own, and leaves no trace", () => {
  const scope = { payload: frozen(structuredClone(PAYLOAD)), meta: frozen({ ...META }) };
  const seen = { ended: 0, failed: 0 };
  for (let seed = SEED_FROM; seed < SEED_FROM + SEEDS; seed++) {
    const source = scriptOf(seed, true);
    const { isUntouched: _, ...lazy } = outcomeOf(source, scope);
    const { isUntouched: __, ...eager } = outcomeOf(EAGER + source, scope);
    assert.deepEqual(lazy, eager, source);
    assert.deepEqual(scope, { payload: PAYLOAD, meta: META }, source);
    seen[lazy.failure === undefined ? "ended" : "failed"]++;
  }
  assert.ok(Math.min(seen.ended, seen.failed) > SEEDS / 20, JSON.stringify(seen));
});

Deno.test("copying on write: branches on one message do not see each other, whatever the order", () => {
  const scope = { payload: frozen(structuredClone(PAYLOAD)), meta: frozen({ ...META }) };
  const sources = Array.from({ length: 40 }, (_, index) => scriptOf(SEED_FROM + index, true));
  const alone = sources.map((source) => outcomeOf(source, { payload: structuredClone(PAYLOAD), meta: { ...META } }));
  const together = sources.map((source) => outcomeOf(source, scope));
  const again = sources.toReversed().map((source) => outcomeOf(source, scope)).toReversed();
  assert.deepEqual(together, alone);
  assert.deepEqual(again, alone);
});

Deno.test("copying on write: a script that only reads gives back the very message", () => {
  const scope = { payload: frozen(structuredClone(PAYLOAD)), meta: frozen({ ...META }) };
  for (let seed = SEED_FROM; seed < SEED_FROM + SEEDS; seed++) {
    const source = scriptOf(seed, false);
    const outcome = outcomeOf(source, scope);
    assert.ok(outcome.isUntouched || outcome.failure !== undefined, source);
  }
});

Deno.test("copying on write: what a variable holds is the message's own part, both ways", () => {
  const result = (source: string, payload: object = PAYLOAD) => {
    return outcomeOf(source, { payload: frozen(structuredClone(payload)), meta: frozen({ ...META }) }).payload;
  };
  const data = { a: { b: 0 }, l: [{ n: 0 }] };
  assert.deepEqual(result("x = payload.a\nx.b = 1\npayload.c = payload.a.b", data), { ...data, a: { b: 1 }, c: 1 });
  assert.deepEqual(result("x = payload.a\npayload.a.b = 2\npayload.c = x.b", data), { ...data, a: { b: 2 }, c: 2 });
  assert.deepEqual(result("x = payload.l[0]\nx.n = 1\npayload.c = payload.l[0].n", data), {
    ...data,
    l: [{ n: 1 }],
    c: 1,
  });
  assert.deepEqual(result("for x in payload.l: x.n += 5\npayload.c = payload.l[0].n", data), {
    ...data,
    l: [{ n: 5 }],
    c: 5,
  });
  assert.deepEqual(result("payload.c = payload.a\npayload.c.b = 7", data), { ...data, a: { b: 7 }, c: { b: 7 } });
  assert.deepEqual(result("x = payload\nx.a = 1\npayload.l = x.a", data), { a: 1, l: 1 });
  assert.deepEqual(result("old = payload\npayload = {'n': 1}\nold.a.b = 9\npayload.o = old.a", data), {
    n: 1,
    o: { b: 9 },
  });
  assert.deepEqual(result("remove(payload, 'a')\npayload.c = 'a' in payload", data), { l: data.l, c: false });
  assert.deepEqual(result("remove(payload.a, 'b')\nremove(payload.l[0], 'nothing')", data), { a: {}, l: data.l });
});
