/**
 * Owns the tests of scripts that mean harm: the files in `hostile/`, and sources that are made here as they are too long
 * to be kept. Lines of `---` part a file into scripts; the first line of each says what it tries, the second how it ends:
 * `ends KIND`, or `gives JSON` where the right thing is a harmless value.
 */

import assert from "node:assert/strict";
import { compileStarlark } from "./compile.ts";
import { ScriptError } from "./program.ts";

const FOLDER = new URL("./hostile/", import.meta.url);
const HEAD_REGEXP = /^## (.+)\n## (?:ends (compile|runtime|steps)|gives (.+))\n/;
const SCRIPTS_MIN = 150;
const ERRORS_MIN = 120;
/** A message is kept with a dead letter, and printed text goes into a log. */
const MESSAGE_CHARACTERS_MAX = 4000;
const BACKTRACE_LINES_MAX = 40;
const PRINTED_CHARACTERS_MAX = 2_000_000;
const ISSUE_CHARACTERS_MAX = 1000;
const PAYLOAD = '{"__proto__":{"x":1},"constructor":"c","toString":1,"a":1,"list":[1,2],"text":"abc"}';

type Ending = "compile" | "runtime" | "steps" | { readonly gives: unknown };

interface HostileScript {
  readonly title: string;
  readonly source: string;
  readonly ending: Ending;
}

function scriptsIn(file: string): readonly HostileScript[] {
  return Deno.readTextFileSync(new URL(file, FOLDER)).split(/^---\n/m).map((chunk) => {
    const [head, title = "", kind, json] = HEAD_REGEXP.exec(chunk) ?? [];
    assert.ok(head !== undefined, `${file}: ${chunk}`);
    const ending = json === undefined ? kind as "compile" : { gives: JSON.parse(json) };
    return { title: `${file}: ${title}`, source: chunk.slice(head.length), ending };
  });
}

/** How the script ends, with everything bounded on the way. */
function endingOf(title: string, source: string): Ending {
  const compiled = compileStarlark(source);
  if (!compiled.ok) {
    for (const { message, hint = "", offset } of compiled.issues) {
      assert.ok(Math.max(message.length, hint.length) <= ISSUE_CHARACTERS_MAX, title);
      assert.ok(offset >= 0 && offset <= source.length, title);
    }
    return "compile";
  }
  let printed = 0;
  const run = compiled.program.bind({ constants: { a: 1 }, parameters: {} }, {
    print: (text) => printed += text.length,
  });
  try {
    return { gives: run({ payload: JSON.parse(PAYLOAD), meta: { m: 1 } }).payload };
  } catch (error) {
    assert.ok(error instanceof ScriptError && !error.message.startsWith("internal"), `${title}: ${error}`);
    assert.ok(error.line >= 1 && error.column >= 1, title);
    assert.ok(error.message.length <= MESSAGE_CHARACTERS_MAX, title);
    assert.ok(error.backtrace.split("\n").length <= BACKTRACE_LINES_MAX, title);
    return error.kind as "runtime" | "steps";
  } finally {
    assert.ok(printed <= PRINTED_CHARACTERS_MAX, `${title}: ${printed} characters printed`);
  }
}

/** What a script could have reached, were it able to. */
function surroundings(): readonly string[] {
  const reachable = [Object, Array, Function, String, Map].map((type) => type.prototype);
  return [globalThis, ...reachable].flatMap((object) => Object.getOwnPropertyNames(object));
}

function check(scripts: readonly HostileScript[]): void {
  const before = surroundings();
  const endings = scripts.map(({ title, source }) => ({ title, ending: endingOf(title, source) }));
  assert.deepEqual(endings, scripts.map(({ title, ending }) => ({ title, ending })));
  assert.deepEqual(surroundings(), before);
}

const SCRIPTS = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort().flatMap(scriptsIn);

for (const file of new Set(SCRIPTS.map(({ title }) => title.split(":")[0] ?? ""))) {
  Deno.test(`hostile scripts: ${file}`, () => check(SCRIPTS.filter(({ title }) => title.startsWith(`${file}:`))));
}

Deno.test("hostile scripts: enough of them, most of which must fail", () => {
  assert.ok(SCRIPTS.length >= SCRIPTS_MIN, String(SCRIPTS.length));
  assert.ok(SCRIPTS.filter(({ ending }) => typeof ending === "string").length >= ERRORS_MIN);
});

const LONG = 100_000;

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("");
}

/** Sources too long to be kept in a file. */
const LONG_SOURCES: readonly (readonly [title: string, source: string, ending: Ending])[] = [
  ["too long", " ".repeat(1 << 20), "compile"],
  ["open parentheses", "(".repeat(LONG), "compile"],
  ["closed parentheses", `x = ${"(".repeat(LONG)}1${")".repeat(LONG)}`, "compile"],
  ["open brackets", "[".repeat(LONG), "compile"],
  ["open braces", "{".repeat(LONG), "compile"],
  ["lists in lists", `x = ${"[".repeat(LONG)}${"]".repeat(LONG)}`, "compile"],
  ["lambdas in lambdas", `x = ${"lambda: ".repeat(LONG / 5)}1`, "compile"],
  ["not not", `x = ${"not ".repeat(LONG / 2)}1`, "compile"],
  ["minus minus", `x = ${"-".repeat(LONG)}1`, "compile"],
  ["conditions in conditions", `x = ${"1 if 1 else ".repeat(LONG / 10)}1`, "compile"],
  ["a sum of many", `x = ${"1+".repeat(LONG)}1`, "compile"],
  ["and and", `x = ${"1 and ".repeat(LONG / 4)}1`, "compile"],
  ["a path of many names", `x = payload${".a".repeat(LONG)}`, "compile"],
  ["calls of calls", `x = len${"()".repeat(LONG)}`, "compile"],
  ["comparisons in a row", `x = ${"1 < ".repeat(LONG / 4)}1`, "compile"],
  ["clauses of a comprehension", `x = [0 ${"for i in [] ".repeat(LONG / 10)}]`, "compile"],
  ["blocks in blocks", lines(600, (depth) => `${" ".repeat(depth)}if 1:\n`), "compile"],
  ["targets in targets", `${"(".repeat(LONG)}a${",)".repeat(LONG)} = 1`, "compile"],
  ["parameters", `def f(${lines(LONG / 5, (index) => `a${index},`)}): pass`, "compile"],
  ["undefined names", lines(LONG / 5, (index) => `u${index}\n`), "compile"],
  ["a name of many characters", `${"a".repeat(LONG)}\n`, "compile"],
  ["an int of many digits", `x = ${"9".repeat(LONG)}`, "compile"],
  ["strings that are not closed", '"a\n'.repeat(LONG / 4), "compile"],
  ["half surrogates", "\ud800".repeat(LONG), "compile"],
  ["NULs", "\0".repeat(LONG), "compile"],
  ["elif after elif", `if payload.a == 2: pass\n${"elif payload.a == 2: pass\n".repeat(LONG / 12)}else: payload = 1`, {
    gives: 1,
  }],
  [
    "a chain of functions",
    `def f0(): return 1 // 0\n${lines(8000, (n) => `def f${n + 1}(): return f${n}()\n`)}f8000()`,
    "runtime",
  ],
  ["a list with many items", `x = [${"0,".repeat(LONG)}]\npayload = len(x)`, { gives: LONG }],
  ["a list with many items, in a loop", `for i in range(90000): x = [${"0,".repeat(LONG)}]`, "steps"],
  ["a tuple of names, in a loop", `a = 0\nfor i in range(90000): x = (${"a,".repeat(LONG)})`, "steps"],
  ["many arguments, in a loop", `for i in range(90000): print(${"0,".repeat(LONG)})`, "steps"],
  ["many targets, in a loop", `def f(x):\n for i in x: ${"a,".repeat(LONG)}b = x\nf(range(${LONG + 1}))`, "steps"],
  ["many statements, in a loop", `for i in range(90000): ${"0;".repeat(LONG)}`, "steps"],
  [
    "many branches, in a loop",
    `def f():\n for i in range(90000):\n  if 0: pass\n${"  elif 0: pass\n".repeat(9000)}f()`,
    "steps",
  ],
  [
    "many variables, in a loop",
    `def f():\n if 0:\n${lines(9000, (n) => `  v${n} = 0\n`)}for i in range(90000): f()`,
    "steps",
  ],
  ["strings side by side", `x = ${'"a" '.repeat(LONG / 4)}`, "compile"],
];

Deno.test("hostile scripts: long sources", () => {
  check(LONG_SOURCES.map(([title, source, ending]) => ({ title, source, ending })));
});
