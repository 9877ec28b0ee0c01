/**
 * Owns the comparison of the compiled path with the library's own evaluator, on generated expressions.
 *
 * `EVENTBOAT_CEL_CASES` is the number of expressions for each seed (25000), `EVENTBOAT_CEL_SEEDS` the seeds, with commas
 * between them (1,2,3,4). Where the library is wrong is said in `tests/suites/cel_library_faults.ts`.
 */

import assert from "node:assert/strict";
import {
  CEL_FAILURE,
  CelJudge,
  libraryInput,
  parseByLibrary,
  plainVerdict,
  shownCel,
} from "../../../tests/suites/cel_judge.ts";
import { CEL_LIBRARY_FAULTS } from "../../../tests/suites/cel_library_faults.ts";
import { celBindings, type CelVariables, emitCel } from "./emit.ts";
import { ExpressionGenerator } from "./expression_generator.ts";
import { lowerCel } from "./lower.ts";
import type { CelNode } from "./node.ts";
import { type CelParse, parseCel } from "./parse.ts";
import { tagCel } from "./tagged.ts";
import { CelFailure } from "./value.ts";

const CASES = Number(Deno.env.get("EVENTBOAT_CEL_CASES") ?? 25_000);
const SEEDS = (Deno.env.get("EVENTBOAT_CEL_SEEDS") ?? "1,2,3,4").split(",").map(Number);
/** Of all evaluations, the share that must give a value for the comparison to mean much. */
const VALUES_SHARE_MIN = 0.35;

const NAMING = { variables: new Set(["payload", "meta", "constants", "parameters"]), container: "", isLate: true };
const NOTHING = { constants: {}, parameters: {} };

/** Messages of every shape that data has; the expressions read the same names from each. */
const FULL = {
  n: 1,
  f: 1.5,
  z: 0,
  s: "abc",
  e: "",
  t: true,
  a: [1, 2, 3],
  l: ["x", "abc", "é"],
  m: { k: "v", n: 2, x: { y: 7 }, nil: null },
  mixed: [1, "1", true, { q: 1 }, null, [1, [2]]],
  items: [{ id: 1, on: true }, { id: 2, on: false }],
  constructor: "c",
  length: 4,
  big: 2n ** 63n - 1n,
  none: null,
};

const PAYLOADS: readonly unknown[] = [
  FULL,
  { ...FULL, n: -3, f: 1e300, z: -0, s: "x", t: false, a: [], l: [], m: {}, items: [{ id: "1" }], big: 2n ** 64n - 1n },
  {
    ...FULL,
    n: 5e-324,
    z: 2 ** 53,
    s: "🤗e\u0301",
    e: new Uint8Array([97, 255]),
    m: { toString: 1, k: [[]] },
    big: -1n,
  },
  { n: "1", s: 7, t: "true", a: { k: 1 }, l: "list", m: [1], mixed: 3, items: null, e: new Uint8Array() },
  [1, "abc", { k: 1, n: 2 }, [null], true],
  "text",
  null,
  7.5,
];

/** Value and type of a result of ours, in one text. */
function ours(value: unknown): string {
  return value instanceof CelFailure ? CEL_FAILURE : shownCel(tagCel(value));
}

/** What a tree gives for each payload: in a message, and the first of them as a constant too, which is folded. */
function oursOf(root: CelNode, payloads: readonly unknown[]): readonly string[] {
  const run = emitCel(root, celBindings(NOTHING));
  const results = payloads.map((payload) => ours(run({ payload, meta: {} })));
  const fixed: CelVariables = new Map([["payload", { kind: "fixed", value: payloads[0] }]]);
  const folded = ours(emitCel(root, fixed)({ payload: undefined, meta: {} }));
  return folded === results[0] ? results : results.map((result) => `${result}, but ${folded} as a constant`);
}

/** A text as the library's tree and as ours. Parsing takes most of the time, and its parser is ours too. */
function treesOf(source: string): { readonly expr: CelParse["expr"]; readonly root: CelNode } {
  const parsed = parseCel(source);
  if ("issues" in parsed) assert.fail(`${source}: ${parsed.issues[0]?.message}`);
  const { root, issues } = lowerCel(parsed.expr, { ...NAMING, source, ...parsed });
  assert.deepEqual(issues, [], source);
  return { expr: parsed.expr, root };
}

/** Payloads each expression is evaluated on: all of them would say little more and take much longer. */
const PAYLOADS_PER_EXPRESSION = 2;

for (const seed of SEEDS) {
  Deno.test(`compileCel: gives what the library gives, or fails where it fails, on generated expressions, seed ${seed}`, () => {
    using judge = new CelJudge();
    const generator = new ExpressionGenerator(seed);
    const inputs = PAYLOADS.map(libraryInput);
    let values = 0;
    for (let index = 0; index < CASES; index++) {
      const source = generator.next();
      const chosen = Array.from({ length: PAYLOADS_PER_EXPRESSION }, (_, step) => chosenPayload(index, step));
      const { expr, root } = treesOf(source);
      const verdict = judge.plan(expr);
      const expected = chosen.map((position) => verdict({ payload: inputs[position] ?? null }));
      const found = oursOf(root, chosen.map((position) => PAYLOADS[position]));
      for (const [place, wanted] of expected.entries()) {
        const where = `expression ${index} of seed ${seed}, payload ${chosen[place]}: ${source}`;
        if (found[place] !== wanted) assert.fail(`${where}\n  gives ${found[place]}\n  not   ${wanted}`);
        if (wanted !== CEL_FAILURE) values += 1;
      }
    }
    const least = CASES * PAYLOADS_PER_EXPRESSION * VALUES_SHARE_MIN;
    assert.ok(values > least, `more evaluations must give a value than ${values}`);
  });
}

/** The first payloads have the names that expressions read, so they come most often. */
function chosenPayload(index: number, step: number): number {
  return step === 0 ? index % 3 : (index + 1) % PAYLOADS.length;
}

Deno.test("the library's list of faults: each is one still, the judge mends what it says, ours is right", () => {
  const variables = { payload: new Map([["a", null]]) };
  const trees = CEL_LIBRARY_FAULTS.map((fault) => ({ fault, expr: parseByLibrary(fault.expression) }));
  for (const { fault, expr } of trees) {
    assert.notEqual(plainVerdict(expr)(variables), fault.gives, `${fault.expression}: the library is right now`);
    assert.deepEqual(
      oursOf(treesOf(fault.expression).root, [{ a: null }]),
      [fault.gives],
      `${fault.expression}: ${fault.reason}`,
    );
  }
  using judge = new CelJudge();
  for (const { fault, expr } of trees) {
    assert.equal(judge.plan(expr)(variables) === fault.gives, fault.isMended, `${fault.expression}: mended or not`);
  }
});
