import assert from "node:assert/strict";
import { PROJECT_ROOT } from "../../scripts/project_files.ts";
import { compileCel, compileCesql, compileStarlark, ScriptError } from "../../src/languages/mod.ts";

const FENCE_REGEXP = /^```(json|cel|sql|python)\n([\s\S]*?)^```$/gm;
const CEL_LINE_REGEXP = /^(.*?) +\/\/ (.*)$/;
const CESQL_LINE_REGEXP = /^(.*?) +-- (.*)$/;
const VERDICT_REGEXP = /^# (.*)$/m;
const SET_REGEXP = /\{.*\}/;

const page = Deno.readTextFileSync(new URL("docs/scripts-and-conditions.md", PROJECT_ROOT));
const fences = [...page.matchAll(FENCE_REGEXP)].map(([, language = "", text = ""]) => ({ language, text }));
const { payload, meta, constants } = JSON.parse(fences.find(({ language }) => language === "json")?.text ?? "");
const environment = { constants, parameters: {} };

const EXPRESSIONS = [
  { language: "cel", line: CEL_LINE_REGEXP, compile: compileCel },
  { language: "sql", line: CESQL_LINE_REGEXP, compile: compileCesql },
];

for (const { language, line: pattern, compile } of EXPRESSIONS) {
  for (
    const line of fences.filter((fence) => fence.language === language).flatMap(({ text }) => text.trim().split("\n"))
  ) {
    const [, source = "", told = ""] = pattern.exec(line) ?? [];
    Deno.test(`docs: ${language} ${source}`, () => {
      const compiled = compile(source);
      assert.ok(compiled.ok);
      const run = compiled.program.bind(environment);
      if (!told.startsWith("fails: ")) return assert.deepEqual(run({ payload, meta }), JSON.parse(told));
      assert.throws(
        () => run({ payload, meta }),
        (error: Error) => error.message.includes(told.slice("fails: ".length)),
      );
    });
  }
}

/** What a script does, as the page says it: the JSON of what it set apart. */
function effectOf(source: string): { readonly words: string; readonly set?: Record<string, unknown> } {
  const compiled = compileStarlark(source);
  assert.ok(compiled.ok, JSON.stringify(compiled));
  try {
    const result = compiled.program.bind(environment)({ payload, meta });
    if (result.filtered) return { words: "filters it" };
    if (!result.payloadChanged) return { words: "sets meta", set: changes(meta, result.meta) };
    const removed = Object.keys(payload).filter((key) => !Object.hasOwn(Object(result.payload), key));
    return {
      words: removed.length === 0 ? "sets" : `sets, removes ${removed.join(", ")}`,
      set: changes(payload, result.payload),
    };
  } catch (caught) {
    if (!(caught instanceof ScriptError)) throw caught;
    return { words: `dead letter of class ${caught.kind}` };
  }
}

function changes(before: Record<string, unknown>, after: unknown): Record<string, unknown> {
  const changed = Object.entries(Object(after)).filter(([key, value]) =>
    JSON.stringify(value) !== JSON.stringify(before[key])
  );
  return Object.fromEntries(changed);
}

for (const { language, text } of fences) {
  if (language !== "python") continue;
  Deno.test(`docs: script ${text.split("\n")[0]}`, () => {
    const told = VERDICT_REGEXP.exec(text)?.[1] ?? "";
    const set = SET_REGEXP.exec(told)?.[0];
    const words = set === undefined ? told : told.replace(` ${set}`, "");
    const effect = effectOf(text);
    assert.equal(effect.words, words);
    assert.deepEqual(effect.set, set === undefined ? undefined : JSON.parse(set));
  });
}

Deno.test("docs: scripts and conditions show at least six of each, ten in CESQL", () => {
  assert.ok(fences.filter(({ language }) => language === "python").length >= 6);
  assert.ok((fences.find(({ language }) => language === "cel")?.text.split("\n").length ?? 0) > 6);
  assert.ok((fences.find(({ language }) => language === "sql")?.text.split("\n").length ?? 0) > 10);
});
