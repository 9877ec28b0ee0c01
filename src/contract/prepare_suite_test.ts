import assert from "node:assert/strict";
import { Registry } from "../plugin/mod.ts";
import { builtins } from "../plugins/mod.ts";
import { prepareSuiteText } from "./prepare_suite.ts";

const registry = new Registry(builtins());

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: shop}
constants: {limit: 5}
codecs: {rows: {type: csv, columns: [{name: n, type: int}]}}
sources:
  ingest: {decoder: rows, file: {path: in.csv}}
transforms:
  price: {depends_on: ingest, script: "payload.dear = payload.n > constants.limit"}
sinks:
  eu-out: {depends_on: price, file: {path: out.ndjson}}
`;
const JOB = PIPELINE.replace(
  "constants:",
  "run: {mode: job, retention: {history: 9d}}\nparameters: {since: {type: integer, required: true}}\nconstants:",
)
  .replace("in.csv", "in.csv, on_eof: stop");

const encoder = new TextEncoder();

/** Prepares a suite whose folder holds these files; the place of a finding is told as line:column. */
function prepare(suite: string, files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const all: Record<string, string> = { "/app/pipeline.yaml": PIPELINE, ...files };
  const readFile = (path: string) => {
    const text = all[path];
    if (text === undefined) throw new Deno.errors.NotFound(path);
    return encoder.encode(text);
  };
  const disk = { readFile, realPath: (path: string) => path, listNames: () => ["order.json"] };
  const prepared = prepareSuiteText({ file: "/app/tests/s.yaml", text: suite }, {
    registry,
    env: (name) => env[name],
    disk,
  });
  assert.ok(prepared !== undefined, "it is a suite");
  const found = prepared.diagnostics.map(({ code, file, line, column }) =>
    `${code} ${file.slice(5)}:${line}:${column}`
  );
  return { ...prepared, found, hints: prepared.diagnostics.map(({ hint }) => hint) };
}

/** A suite of one case; its `inject` and `expect` begin at column 13 of lines 5 and 6. */
function suiteOf(inject: string, expect: string, more = ""): string {
  return `suite: s
pipeline: ../pipeline.yaml
cases:
  - name: one
    inject: ${inject}
    expect: ${expect}
${more}`;
}
const OUT = "{capture: {at: eu-out, count: 1}}";
const IN = "{at: ingest, messages: [{n: 1}]}";

const CASES: readonly (readonly [what: string, suite: string, found: string[], hint?: string])[] = [
  [
    "an unknown field",
    suiteOf("{at: ingest, mesages: [1]}", OUT),
    ["suite_shape tests/s.yaml:5:26"],
    'did you mean "messages"?',
  ],
  ["a value of another type", suiteOf(IN, "{filtered: many}"), ["suite_shape tests/s.yaml:6:24"]],
  [
    "a class that is none",
    suiteOf(IN, "{dlq: {class: decod}}"),
    ["suite_shape tests/s.yaml:6:27"],
    'did you mean "decode"?',
  ],
  ["a missing field", suiteOf("{messages: [1]}", OUT), ["suite_shape tests/s.yaml:5:13"]],
  [
    "an unknown node",
    suiteOf("{at: ingset, messages: [1]}", OUT),
    ["suite_node tests/s.yaml:5:18"],
    'did you mean "ingest"?',
  ],
  [
    "a capture at an unknown sink",
    suiteOf(IN, "{capture: [{at: eu-ot, count: 1}]}"),
    ["suite_node tests/s.yaml:6:29"],
    'did you mean "eu-out"?',
  ],
  [
    "a capture at no sink",
    suiteOf(IN, "{capture: {at: price, count: 1}}"),
    ["suite_node tests/s.yaml:6:28"],
    "known here: eu-out",
  ],
  [
    "dead letters of an unknown node",
    suiteOf(IN, "{dlq: {node: prise}}"),
    ["suite_node tests/s.yaml:6:26"],
    'did you mean "price"?',
  ],
  [
    "an unknown codec",
    suiteOf("{at: price, codec: jsn, raw: x}", OUT),
    ["suite_codec tests/s.yaml:5:32"],
    'did you mean "json"?',
  ],
  [
    "a missing fixture",
    suiteOf("{at: ingest, messages: [ordr.json]}", OUT),
    ["suite_file tests/s.yaml:5:37"],
    'did you mean "order.json"?',
  ],
  ["a fixture out of the root", suiteOf("{at: ingest, messages: [../../x.json]}", OUT), [
    "suite_path tests/s.yaml:5:37",
  ]],
  ["a golden file out of the root", suiteOf(IN, "{capture: {at: eu-out, golden: ../../x}}"), [
    "suite_path tests/s.yaml:6:44",
  ]],
  ["a fixture that is no JSON", suiteOf("{at: ingest, messages: [bad.json]}", OUT), [
    "suite_fixture tests/s.yaml:5:37",
  ]],
  ["a payload that its codec cannot write", suiteOf("{at: ingest, messages: [{n: 1}, {n: x}]}", OUT), [
    "suite_fixture tests/s.yaml:5:45",
  ]],
  ["no message", suiteOf("{at: ingest}", OUT), ["suite_injection tests/s.yaml:5:13"]],
  ["messages and raw", suiteOf("{at: ingest, messages: [{n: 1}], raw: x}", OUT), ["suite_injection tests/s.yaml:5:13"]],
  ["a path into nothing", suiteOf(IN, "{capture: {at: eu-out, messages: [{n: 1}]}}"), [
    "suite_expectation tests/s.yaml:6:48",
  ], 'did you mean "payload.n"?'],
  ["a misspelt part", suiteOf(IN, "{capture: {at: eu-out, messages: [{paylod.n: 1}]}}"), [
    "suite_expectation tests/s.yaml:6:48",
  ], 'did you mean "payload"?'],
  ["a pattern that is none", suiteOf(IN, "{capture: {at: eu-out, messages: [{payload: {n: {matches: '('}}}]}}"), [
    "suite_expectation tests/s.yaml:6:71",
  ]],
  ["nothing expected of a sink", suiteOf(IN, "{capture: {at: eu-out}}"), ["suite_expectation tests/s.yaml:6:23"]],
  ["more messages than the count", suiteOf(IN, "{capture: {at: eu-out, count: 0, messages: [{payload.n: 1}]}}"), [
    "suite_expectation tests/s.yaml:6:43",
  ]],
  ["a name twice", suiteOf(IN, OUT, `  - {name: one, inject: ${IN}, expect: ${OUT}}\n`), [
    "suite_case_name tests/s.yaml:7:12",
  ]],
  [
    "an unknown constant",
    suiteOf(IN, OUT, "    constants: {limt: 1}\n"),
    ["suite_constant tests/s.yaml:7:17"],
    'did you mean "limit"?',
  ],
  ["a parameter where there are none", suiteOf(IN, OUT, "    parameters: {since: 1}\n"), [
    "suite_parameter tests/s.yaml:7:18",
  ]],
  ["a missing pipeline", suiteOf(IN, OUT).replace("pipeline.yaml", "pipelin.yaml"), ["suite_file tests/s.yaml:2:11"]],
  ["a pipeline out of the root", suiteOf(IN, OUT).replace("../", "../../"), ["suite_path tests/s.yaml:2:11"]],
  ["a missing overlay", suiteOf(IN, OUT, "overlays: [x.yaml]\n"), ["suite_file tests/s.yaml:7:12"]],
  ["no YAML", "suite: [\n", ["yaml_parse tests/s.yaml:2:1"]],
];

for (const [what, suite, found, hint] of CASES) {
  Deno.test(`prepareSuiteText: ${what} is told where it stands`, () => {
    const prepared = prepare(suite, { "/app/tests/bad.json": "{" });
    assert.deepEqual(prepared.found, found);
    assert.equal(prepared.state, "broken");
    if (hint !== undefined) assert.deepEqual(prepared.hints, [hint]);
  });
}

Deno.test("prepareSuiteText: everything wrong is told at once, in document order", () => {
  const suite = suiteOf("{at: ingset, messages: [ordr.json]}", "{capture: {at: nowhere, messages: [{n: 1}]}}");
  assert.deepEqual(prepare(suite).found.map((one) => one.split(" ")[0]), [
    "suite_node",
    "suite_file",
    "suite_node",
    "suite_expectation",
  ]);
});

Deno.test("prepareSuiteText: YAML without a suite is something else", () => {
  const disk = { readFile: () => new Uint8Array(), realPath: (path: string) => path, listNames: () => [] };
  for (const text of [PIPELINE, "a: !Ref b\n", "a: 1\n---\nb: 2\n"]) {
    assert.equal(prepareSuiteText({ file: "x.yaml", text }, { registry, env: () => undefined, disk }), undefined, text);
  }
  const stream = prepareSuiteText({ file: "x.yaml", text: "suite: a\n---\nb: 2\n" }, {
    registry,
    env: () => undefined,
    disk,
  });
  assert.equal(stream?.state, "broken");
});

Deno.test("prepareSuiteText: a pipeline that does not pass refuses the suite, with the pipeline's own places", () => {
  const prepared = prepare(suiteOf(IN, OUT), {
    "/app/pipeline.yaml": PIPELINE.replace("depends_on: price", "depends_on: prce"),
  });
  assert.equal(prepared.state, "refused");
  assert.deepEqual(prepared.caseNames, ["one"]);
  assert.match(prepared.found[0] ?? "", /^topo_missing_ref pipeline\.yaml:\d+:\d+$/);
  assert.equal(prepare(suiteOf(IN, OUT), { "/app/pipeline.yaml": "a: [" }).state, "broken");
});

Deno.test("prepareSuiteText: the suite's env goes before the process's", () => {
  const files = { "/app/pipeline.yaml": PIPELINE.replace("in.csv", '"${FOLDER}/in.csv"') };
  assert.equal(prepare(suiteOf(IN, OUT), files).state, "refused");
  const set = prepare(suiteOf(IN, OUT, "env: {FOLDER: suite}\n"), files, { FOLDER: "process" });
  assert.equal(set.state, "ready");
  assert.ok(set.cases[0]?.plan.needs.read?.some((path) => path.endsWith("/suite/in.csv")));
});

Deno.test("prepareSuiteText: overlays are merged, constants go on top, and their mistakes stand in the case", () => {
  const files = { "/app/overlay.yaml": "constants: {limit: 7}\nsinks: {eu-out: {file: {path: other.ndjson}}}\n" };
  const suite = suiteOf(IN, OUT, "overlays: [../overlay.yaml]\n");
  assert.equal(prepare(suite, files).cases[0]?.plan.constants["limit"], 7);
  const own = suite.replace("overlays:", "    constants: {limit: 9}\noverlays:");
  assert.equal(prepare(own, files).cases[0]?.plan.constants["limit"], 9);
  const wrong = prepare(suiteOf(IN, OUT, "    constants: {limit: {a: 1}}\n"), {
    "/app/pipeline.yaml": PIPELINE.replace("{limit: 5}", "{limit: 5, twice: '${constants.limit}'}"),
  });
  assert.deepEqual([wrong.state, wrong.found[0]], ["broken", "cfg_overlay tests/s.yaml:7:16"]);
});

Deno.test("prepareSuiteText: cases with the same constants share a plan", () => {
  const more = (name: string, limit: number) =>
    `  - {name: ${name}, constants: {limit: ${limit}}, inject: ${IN}, expect: ${OUT}}\n`;
  const { cases } = prepare(suiteOf(IN, OUT, more("two", 1) + more("three", 1) + more("four", 2)));
  const plans = cases.map(({ plan }) => plan);
  assert.equal(new Set(plans).size, 3);
  assert.equal(plans[1], plans[2]);
});

Deno.test("prepareSuiteText: a job's parameters are judged by their declarations", () => {
  const files = { "/app/pipeline.yaml": JOB };
  assert.deepEqual(prepare(suiteOf(IN, OUT), files).found, ["suite_parameter tests/s.yaml:4:11"]);
  const wrong = prepare(suiteOf(IN, OUT, "    parameters: {since: soon}\n"), files);
  assert.deepEqual(wrong.found, ["suite_parameter tests/s.yaml:7:25"]);
  const right = prepare(suiteOf(IN, OUT, "    parameters: {since: 3}\n"), files);
  assert.deepEqual([right.state, right.cases[0]?.parameters], ["ready", { since: 3 }]);
});
