import assert from "node:assert/strict";
import type { Data } from "../base/mod.ts";
import type { PipelineDocument } from "./document.ts";
import { loadPipeline } from "./pipeline_loader.ts";
import { spanAt } from "./span_table.ts";
import { pipeline } from "./testing/annotated.ts";

function load(sections: string, env: { readonly [name: string]: string } = {}) {
  const loaded = loadPipeline({
    file: "p.yaml",
    text: pipeline(sections),
    directory: "/",
    env: (name) => env[name],
    readFile: () => new Uint8Array(),
  });
  assert.ok(loaded.document);
  return { document: loaded.document, codes: loaded.diagnostics.map((found) => found.code) };
}

/** The block of the source `in`, given as YAML at the depth of a block. */
function block(text: string, env: { readonly [name: string]: string } = {}, rest = ""): Data {
  const { document, codes } = load(`${rest}sources:\n  in:\n    p:\n${text}`, env);
  assert.deepEqual(codes, []);
  return document.nodes[0]?.block ?? null;
}

Deno.test("substitution: a value arrives byte for byte, whatever it holds", () => {
  const values = [
    "-----BEGIN-----\nabc\n-----END-----\n",
    "a # b",
    "a: b",
    `"double" 'single'`,
    "${OTHER} $${OTHER} ${constants.x}",
    "*alias",
    "&anchor",
    "😀 \u0000 \t",
    "",
    "<<remove>>",
    "0123",
    "null",
  ];
  for (const value of values) {
    const env = { V: value, OTHER: "never" };
    assert.deepEqual(block('      a: ${V}\n      b: "x${V}y"\n      c: |\n        ${V}!\n', env), {
      a: value,
      b: `x${value}y`,
      c: `${value}!\n`,
    });
  }
});

Deno.test("substitution: an unset optional variable removes its key or element, a default stands in", () => {
  const text =
    "      a: ${?GONE}\n      b: [x, '${?GONE}', y]\n      c: ${GONE:-d:-e $HOME}\n      d: ${EMPTY:-full}\n" +
    "      e: '${?EMPTY}'\n      f: ${SET:-no}\n      g: pre${?GONE}post\n      h: '${GONE:-}'\n";
  assert.deepEqual(block(text, { EMPTY: "", SET: "yes" }), {
    b: ["x", "y"],
    c: "d:-e $HOME",
    d: "full",
    e: "",
    f: "yes",
    h: "",
  });
});

Deno.test("substitution: $${ is a literal ${, and a lone dollar is a dollar", () => {
  const text = "      a: $${V}\n      b: cost $5 $ $$ $x\n      c: '$${V}${V}$${'\n      d: '$$${V}'\n";
  assert.deepEqual(block(text, { V: "v" }), { a: "${V}", b: "cost $5 $ $$ $x", c: "${V}v${", d: "$${V}" });
});

Deno.test("substitution: keys are never substituted", () => {
  assert.deepEqual(block("      ${V}: 1\n      'a ${GONE}': 2\n", { V: "v" }), { "${V}": 1, "a ${GONE}": 2 });
});

Deno.test("substitution: what the environment brings in is not looked at again, by constants neither", () => {
  assert.deepEqual(block("      a: ${V} ${constants.c}\n", { V: "${constants.c} ${W}" }, "constants: { c: 1 }\n"), {
    a: "${constants.c} ${W} 1",
  });
});

Deno.test("substitution: constants of every plain type, nested ones, and constants in constants", () => {
  const constants = "constants:\n  n: 5\n  b: true\n  big: 12345678901234567890\n  m: { deep: { x: y } }\n" +
    "  c: ${constants.n}-${V}\n  a.b: dotted\n";
  const text =
    "      a: ${constants.n}\n      b: ${constants.b}\n      c: ${constants.big}\n      d: ${constants.m.deep.x}\n" +
    "      e: ${constants.c}\n      f: ${constants.a.b}\n";
  assert.deepEqual(block(text, { V: "v" }, constants), {
    a: "5",
    b: "true",
    c: "12345678901234567890",
    d: "y",
    e: "5-v",
    f: "dotted",
  });
});

Deno.test("substitution: framework numbers and booleans take a whole reference as YAML would read it", () => {
  const sections = "run: { mode: job, skip_if_successful: '${YES}' }\nlimits: { max_in_flight: '${N}' }\n" +
    "telemetry: { span_sample_rate: '${constants.rate}' }\nconstants: { rate: 0.5 }\n";
  const { document, codes } = load(sections, { YES: "true", N: "0x10" });
  assert.deepEqual(codes, []);
  assert.equal(document.run.skipIfSuccessful, true);
  assert.equal(document.limits.maxInFlight, 16);
  assert.equal(document.telemetry.spanSampleRate, 0.5);
  const partial = load("limits: { max_in_flight: '1${N}' }\n", { N: "0" });
  assert.deepEqual(partial.codes, ["cfg_limits_type"]);
  const text = load("constants: { c: '${N}' }\n", { N: "5" });
  assert.deepEqual(text.document.constants, { c: "5" });
});

Deno.test("substitution: tells which texts came from the environment, and which are one reference", () => {
  const { document } = load(
    "constants: { c: '${V}', d: x }\nsources:\n  in:\n    p: { a: '${V}', b: 'x${V}', c: '${constants.c}', d: '${constants.d}', e: '$${V}' }\n",
    { V: "v" },
  );
  const inBlock = (pointers: readonly string[]) => pointers.filter((pointer) => pointer.startsWith("/sources"));
  assert.deepEqual(inBlock(document.substituted), ["/sources/in/p/a", "/sources/in/p/b", "/sources/in/p/c"]);
  assert.deepEqual(inBlock(document.references), ["/sources/in/p/a", "/sources/in/p/c", "/sources/in/p/d"]);
  assert.deepEqual(document.constantsUsed, ["c", "d"]);
});

Deno.test("substitution: a reference that cannot be resolved is one finding, not two", () => {
  const { document, codes } = load("limits: { max_in_flight: '${GONE}' }\nrun: { mode: '${GONE2}' }\n");
  assert.deepEqual(codes, ["cfg_env_unset", "cfg_env_unset"]);
  assert.deepEqual(document.unresolved, ["/limits/max_in_flight", "/run/mode"]);
});

Deno.test("substitution: each text that is no reference is quoted, with what was probably meant", () => {
  const { diagnostics } = loadPipeline({
    file: "p.yaml",
    text: pipeline("constants:\n  a: ${OUT:x}/${env.REGION}/${ NAME }/${}\n"),
    directory: "/",
    env: () => undefined,
    readFile: () => new Uint8Array(),
  });
  const told = diagnostics.map(({ code, column, message, hint }) => ({ code, column, words: `${message} ${hint}` }));
  assert.deepEqual(
    told.map(({ code, column }) => `${code}:${column}`),
    [6, 15, 29, 39].map((at) => `cfg_scope_unknown:${at}`),
  );
  for (const [i, part] of ['"${OUT:x}"', '"${env.REGION}"', '"${ NAME }"', '"${}"'].entries()) {
    assert.ok(told[i]?.words.includes(part), told[i]?.words);
  }
  for (const [i, part] of ["${OUT:-x}", "write ${REGION}", "write ${NAME}", "$${"].entries()) {
    assert.ok(told[i]?.words.includes(part), told[i]?.words);
  }
});

Deno.test("substitution: parameters stay in place in job pipelines, and their places are told", () => {
  const sections = "run: { mode: job }\nparameters: { from: { type: string } }\nsources:\n  in:\n" +
    "    p: { q: '${V} ${parameters.from} $${parameters.no}' }\n";
  const { document, codes } = load(sections, { V: "${parameters.env}" });
  assert.deepEqual(codes, []);
  const text = (document.nodes[0]?.block as { readonly q: string }).q;
  assert.equal(text, "${parameters.env} ${parameters.from} ${parameters.no}");
  assert.deepEqual(document.parameterReferences, [{ pointer: "/sources/in/p/q", start: 18, end: 36, name: "from" }]);
});

Deno.test("substitution: places of a text follow what was replaced", () => {
  const sections = "constants: { long: abcdefghij }\nsinks:\n  out:\n    depends_on: in\n    p:\n      s: |\n" +
    "        x ${constants.long} y ${V} z\n        last\n";
  const { document }: { document: PipelineDocument } = load(sections, { V: "1\n2" });
  const path = ["sinks", "out", "p", "s"];
  const text = "x abcdefghij y 1\n2 z\nlast\n";
  assert.deepEqual(document.nodes[0]?.block, { s: text });
  const at = (needle: string) => {
    const { line, column } = spanAt(document.spans, path, text.indexOf(needle)) ?? assert.fail();
    return [line, column];
  };
  assert.deepEqual(at("x"), [10, 9]);
  assert.deepEqual(at("cde"), [10, 11]);
  assert.deepEqual(at("y"), [10, 29]);
  assert.deepEqual(at("1"), [10, 31]);
  assert.deepEqual(at("2 z"), [10, 31]);
  assert.deepEqual(at("z"), [10, 36]);
  assert.deepEqual(at("last"), [11, 9]);
  assert.deepEqual(document.spans["/sinks/out/p/s"]?.textLines, [
    { line: 10, column: 9 },
    { line: 10, column: 31 },
    { line: 11, column: 9 },
    { line: 12, column: 1 },
  ]);
});

Deno.test("substitution: findings do not repeat what came from the environment", () => {
  const loaded = loadPipeline({
    file: "p.yaml",
    text: pipeline(
      "run: { mode: '${S}', overlap: '${S}' }\nlimits: { drain_timeout: '${D}', max_in_flight: '${S}' }\n",
    ),
    directory: "/",
    env: (name) => name === "S" ? "hunter2" : "9999d",
    readFile: () => new Uint8Array(),
  });
  assert.equal(loaded.diagnostics.length, 4);
  assert.equal(JSON.stringify(loaded.diagnostics).includes("hunter2"), false);
  assert.equal(JSON.stringify(loaded.diagnostics).includes("9999d"), false);
});

Deno.test("substitution: constants that hold others ten times over end in a finding, not in a full memory", () => {
  const grown = Array.from({ length: 12 }, (_, i) => `  a${i + 1}: "${`\${constants.a${i}}`.repeat(10)}"\n`);
  const { codes } = load(`constants:\n  a0: 0123456789\n${grown.join("")}sources: {in: {p: {}}}\n`);
  assert.deepEqual(codes.filter((code) => code === "yaml_parse"), ["yaml_parse"]);
});
