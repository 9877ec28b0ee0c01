/** Owns the tests that nothing a script does is free of charge: what grows with a value's size costs by that size. */

import assert from "node:assert/strict";
import { BUDGET_CASES, type BudgetCase, EQUALITY_CASES, KEY_CASES } from "./budget_cases.ts";
import { compileStarlark } from "./compile.ts";
import { ScriptError, type ScriptOptions, type ScriptResult } from "./program.ts";

/** Sizes compared: one large enough that what any statement costs by itself does not matter. */
const SIZE = 8192;
const KEY_SIZE = 2000;
const EQUALITY_SIZE = 1 << 19;
/** How often the operation is tried in a loop, with how many steps: far more than these pay for. */
const ENDLESS = 1_000_000_000;
const LOOP_STEPS_MAX = 20_000;
const GROWTH = 4;
/** Of four times the size, at least so many times the price: a part of it may not grow. */
const GROWTH_MIN = 2.5;

function indented(lines: string, by: string): string {
  return lines.split("\n").filter((line) => line !== "").map((line) => `${by}${line}\n`).join("");
}

/** Built only where it is needed, as it is large. */
function payloadOf(source: string, size: number): unknown {
  const wide = () => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index]));
  const long = () => Array.from({ length: size }, (_, i) => ({ i }));
  return {
    ...source.includes("payload.wide") ? { wide: wide() } : {},
    ...source.includes("payload.long") ? { long: long() } : {},
  };
}

/**
 * Compiles statements. They are put into a function, where variables may be bound again, unless they bind `payload`,
 * which would be a variable of the function there.
 */
function scriptOf(statements: string, size: number, options: ScriptOptions): () => ScriptResult {
  const sized = statements.replaceAll(/\bN\b/g, String(size));
  const isTop = /^ *payload = /m.test(sized);
  const source = isTop ? sized : `def main():\n${indented(sized, "  ")}  pass\nmain()\n`;
  const compiled = compileStarlark(source);
  assert.ok(compiled.ok, source);
  const run = compiled.program.bind({ constants: {}, parameters: {} }, options);
  const payload = payloadOf(source, size);
  return () => run({ payload, meta: {} });
}

function stepsOf(statements: string, size: number): number {
  try {
    return scriptOf(statements, size, { stepsMax: Infinity })().steps;
  } catch (error) {
    throw new Error(statements, { cause: error });
  }
}

function priceOf({ setup, operation }: BudgetCase, size: number): number {
  return stepsOf(`${setup}\n${operation}`, size) - stepsOf(setup, size);
}

function checkPrices(cases: readonly BudgetCase[], size: number): void {
  const wrong: string[] = [];
  for (const each of cases) {
    const [price, larger] = [priceOf(each, size), priceOf(each, size * GROWTH)];
    const isPaid = price >= size / each.unitsPerStep / 2 && larger >= GROWTH_MIN * price;
    if (!isPaid) wrong.push(`${each.setup}; ${each.operation}: ${price} steps, ${larger} for ${GROWTH} times the size`);
  }
  assert.deepEqual(wrong, []);
}

Deno.test("budget: the price of an operation grows with the size of its values", () => {
  checkPrices(BUDGET_CASES, SIZE);
});

Deno.test("budget: the price of a look into a dict or set grows with the size of the key", () => {
  checkPrices(KEY_CASES, KEY_SIZE);
});

Deno.test("budget: the price of telling texts of one content grows with their size", () => {
  checkPrices(EQUALITY_CASES, EQUALITY_SIZE);
});

Deno.test("budget: every operation, done for ever, ends the script", () => {
  for (const { setup, operation } of [...BUDGET_CASES, ...EQUALITY_CASES, ...KEY_CASES]) {
    const loop = `for i in range(${ENDLESS}):\n${indented(operation, "  ")}`;
    const run = scriptOf(`${setup}\n${loop}`, KEY_SIZE, { stepsMax: LOOP_STEPS_MAX });
    assert.throws(run, (error) => error instanceof ScriptError && error.kind === "steps", `${setup}; ${operation}`);
  }
});
