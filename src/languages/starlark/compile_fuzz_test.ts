/** Owns the fuzz of the compiler: whatever the text, it is refused with positions, or it runs and ends as it should. */

import assert from "node:assert/strict";
import { compileStarlark } from "./compile.ts";
import { ScriptError } from "./program.ts";

const PROGRAMS = 600;
const SEED = 20_260_117;
/** Far more than any of these programs needs, and small enough to keep the suite short. */
const STEPS_MAX = 20_000;

const NAMES = "a b c f g payload meta constants payload.a payload.b.c payload.l meta.r None True json math len str"
  .split(" ");
const METHODS =
  ("upper split append get keys items pop format join update extend insert remove find replace strip add " +
    "union elems setdefault clear index count popitem values startswith title splitlines rsplit partition").split(" ");
const FUNCTIONS =
  ("len str repr int float list tuple dict set sorted reversed range min max any all zip enumerate bool " +
    "type hash dir abs chr ord bytes print json.encode json.decode math.floor math.sqrt safe_json_decode").split(" ");
const LITERALS = [
  ..."0 1 2 -1 3.5 1.0 1e300 1<<70 9007199254740991 100000 [] {} () None True b'ab' ''".split(" "),
  "'abc,def'",
  "'😀x'",
  "[1, 2, 3]",
  "{'a': 1}",
  "(1, 'x')",
  "set([1])",
  "'%s %d'",
  "'{} {x}'",
  "'__proto__'",
  "float('nan')",
];
const OPERATORS = [
  "+",
  "-",
  "*",
  "/",
  "//",
  "%",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  "==",
  "!=",
  "<",
  ">=",
  " in ",
  " not in ",
  " and ",
  " or ",
];
const SLIPS = [
  "(",
  ")",
  "[",
  "]",
  ":",
  "=",
  "\n",
  " ",
  "'",
  '"',
  "\\",
  "for ",
  "if ",
  "def ",
  "\t",
  "**",
  "😀",
  "\0",
  "#",
  "1e",
  ".",
];

/** Writes programs that are grammatical, most of them wrong in one way or another. */
class ProgramWriter {
  #state = SEED;
  #globals = 0;

  #below(limit: number): number {
    // A linear congruential generator: any will do, as long as a failure can be repeated.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }

  #pick(from: readonly string[]): string {
    return from[this.#below(from.length)] ?? "";
  }

  program(): string {
    this.#globals = 0;
    const prelude = "a = 1\nb = [1, 2]\nc = {'k': 1}\ndef f(x=1):\n  return x\ndef g(*a, **k):\n  return a\n";
    const text = prelude + this.#block(3, "", false, false);
    if (this.#below(4) > 0) return text;
    const at = this.#below(text.length);
    return text.slice(0, at) + this.#pick(SLIPS) + text.slice(at + this.#below(3));
  }

  #block(depth: number, indent: string, inFunction: boolean, inLoop: boolean): string {
    const count = 1 + this.#below(3);
    return Array.from({ length: count }, () => this.#statement(depth, indent, inFunction, inLoop)).join("");
  }

  #target(inFunction: boolean): string {
    if (this.#below(2) === 0) {
      return this.#pick(["payload.z", "payload['q']", "meta.r", "payload", "payload.b.c", "payload.l[0]"]);
    }
    return inFunction ? `v${this.#below(3)}` : `v${this.#globals++}`;
  }

  #statement(depth: number, indent: string, inFunction: boolean, inLoop: boolean): string {
    const kind = this.#below(depth > 0 ? 10 : 6);
    const inner = `${indent} `;
    if (kind < 2) return `${indent}${this.#target(inFunction)} = ${this.#expression(3)}\n`;
    if (kind === 2) return `${indent}payload.a ${this.#pick(["+", "-", "*", "|", "//"])}= ${this.#expression(2)}\n`;
    if (kind === 3) return `${indent}${inLoop ? "break" : inFunction ? `return ${this.#expression(2)}` : "pass"}\n`;
    if (kind < 6) return `${indent}${this.#expression(3)}\n`;
    if (kind === 6) return `${indent}def h${this.#globals++}(x, *y):\n${this.#block(depth - 1, inner, true, false)}`;
    if (kind === 7) return `${indent}if ${this.#expression(2)}:\n${this.#block(depth - 1, inner, inFunction, inLoop)}`;
    const body = this.#block(depth - 1, inner, inFunction, true);
    return `${indent}for ${this.#target(inFunction)} in ${this.#expression(2)}:\n${body}`;
  }

  #expression(depth: number): string {
    if (depth === 0 || this.#below(6) === 0) return this.#pick(this.#below(2) === 0 ? LITERALS : NAMES);
    const [x, y] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    const forms = [
      `(${x}${this.#pick(OPERATORS)}${y})`,
      `(${y}${this.#pick(OPERATORS)}${x})`,
      `${this.#pick(FUNCTIONS)}(${x})`,
      `${x}.${this.#pick(METHODS)}(${y})`,
      `${x}[${y}]`,
      `${x}[${y}:]`,
      `[${x} for i in ${y}]`,
      `{${x}: ${y}}`,
      `(lambda x=${y}, *z: ${x})`,
      `(${x} if ${y} else ${x})`,
      `${this.#pick(["-", "not ", "~"])}${x}`,
      `f(*${x}, **${y})`,
      `[${x}, ${y}]`,
    ];
    return this.#pick(forms);
  }
}

/** Everything in a result must be plain: nothing of ours may leave a run. */
function assertPlain(data: unknown, source: string): void {
  if (typeof data !== "object" || data === null || data instanceof Uint8Array) return;
  if (!Array.isArray(data)) assert.equal(Object.getPrototypeOf(data), Object.prototype, source);
  for (const member of Object.values(data)) assertPlain(member, source);
}

Deno.test("fuzz: random programs are refused with positions, or run and end in a typed way", () => {
  const writer = new ProgramWriter();
  const seen = { refused: 0, ended: 0, failed: 0 };
  for (let count = 0; count < PROGRAMS; count++) {
    const source = writer.program();
    const compiled = compileStarlark(source);
    if (!compiled.ok) {
      seen.refused++;
      for (const { offset } of compiled.issues) assert.ok(offset >= 0 && offset <= source.length, source);
      continue;
    }
    const payload = JSON.parse('{"a":1,"b":{"c":2,"d":[1,{"e":2}]},"l":[1,2.5,"x",{"k":1}],"__proto__":{"x":1}}');
    const before = JSON.stringify(payload);
    const run = compiled.program.bind({ constants: { k: 1 }, parameters: {} }, { stepsMax: STEPS_MAX });
    try {
      const result = run({ payload, meta: { m: 1 } });
      assertPlain(result.payload, source);
      assertPlain(result.meta, source);
      seen.ended++;
    } catch (error) {
      assert.ok(error instanceof ScriptError && !error.message.startsWith("internal"), `${error}\n${source}`);
      assert.ok(error.line >= 1 && error.column >= 1, source);
      seen.failed++;
    }
    assert.equal(JSON.stringify(payload), before, source);
  }
  // The fuzz is worth nothing when all programs take one way.
  assert.ok(Math.min(seen.refused, seen.ended, seen.failed) > PROGRAMS / 50, JSON.stringify(seen));
});
