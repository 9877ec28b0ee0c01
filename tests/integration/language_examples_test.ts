import assert from "node:assert/strict";
import { PROJECT_ROOT } from "../../scripts/project_files.ts";
import { exactJson, HeldClock, sourceTextJson } from "../../src/base/mod.ts";
import { openRegistry, type OperationContext, OPERATIONS, perform, type ReplAnswer } from "../../src/ops/mod.ts";
import { silentLogger } from "../../src/telemetry/mod.ts";

/** Examples of each language. */
const EXAMPLES = 10;

const SECTION_REGEXP = /^### (CEL|CESQL|Starlark) examples\n([\s\S]*?)^###? /gm;
const EXAMPLE_REGEXP = /^#### (.*)\n([\s\S]*?)(?=^#### |$(?![\s\S]))/gm;
const FENCE_REGEXP = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** How the examples of a language are written: the fence of its text, and what opens a verdict. */
const WRITTEN = {
  CEL: { fence: "cel", verdict: /^\/\/ (.*)$/ },
  CESQL: { fence: "sql", verdict: /^-- (.*)$/ },
} as const;

const CONTEXT: OperationContext = {
  registry: openRegistry([]),
  entries: { pipeline: new URL("file:///none"), store: new URL("file:///none") },
  clock: new HeldClock(),
  signal: new AbortController().signal,
  env: () => undefined,
  openLog: () => silentLogger,
};

/** One example of the page. */
interface Example {
  readonly language: keyof typeof WRITTEN | "Starlark";
  readonly title: string;
  readonly message: string;
  readonly fences: ReadonlyMap<string, string>;
}

function readExamples(): readonly Example[] {
  const page = Deno.readTextFileSync(new URL("docs/languages.md", PROJECT_ROOT));
  return [...page.matchAll(SECTION_REGEXP)].flatMap(([, language, section = ""]) =>
    [...section.matchAll(EXAMPLE_REGEXP)].map(([, title = "", text = ""]) => {
      const fences = new Map([...text.matchAll(FENCE_REGEXP)].map(([, fence = "", inner = ""]) => [fence, inner]));
      return { language: language as Example["language"], title, message: fences.get("json") ?? "", fences };
    })
  );
}

/** Asks `repl` what a text makes of an example's message, whose every digit arrives. */
async function ask(example: Example, text: { readonly [field: string]: string }): Promise<ReplAnswer> {
  const parts = sourceTextJson.parse(example.message, (_key, value, { source }) => {
    return typeof value === "number" && source !== undefined ? sourceTextJson.rawJSON(source) : value;
  });
  const sample = Object.entries(Object(parts)).map(([part, value]) => {
    return [part === "payload" ? "message" : part, JSON.stringify(value)];
  });
  return await perform(OPERATIONS.repl, { ...text, ...Object.fromEntries(sample) }, CONTEXT);
}

/** The expressions of a block, each on lines of its own above what it gives. */
function expressionsOf(text: string, verdict: RegExp): readonly { readonly source: string; readonly told: string }[] {
  const found: { source: string; told: string }[] = [];
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    const told = verdict.exec(line)?.[1];
    if (told === undefined) lines.push(line);
    else {
      found.push({ source: lines.join("\n").trim(), told });
      lines = [];
    }
  }
  assert.equal(lines.join("").trim(), "", "every expression has a verdict");
  return found;
}

/** What the page says of an answer to an expression. */
function verdictOf(answer: ReplAnswer): string {
  if (answer.error !== undefined) return `fails: ${answer.error.message}`;
  return answer.result !== undefined && "value" in answer.result ? exactJson(answer.result.value) : "nothing";
}

/** What the page says of an answer to a script: what changed, a line a place, or how it failed. */
function outcomeOf(answer: ReplAnswer): string {
  if (answer.error !== undefined) {
    const { kind, line, column, message, backtrace } = answer.error;
    return `error[${kind}] script:${line}:${column}: ${message}\n${backtrace ?? ""}\n`;
  }
  if (answer.result === undefined || !("changes" in answer.result)) return "nothing";
  const { changes, filtered } = answer.result;
  if (filtered) return "the message is filtered: it goes no further\n";
  return changes.map(({ path, ...change }) => {
    if (!("before" in change)) return `+ ${path}: ${exactJson(change.after)}\n`;
    if (!("after" in change)) return `- ${path}: ${exactJson(change.before)}\n`;
    return `~ ${path}: ${exactJson(change.before)} -> ${exactJson(change.after)}\n`;
  }).join("");
}

const examples = readExamples();

Deno.test("docs: the page on languages has ten examples of each, numbered", () => {
  for (const language of ["CEL", "CESQL", "Starlark"]) {
    const numbers = examples.filter((each) => each.language === language).map(({ title }) => Number.parseInt(title));
    assert.deepEqual(numbers, Array.from({ length: EXAMPLES }, (_, index) => index + 1), language);
  }
});

for (const example of examples) {
  const { language, title, fences } = example;
  Deno.test(`docs: ${language} ${title}`, async () => {
    if (language === "Starlark") {
      assert.deepEqual([...fences.keys()], ["json", "python", "text"]);
      const answer = await ask(example, { script: fences.get("python") ?? "" });
      return assert.equal(outcomeOf(answer), fences.get("text"));
    }
    const { fence, verdict } = WRITTEN[language];
    assert.deepEqual([...fences.keys()], ["json", fence]);
    const expressions = expressionsOf(fences.get(fence) ?? "", verdict);
    assert.ok(expressions.length > 0);
    for (const { source, told } of expressions) {
      const given = verdictOf(await ask(example, { [language.toLowerCase()]: source }));
      // Values are compared as the page writes them, texts of errors whole.
      const wanted = told.startsWith("fails: ") ? told : exactJson(JSON.parse(told));
      assert.equal(given, wanted, source);
    }
  });
}

Deno.test("docs: what the page says that CEL does not have does not compile", async () => {
  const extensions = [
    "split(',')",
    "join(',')",
    "replace('a', 'b')",
    "substring(1)",
    "trim()",
    "lowerAscii()",
    "format([1])",
  ];
  const others = [
    "math.abs(1)",
    "sets.contains([1], [1])",
    "lists.range(3)",
    "base64.encode(b'a')",
    "cel.bind(x, 1, x)",
  ];
  const forms = ["payload.?x", "[?payload.x]", "now()", "payload.x.exists(i, v, true)", "payload.x.sort()"];
  for (const source of [...extensions.map((call) => `payload.x.${call}`), ...others, ...forms]) {
    const answer = await perform(OPERATIONS.repl, { cel: source }, CONTEXT);
    assert.equal(answer.error?.kind, "compile", source);
  }
});

Deno.test("docs: what the page says that the dialect of scripts forbids is forbidden", async () => {
  const notThere = [
    "while True: pass",
    "x = 1\nx = 2",
    "x = 0\nfor i in [1]: x += i",
    "for i in []: pass\nfor i in []: pass",
  ];
  const words = [
    "try: pass",
    "raise x",
    "assert x",
    "import os",
    "class A: pass",
    "with x: pass",
    "global x",
    "del x",
    "1 is 1",
  ];
  const names = ["open('a')", "time.now()", "random.random()", "input()", "sum([1])", "round(1.5)", "map(len, [])"];
  const forms = [
    "x = f'a'",
    "x = 'a' 'b'",
    "x = 2 ** 3",
    "x = 1 < 2 < 3",
    "x = {1, 2}",
    "x = (i for i in [1])",
    "return 1",
  ];
  const others = ["load('other.star', 'x')", "async def f(): pass", "yield 1", "nonlocal x", "x = (y := 1)"];
  for (const script of [...notThere, ...words, ...names, ...forms, ...others]) {
    const answer = await perform(OPERATIONS.repl, { script }, CONTEXT);
    assert.equal(answer.error?.kind, "compile", script);
  }
  const whenItHappens = [
    "def f(n): return f(n - 1)\nf(1)",
    "constants.x = 1",
    "x = [1]\nfor i in x: x.append(i)",
    "x = True + 1",
    "x = 'a' + 1",
    "for c in 'abc': pass",
    "x = '%5d' % 1",
    "x = '{:>5}'.format(1)",
  ];
  for (const script of whenItHappens) {
    const answer = await perform(OPERATIONS.repl, { script }, CONTEXT);
    assert.equal(answer.error?.kind, "runtime", script);
  }
});

Deno.test("docs: what the page says that differs from Python and among the languages does", async () => {
  const script = `payload = [
    1 / 2, type(payload[0]), type(json.decode("1.0")), 1 == 1.0, math.floor(1.5), math.round(2.5), -7 // 2, -7 % 3,
    "ß".upper(), len("é😀e\u0301"), {"b": 1, "a": 2}.keys(), math.sqrt(4),
  ]`;
  const answer = await perform(OPERATIONS.repl, { script, message: "[4.0]" }, CONTEXT);
  assert.ok(answer.result !== undefined && "payload" in answer.result);
  assert.deepEqual(answer.result.payload, [0.5, "int", "float", true, 1, 3, -4, 2, "ß", 4, ["b", "a"], 2]);
  const upper = await perform(OPERATIONS.repl, { cesql: "UPPER('ß')" }, CONTEXT);
  assert.equal(verdictOf(upper), '"SS"');
  const size = await perform(OPERATIONS.repl, { cel: "size('é😀e\u0301')" }, CONTEXT);
  assert.equal(verdictOf(size), "4");
});
