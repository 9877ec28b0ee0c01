import assert from "node:assert/strict";
import { PROJECT_ROOT } from "../../scripts/project_files.ts";
import { EventboatError } from "../../src/diagnostics/mod.ts";
import {
  CEL_COST_LIMIT,
  CEL_DEPTH_MAX,
  CEL_SOURCE_UNITS_MAX,
  CESQL_COST_LIMIT,
  CESQL_DEPTH_MAX,
  CESQL_SOURCE_UNITS_MAX,
  compileCel,
  compileCesql,
  compileStarlark,
  ScriptError,
  STARLARK_STEP_LIMIT,
} from "../../src/languages/mod.ts";

const ENVIRONMENT = { constants: {}, parameters: {} };
const COMPILERS = { cel: compileCel, cesql: compileCesql, starlark: compileStarlark };
type Language = keyof typeof COMPILERS;

const TABLE_REGEXP = /^<!-- limits: (\w+) -->\n\n((?:\|.*\n)+)/gm;
const CODE_REGEXP = /^`+ ?(.*?) ?`+$/;
const NUMBER_REGEXP = /^[0-9,]+$/;
/** What the page stands for the message of an expression that fails: the expression before it, its place behind it. */
const EXPRESSION_REGEXP = /^(?:CEL|CESQL) `[\s\S]*?…?`: ([\s\S]*?)(?: \(at character \d+\))?$/;
const REST_LEFT_OUT = "the rest is left out";
/** Lists in one another that every stack is too small for. */
const LEVELS_OF_ANY_STACK = 20_000;

/** A row of the page. */
interface Limit {
  readonly language: Language;
  readonly name: string;
  /** As the page writes it. */
  readonly most: string;
  readonly kinds: readonly string[];
  readonly told: string;
}

/** A text and the message it works on. */
interface Trial {
  readonly source: string;
  readonly payload?: unknown;
}

/**
 * What shows that a row is true, made with the number of the row: `within` keeps to the limit, each of `beyond` does not,
 * one for each kind of the row. `counted` gives the number where nothing fails, and the rest is only left out.
 */
interface Proof {
  readonly within?: (most: number) => Trial;
  readonly beyond?: (most: number) => readonly Trial[];
  readonly counted?: () => number;
}

type Ending = { readonly kind: string; readonly message: string; readonly backtrace: string };

/** How a text ends, compiled and run; undefined when it gives something. */
function endOf(language: Language, { source, payload = {} }: Trial): Ending | undefined {
  const compiled = COMPILERS[language](source);
  if (!compiled.ok) return { kind: "compile", message: compiled.issues[0]?.message ?? "", backtrace: "" };
  try {
    compiled.program.bind(ENVIRONMENT)({ payload, meta: {} });
    return undefined;
  } catch (caught) {
    if (caught instanceof ScriptError) return caught;
    assert.ok(caught instanceof EventboatError);
    const kind = caught.code === "expression" ? "runtime" : caught.code;
    return { kind, message: EXPRESSION_REGEXP.exec(caught.message)?.[1] ?? caught.message, backtrace: "" };
  }
}

function issuesOf(language: Language, source: string): number {
  const compiled = COMPILERS[language](source);
  return compiled.ok ? 0 : compiled.issues.length;
}

function nested(levels: number): unknown {
  let data: unknown = 1;
  for (let level = 0; level < levels; level++) data = [data];
  return data;
}

/** An expression in so many brackets: one level more than there are. */
function bracketed(inner: string, brackets: number): string {
  return "(".repeat(brackets) + inner + ")".repeat(brackets);
}

/** A script with a list in `x` that nests so many levels. */
function nesting(levels: number, rest: string): Trial {
  return { source: `def f():\n    x = []\n    for i in range(${levels - 1}):\n        x = [x]\n    return x\n${rest}` };
}

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `unknown${index}`).join(" + ");
}

/** So many functions, each of which calls the one before it. */
function chained(count: number, last: string): string {
  const first = `def f0(): return ${last}\n`;
  const others = Array.from({ length: count - 1 }, (_, index) => `def f${index + 1}(): return f${index}()\n`);
  return `${first}${others.join("")}x = f${count - 1}()`;
}

function failureOf(source: string): Ending {
  const ending = endOf("starlark", { source });
  assert.ok(ending !== undefined);
  return ending;
}

const source = (text: string): Trial => ({ source: text });
const only = (text: string) => () => [source(text)];

const CEL_PROOFS: { readonly [name: string]: Proof } = {
  "characters of an expression": {
    within: (most) => source("true".padEnd(most)),
    beyond: (most) => [source("true".padEnd(most + 1))],
  },
  "levels it nests: brackets, calls, fields, operators in a row": {
    within: (most) => source(bracketed("true", most - 1)),
    beyond: (most) => [source(bracketed("true", most))],
  },
  "characters of a regular expression": {
    within: (most) => source(`'a'.matches('${"a".repeat(most)}')`),
    beyond: (most) => [
      source(`'a'.matches('${"a".repeat(most + 1)}')`),
      { source: "'a'.matches(payload)", payload: "a".repeat(most + 1) },
    ],
  },
  "steps of one, its repetitions written out": {
    within: (most) => source(`'a'.matches('(a{100}){${most / 100 - 5}}')`),
    beyond: (most) => [
      source(`'a'.matches('(a{100}){${most / 100}}')`),
      { source: "'a'.matches(payload)", payload: `(a{100}){${most / 100}}` },
    ],
  },
  "units an evaluation costs": {
    within: (most) => ({ source: squared(), payload: Array(Math.floor(Math.sqrt(most / 10))).fill(1) }),
    beyond: (most) => [{ source: squared(), payload: Array(Math.ceil(Math.sqrt(most))).fill(1) }],
  },
  "levels of data that are compared": {
    within: () => ({ source: "payload.a == payload.b", payload: { a: nested(1_000), b: nested(1_000) } }),
    beyond: () => [{
      source: "payload.a == payload.b",
      payload: { a: nested(LEVELS_OF_ANY_STACK), b: nested(LEVELS_OF_ANY_STACK) },
    }],
  },
  "an integer in the expression": {
    within: () => source("9223372036854775807 > 0"),
    beyond: only("9223372036854775808 > 0"),
  },
  "an int that is computed": {
    within: () => source("9223372036854775806 + 1 > 0"),
    beyond: only("9223372036854775807 + 1 > 0"),
  },
  "an int that is converted": {
    within: () => source("int(9e18) > 0"),
    beyond: only("int(1e19) > 0"),
  },
  "a timestamp": {
    within: () => source("timestamp('9999-12-31T23:59:58Z') + duration('1s') == timestamp('9999-12-31T23:59:59Z')"),
    beyond: only("timestamp('9999-12-31T23:59:59Z') + duration('1s') == timestamp('9999-12-31T23:59:59Z')"),
  },
  "a duration": {
    within: () => source("duration('9223372036s') > duration('1s')"),
    beyond: only("duration('9223372036s') + duration('1s') > duration('1s')"),
  },
  "characters that `int()` and `uint()` read": {
    within: (most) => ({ source: "int(payload) == 1 && uint(payload) == 1u", payload: "1".padStart(most, "0") }),
    beyond: (most) => [{ source: "int(payload) == 1", payload: "1".padStart(most + 1, "0") }],
  },
  "characters that `double()` reads": {
    within: (most) => ({ source: "double(payload) == 1.0", payload: "1".padStart(most, "0") }),
    beyond: (most) => [{ source: "double(payload) == 1.0", payload: "1".padStart(most + 1, "0") }],
  },
  "characters that `duration()` reads": {
    within: (most) => ({ source: "duration(payload) == duration('1s')", payload: "1s".padStart(most, "0") }),
    beyond: (most) => [{ source: "duration(payload) == duration('1s')", payload: "1s".padStart(most + 1, "0") }],
  },
  "mistakes told of one expression": { counted: () => issuesOf("cel", names(60)) },
};

function squared(): string {
  return "payload.all(x, payload.all(y, x == y))";
}

const CESQL_PROOFS: { readonly [name: string]: Proof } = {
  "characters of an expression": {
    within: (most) => source("TRUE".padEnd(most)),
    beyond: (most) => [source("TRUE".padEnd(most + 1))],
  },
  "levels it nests: brackets, calls, operators in a row": {
    within: (most) => source(bracketed("TRUE", most - 1)),
    beyond: (most) => [source(bracketed("TRUE", most))],
  },
  "characters of the pattern of `LIKE`": {
    within: (most) => source(`'a' LIKE '${"a".repeat(most)}'`),
    beyond: (most) => [source(`'a' LIKE '${"a".repeat(most + 1)}'`)],
  },
  "levels of the payload behind `data`": {
    within: (most) => source(`EXISTS data${".a".repeat(most)}`),
    beyond: (most) => [source(`EXISTS data${".a".repeat(most + 1)}`)],
  },
  "an Integer in the expression": {
    within: () => source("2147483647 > 0"),
    beyond: only("2147483648 > 0"),
  },
  "an Integer that is computed": {
    within: () => ({ source: "data + 2147483646 > 0", payload: 1 }),
    beyond: () => [{ source: "data + 2147483647 > 0", payload: 1 }],
  },
  "an Integer that text is cast to": {
    within: () => ({ source: "data > 0", payload: "2147483647" }),
    beyond: () => [{ source: "data > 0", payload: "2147483648" }],
  },
  "units an evaluation costs": {
    within: (most) => ({ source: "LENGTH(data) > 0", payload: "a".repeat(most * 9) }),
    beyond: (most) => [{ source: "LENGTH(data) > 0", payload: "a".repeat(most * 10) }],
  },
  "levels of data that become JSON text": {
    within: () => ({ source: "data = 'x'", payload: nested(1_000) }),
    beyond: () => [{ source: "data = 'x'", payload: nested(LEVELS_OF_ANY_STACK) }],
  },
  "mistakes told of one expression": { counted: () => issuesOf("cesql", names(60).replaceAll("unknown", "un_known")) },
};

const STARLARK_PROOFS: { readonly [name: string]: Proof } = {
  "characters of a script": {
    within: (most) => source("x = 1".padEnd(most)),
    beyond: (most) => [source("x = 1".padEnd(most + 1))],
  },
  "levels of brackets, operators and blocks": {
    within: (most) => source(`x = ${bracketed("1", most - 1)}`),
    beyond: (most) => [source(`x = ${bracketed("1", most)}`)],
  },
  "parameters of a function": {
    within: (most) => source(`def f(${names(most).replaceAll(" + ", ", ")}): pass`),
    beyond: (most) => [source(`def f(${names(most + 1).replaceAll(" + ", ", ")}): pass`)],
  },
  "`for` and `if` of a comprehension": {
    within: (most) => source(`x = [1 ${"for a in [1] ".repeat(most)}]`),
    beyond: (most) => [source(`x = [1 ${"for a in [1] ".repeat(most + 1)}]`)],
  },
  "digits of a number in the script": {
    within: (most) => source(`x = ${"1".repeat(most)}`),
    beyond: (most) => [source(`x = ${"1".repeat(most + 1)}`)],
  },
  "mistakes told of one script": { counted: () => issuesOf("starlark", names(120)) },
  "steps a message": {
    within: (most) => source(`for i in range(${most / 10}): pass`),
    beyond: (most) => [source(`for i in range(${most}): pass`)],
  },
  "elements or characters of one repetition": {
    within: (most) => source(`x = "a" * ${most}`),
    beyond: (most) => [source(`x = "a" * ${most + 1}`)],
  },
  "bits of a shift to the left": {
    within: (most) => source(`x = 1 << ${most}`),
    beyond: (most) => [source(`x = 1 << ${most + 1}`)],
  },
  "bounds of a `range`": {
    within: () => source("x = range(-9223372036854775808, 9223372036854775807)"),
    beyond: only("x = range(9223372036854775808)"),
  },
  "characters that `int` reads": {
    within: (most) => source(`x = int("1" * ${most})`),
    beyond: (most) => [source(`x = int("1" * ${most + 1})`)],
  },
  "digits of an int that `json.decode` reads": {
    within: (most) => source(`x = json.decode("1" * ${most})`),
    beyond: (most) => [source(`x = json.decode("1" * ${most + 1})`)],
  },
  "levels that `json.decode` reads": {
    within: (most) => source(`x = json.decode("[" * ${most} + "]" * ${most})`),
    beyond: (most) => [source(`x = json.decode("[" * ${most + 2} + "]" * ${most + 2})`)],
  },
  "levels that `json.encode` writes": {
    within: (most) => nesting(most, "x = json.encode(f())"),
    beyond: (most) => [nesting(most + 2, "x = json.encode(f())")],
  },
  "levels that `str`, `repr`, `print` and formats show": {
    within: (most) => nesting(most, "x = str(f())"),
    beyond: (most) => [nesting(most + 1, "x = str(f())")],
  },
  "levels that `==` and `<` compare": {
    within: (most) => nesting(most, "x = f() == f()"),
    beyond: (most) => [nesting(most + 2, "x = f() == f()")],
  },
  "values in a tuple that is a key, itself and inner ones counted": {
    within: (most) => source(`x = {tuple(range(${most - 1})): 1}`),
    beyond: (most) => [source(`x = {tuple(range(${most})): 1}`)],
  },
  "functions that call one another": {
    within: () => source(chained(100, "1")),
    beyond: only(chained(3_000, "1")),
  },
  "levels of lists and dicts left in `payload` or `meta`": {
    within: (most) => nesting(most, "payload = f()"),
    beyond: (most) => [nesting(most + 1, "payload = f()")],
  },
  "numbers that are left": {
    within: () => source("payload.x = 1e308"),
    beyond: only("payload.x = 1e308 * 10"),
  },
  "keys that are left": {
    within: () => source('payload = {"1": 2}'),
    beyond: only("payload = {1: 2}"),
  },
  "bytes that are left in `meta`": {
    within: () => source('payload.x = b"a"'),
    beyond: only('meta.x = b"a"'),
  },
  "what is left holds itself": {
    within: () => source("x = []\npayload.x = [x, x]"),
    beyond: only("x = []\nx.append(x)\npayload.x = x"),
  },
  "characters of an error's message": { counted: () => [...failureOf('fail("a" * 9000)').message].length },
  "frames of a backtrace": { counted: () => failureOf(chained(60, "1 // 0")).backtrace.split("\n").length },
};

const PROOFS: { readonly [language in Language]: { readonly [name: string]: Proof } } = {
  cel: CEL_PROOFS,
  cesql: CESQL_PROOFS,
  starlark: STARLARK_PROOFS,
};

function limitsOf(page: string): readonly Limit[] {
  return [...page.matchAll(TABLE_REGEXP)].flatMap(([, language, table = ""]) =>
    table.trim().split("\n").slice(2).map((row): Limit => {
      const [name = "", most = "", kinds = "", told = ""] = row.split("|").slice(1).map((cell) => cell.trim());
      return {
        language: language as Language,
        name,
        most,
        kinds: kinds.replaceAll("`", "").split(", "),
        told: CODE_REGEXP.exec(told)?.[1] ?? told,
      };
    })
  );
}

/** Matches the text of an error as the page writes it, `…` standing for what varies. */
function pattern(told: string): RegExp {
  return new RegExp(`^${told.split("…").map(RegExp.escape).join("[\\s\\S]*")}$`);
}

const limits = limitsOf(Deno.readTextFileSync(new URL("docs/languages.md", PROJECT_ROOT)));

Deno.test("docs: the tables of limits have a row for every limit that is proved, and no other", () => {
  for (const language of ["cel", "cesql", "starlark"] as const) {
    const rows = limits.filter((limit) => limit.language === language).map(({ name }) => name);
    assert.deepEqual(rows, Object.keys(PROOFS[language]));
  }
});

Deno.test("docs: the limits that other rooms read are those of the tables", () => {
  const most = (language: Language, name: string) => {
    return Number(limits.find((limit) => limit.language === language && limit.name === name)?.most.replaceAll(",", ""));
  };
  assert.equal(most("cel", "characters of an expression"), CEL_SOURCE_UNITS_MAX);
  assert.equal(most("cel", "levels it nests: brackets, calls, fields, operators in a row"), CEL_DEPTH_MAX);
  assert.equal(most("cel", "units an evaluation costs"), CEL_COST_LIMIT);
  assert.equal(most("cesql", "characters of an expression"), CESQL_SOURCE_UNITS_MAX);
  assert.equal(most("cesql", "levels it nests: brackets, calls, operators in a row"), CESQL_DEPTH_MAX);
  assert.equal(most("cesql", "units an evaluation costs"), CESQL_COST_LIMIT);
  assert.equal(most("starlark", "steps a message"), STARLARK_STEP_LIMIT);
});

for (const { language, name, most, kinds, told } of limits) {
  Deno.test(`docs: limit of ${language}: ${name}`, () => {
    const { within, beyond, counted } = PROOFS[language][name] ?? {};
    const number = NUMBER_REGEXP.test(most) ? Number(most.replaceAll(",", "")) : NaN;
    if (counted !== undefined) {
      assert.deepEqual([counted(), told], [number, REST_LEFT_OUT]);
      return;
    }
    assert.ok(within !== undefined && beyond !== undefined);
    // A row with a number is tried with it: just within it, and just beyond.
    assert.doesNotMatch(endOf(language, within(number))?.message ?? "", pattern(told));
    const endings = beyond(number).map((trial) => endOf(language, trial));
    assert.deepEqual(endings.map((ending) => ending?.kind), kinds);
    for (const ending of endings) assert.match(ending?.message ?? "", pattern(told));
  });
}
