/**
 * Owns the comparison of the compiled path with the library's own evaluator, on generated expressions.
 *
 * `EVENTBOAT_CEL_CASES` is the number of expressions (3000), `EVENTBOAT_CEL_SEED` the seed (1).
 *
 * The library is the judge of semantics except where the language's own definition says otherwise. These the generator
 * does not make, or the library is given a right function for; each is pinned by a test of its own beside the code:
 * - a member that is null is there, for `has()` and `in`: the library takes it for absent;
 * - a list has no element `[true]`, and `[0.5]` is a failure that `||` absorbs: there it throws;
 * - the texts `""`, `" 1"`, `"0x1"` and `"x"` are no doubles or ints: there they are;
 * - a day that its month lacks is no timestamp; `timestamp(1)` is a second after 1970, there a millisecond;
 * - strings order by code points: there by UTF-16 units, which differs beyond the first plane;
 * - one integer may not stand twice as a key, as int and as uint;
 * - the quotient of two uints may need all 64 bits;
 * - the milliseconds of a timestamp are cut, there rounded, and the day of the year does not depend on the time zone of the machine.
 */

import assert from "node:assert/strict";
import {
  celEnv,
  celFunc,
  type CelInput,
  CelScalar,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  mapType,
  parse,
  plan,
} from "@bufbuild/cel";
import { compileCelTree } from "./compile.ts";
import { ExpressionGenerator } from "./expression_generator.ts";
import { celBindings, emitCel } from "./emit.ts";
import { asUint, CelDuration, CelFailure, CelMap, CelTimestamp, CelType, kindOf } from "./value.ts";

const CASES = Number(Deno.env.get("EVENTBOAT_CEL_CASES") ?? 3000);
const SEED = Number(Deno.env.get("EVENTBOAT_CEL_SEED") ?? 1);

const PAYLOADS: readonly Readonly<Record<string, unknown>>[] = [
  {
    n: 1,
    f: 1.5,
    z: 0,
    s: "abc",
    e: "",
    t: true,
    a: [1, 2, 3],
    l: ["x", "abc", "é"],
    m: { k: "v", n: 2, x: { y: 7 } },
    mixed: [1, "1", true, { q: 1 }],
    items: [{ id: 1, on: true }, { id: 2, on: false }],
    constructor: "c",
    length: 4,
  },
  { n: -3, f: 1e300, z: 5, s: "x", t: false, a: [], l: [], m: {}, mixed: [null], items: [{ id: "1" }], big: 2n ** 62n },
  { n: "1", s: 7, t: "true", a: { k: 1 }, l: "list", m: [1], mixed: 3, items: null, e: new Uint8Array([97, 255]) },
];

const FAILED = "failure";

/** Value and kind of a result of ours, in one text. */
function ours(value: unknown): string {
  if (value instanceof CelFailure) return FAILED;
  const kind = kindOf(value);
  if (Array.isArray(value)) return `[${value.map(ours).join()}]`;
  if (kind === "map") return sorted(value instanceof CelMap ? value.entries() : Object.entries(value as object), ours);
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (value instanceof CelTimestamp || value instanceof CelDuration) return `${kind} ${value.nanos}`;
  if (value instanceof CelType) return `type ${value.typeName}`;
  return `${kind} ${kind === "uint" ? asUint(value) : String(value)}`;
}

/** The same of a result of the library. */
function theirs(value: unknown): string {
  if (isCelError(value)) return FAILED;
  if (isCelList(value)) return `[${[...value].map(theirs).join()}]`;
  if (isCelMap(value)) return sorted([...value.entries()], theirs);
  if (isCelUint(value)) return `uint ${value.value}`;
  if (isCelType(value)) return `type ${value.name}`;
  const isMessage = typeof value === "object" && value !== null && "desc" in value && "message" in value;
  if (!isMessage) return ours(value);
  const { desc, message } = value as unknown as TimeMessage; // the reflected message has no exported type of its own
  return `${desc.typeName} ${message.seconds * 1_000_000_000n + BigInt(message.nanos)}`;
}

interface TimeMessage {
  readonly desc: { readonly typeName: string };
  readonly message: { readonly seconds: bigint; readonly nanos: number };
}

function sorted(entries: readonly [unknown, unknown][], render: (value: unknown) => string): string {
  return `{${entries.map(([key, value]) => `${render(key)}: ${render(value)}`).sort().join()}}`;
}

function oursOf(source: string): readonly string[] {
  const variables = new Set(["payload", "meta", "constants", "parameters"]);
  const compiled = compileCelTree(source, { variables, container: "", isLate: true });
  if ("issues" in compiled) return PAYLOADS.map(() => FAILED);
  const run = emitCel(compiled.root, celBindings({ constants: {}, parameters: {} }));
  return PAYLOADS.map((payload) => ours(run({ payload, meta: {} })));
}

const INTEGER_REGEXP = /^[0-9]+$/;
const DOUBLE_REGEXP = /^[0-9]+$|^-?[0-9]+\.[0-9]+$/;

const MAP = mapType(CelScalar.DYN, CelScalar.DYN);
const KEY_TYPES = [CelScalar.STRING, CelScalar.BOOL, CelScalar.INT, CelScalar.UINT, CelScalar.DOUBLE];

/** The library with its conversions of text to numbers made strict: it reads `""`, `" 1"` and `"0x1"`, and "x" as NaN. */
const LIBRARY = celEnv({
  funcs: [
    celFunc("double", [CelScalar.STRING], CelScalar.DOUBLE, (text) => Number(checked(text, DOUBLE_REGEXP))),
    celFunc("int", [CelScalar.STRING], CelScalar.INT, (text) => BigInt(checked(text, INTEGER_REGEXP))),
    ...KEY_TYPES.map((type) => celFunc("@in", [type, MAP], CelScalar.BOOL, hasKey)),
    celFunc(
      "_/_",
      [CelScalar.UINT, CelScalar.UINT],
      CelScalar.UINT,
      (left, right) => celUint(left.value / right.value),
    ),
    celFunc("uint", [CelScalar.STRING], CelScalar.UINT, (text) => celUint(BigInt(checked(text, INTEGER_REGEXP)))),
  ],
});
function hasKey(wanted: CelInput, map: CelMapOf): boolean {
  const plain = (key: unknown) => isCelUint(key) ? key.value : key;
  // Loose, because an int equals the double of the same value.
  return [...map.keys()].some((key) => plain(key) === plain(wanted) || bothNumbers(plain(key), plain(wanted)));
}

type CelMapOf = { keys(): Iterable<unknown> };

function bothNumbers(left: unknown, right: unknown): boolean {
  const isNumber = (value: unknown) => typeof value === "number" || typeof value === "bigint";
  return isNumber(left) && isNumber(right) && left == right;
}

function checked(text: string, pattern: RegExp): string {
  if (pattern.test(text)) return text;
  throw new Error("not a number");
}

function theirsOf(source: string): readonly string[] {
  return PAYLOADS.map((payload) => {
    try {
      return theirs(plan(LIBRARY, parse(source))({ payload: asMaps(payload) }));
    } catch {
      // It also throws for what it elsewhere returns as an error.
      return FAILED;
    }
  });
}

/** Plain data with maps for objects: the library refuses an object with a member named `constructor`. */
function asMaps(value: unknown): CelInput {
  if (Array.isArray(value)) return value.map(asMaps);
  const isObject = typeof value === "object" && value !== null && !(value instanceof Uint8Array);
  if (!isObject) return value as CelInput;
  return new Map(Object.entries(value).map(([key, member]) => [key, asMaps(member)]));
}

Deno.test("compileCel: gives what the library gives, or fails where it fails, on generated expressions", () => {
  const generator = new ExpressionGenerator(SEED);
  let evaluated = 0;
  for (let index = 0; index < CASES; index++) {
    const source = generator.next();
    const expected = theirsOf(source);
    assert.deepEqual(oursOf(source), expected, `expression ${index} of seed ${SEED}: ${source}`);
    evaluated += expected.filter((result) => result !== FAILED).length;
  }
  assert.ok(evaluated > CASES, `most evaluations must give a value for the comparison to mean much: ${evaluated}`);
});
