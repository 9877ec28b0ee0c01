/** Owns the fuzz of CESQL: whatever the text, it is refused with positions, or evaluates to a value or a typed error. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { compileCesql, evaluateCesql } from "./compile.ts";

const EXPRESSIONS = 6000;
const NOISES = 4000;
const SEED = 20_260_602;
const DEPTH_MAX = 5;

const LEAVES = [
  ..."TRUE false 0 1 -1 7 -2147483648 2147483647 'abc' '' '7' 'true' \"q\" 'a%b' '😀' '\ud800'".split(" "),
  ..."id type subject time missing number flag text nothing data data.a data.a.b data.list data.big data.x.y.z.w".split(
    " ",
  ),
];
const OPERATORS = "= != <> < <= > >= + - * / % AND OR XOR".split(" ");
const FUNCTIONS =
  "INT BOOL STRING IS_INT IS_BOOL ABS LENGTH CONCAT CONCAT_WS LOWER UPPER TRIM LEFT RIGHT SUBSTRING NOPE".split(" ");
const PATTERNS = ["'%'", "'a_c'", "'%b%'", "'\\%_'", "''", "'_%_%_'", "'😀%'"];
const SLIPS = [
  ..."()'\"\\,.%=<>!-+_§\0\n",
  " AND ",
  " NOT ",
  " IN ",
  " LIKE ",
  " EXISTS ",
  "data",
  "99999999999",
  "1.5",
  "==",
  "&&",
];

const SCOPES = [
  {
    payload: { a: { b: 7 }, list: [1, "x"], big: 2n ** 70n, x: { y: { z: { w: 1.5 } } } },
    meta: { id: "1", type: "abc" },
  },
  { payload: "a%b", meta: { id: 5, type: null, number: 7, flag: true, text: "😀b", nothing: null, subject: "\ud83d" } },
  { payload: null, meta: {} },
];

class ExpressionWriter {
  #state = SEED;

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }

  pick(choices: readonly string[]): string {
    return choices[this.below(choices.length)] ?? "";
  }

  expression(depth: number): string {
    if (depth === 0 || this.below(5) === 0) return this.pick(LEAVES);
    const below = () => this.expression(depth - 1);
    switch (this.below(8)) {
      case 0:
        return `${this.pick(["NOT ", "-", "- "])}${below()}`;
      case 1:
        return `${below()} ${this.pick(["LIKE", "NOT LIKE"])} ${this.pick(PATTERNS)}`;
      case 2:
        return `${below()} ${this.pick(["IN", "NOT IN"])} (${this.#list(below, 1)})`;
      case 3:
        return `${this.pick(FUNCTIONS)}(${this.#list(below, 0)})`;
      case 4:
        return `(${below()})`;
      case 5:
        return `EXISTS ${this.pick(["id", "missing", "data.a", "nothing"])}`;
      default:
        return `${below()} ${this.pick(OPERATORS)} ${below()}`;
    }
  }

  #list(item: () => string, least: number): string {
    return Array.from({ length: least + this.below(3) }, item).join(", ");
  }

  /** The same with a few slips of the pen. */
  spoiled(text: string): string {
    let result = text;
    for (let slips = 1 + this.below(3); slips > 0; slips--) {
      const at = this.below(result.length + 1);
      result = result.slice(0, at) + (this.below(3) === 0 ? "" : this.pick(SLIPS)) + result.slice(at + this.below(3));
    }
    return result;
  }

  noise(): string {
    return String.fromCharCode(
      ...Array.from({ length: this.below(40) }, () => this.below(this.below(4) ? 128 : 65_536)),
    );
  }
}

/** Judges one text; says whether it compiled. */
function judge(source: string): boolean {
  for (const scope of SCOPES) {
    const result = evaluateCesql(source, scope);
    if ("value" in result) assert.ok(["string", "number", "boolean"].includes(typeof result.value));
    if ("value" in result && typeof result.value === "number") assert.ok(Object.is(result.value, result.value | 0));
  }
  const compiled = compileCesql(source);
  if (compiled.ok) {
    for (const scope of SCOPES) judgeRun(() => compiled.program.bind({ constants: {}, parameters: {} })(scope));
    return true;
  }
  let before = 0;
  assert.ok(compiled.issues.length > 0);
  for (const { message, offset, length = 0 } of compiled.issues) {
    assert.ok(message.length > 0);
    assert.ok(offset >= before && offset + length <= source.length + 1, `${offset}+${length}`);
    before = offset;
  }
  return false;
}

function judgeRun(run: () => unknown): void {
  try {
    assert.ok(["string", "number", "boolean"].includes(typeof run()));
  } catch (caught) {
    if (!(caught instanceof EventboatError)) throw caught;
    assert.ok(caught.code === "expression" || caught.code === "budget");
  }
}

Deno.test("compileCesql: grammatical texts and their misspellings end in a value, a typed error or issues with places", () => {
  const writer = new ExpressionWriter();
  let compiled = 0;
  for (let index = 0; index < EXPRESSIONS; index++) {
    const written = writer.expression(DEPTH_MAX);
    const source = index % 3 === 0 ? writer.spoiled(written) : written;
    try {
      if (judge(source)) compiled++;
    } catch (caught) {
      throw new Error(`expression ${index} of seed ${SEED}: ${JSON.stringify(source)}`, { cause: caught });
    }
  }
  assert.ok(compiled > EXPRESSIONS / 4, `${compiled} compiled`);
});

Deno.test("compileCesql: noise is refused with places, or is an expression by chance", () => {
  const writer = new ExpressionWriter();
  for (let index = 0; index < NOISES; index++) {
    const source = writer.noise();
    try {
      judge(source);
    } catch (caught) {
      throw new Error(`noise ${index} of seed ${SEED}: ${JSON.stringify(source)}`, { cause: caught });
    }
  }
});
