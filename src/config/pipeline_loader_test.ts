import assert from "node:assert/strict";
import type { DocumentNode, Edge } from "./document.ts";
import { keySpanAt, spanAt } from "./span_table.ts";
import { foundFindings, loadFixture, pipeline } from "./testing/annotated.ts";

function node(text: string, name: string): DocumentNode {
  const loaded = loadFixture(text);
  assert.deepEqual(loaded.diagnostics, []);
  return loaded.document?.nodes.find((each) => each.name === name) ?? assert.fail(`no node ${name}`);
}

function edges(sections: string): readonly Edge[] {
  const out = node(pipeline(sections), "out");
  return out.section === "sources" ? [] : out.dependsOn;
}

const DEFAULT_POLICY = {
  required: true,
  delivery: { retries: 3, backoff: "exponential" },
  bufferEvents: 128,
  origins: {
    required: "default",
    retries: "default",
    backoff: "default",
    timeoutMs: "default",
    bufferEvents: "default",
  },
} as const;

Deno.test("loadPipeline: fills in every default of a bare document", () => {
  const { document } = loadFixture(pipeline(""));
  assert.ok(document);
  const { spans: _, nodes, ...rest } = document;
  assert.deepEqual(rest, {
    file: "p.yaml",
    directory: "/pipelines",
    name: "demo",
    labels: {},
    run: { mode: "continuous", timezone: "UTC", overlap: "skip", skipIfSuccessful: false },
    parameters: [],
    constants: {},
    hooks: [],
    limits: { maxInFlight: 10_000, drainTimeoutMs: 10_000 },
    codecs: [],
    telemetry: { redact: [], spanSampleRate: 0 },
    brokenNodes: [],
    constantsUsed: [],
    substituted: [],
    references: [],
    unread: { sections: false, edges: false },
    unresolved: [],
    parameterReferences: [],
  });
  assert.deepEqual(nodes, [
    {
      name: "in",
      nodePath: ["sources", "in"],
      section: "sources",
      plugin: "cron",
      block: { expression: "* * * * *" },
      path: ["sources", "in", "cron"],
      decoder: "json",
    },
    {
      name: "out",
      nodePath: ["sinks", "out"],
      section: "sinks",
      plugin: "drop",
      block: {},
      path: ["sinks", "out", "drop"],
      encoder: "json",
      dependsOn: [{ from: "in", to: "out", ...DEFAULT_POLICY, path: ["sinks", "out", "depends_on"] }],
    },
  ]);
});

Deno.test("loadPipeline: reads every section", () => {
  const { document, diagnostics } = loadFixture(pipeline(`run:
  mode: job
  schedule: "0 1 * * *"
  timezone: Europe/Berlin
  overlap: latest
  catchup_window: 2h
  skip_if_successful: true
  retention: { history: 90d }
parameters:
  from: { type: string, default: cursor }
  size: { type: integer, min: 1, max: 5000, default: 500, enum: [100, 500] }
constants: { a: 1, b: { c: [true, null] } }
hooks: { failure: { http: { url: u } } }
limits: { max_in_flight: 7, drain_timeout: 1m30s }
codecs: { wide: { type: csv, columns: [{ name: a }] } }
dlq: { retention: 7d }
telemetry: { redact: [payload.card.*], span_sample_rate: 0.25 }
sources:
  in: { decoder: wide, version: 1, sql: { query: "\${parameters.from}" } }
transforms:
  t: { depends_on: in, workers: 4, script: "x = 1" }
sinks:
  out: { depends_on: t, encoder: raw, order_key: payload.id, batch: { size: 10 }, kafka: { topic: t } }
`));
  assert.deepEqual(diagnostics, []);
  assert.ok(document);
  assert.deepEqual(document.run, {
    mode: "job",
    timezone: "Europe/Berlin",
    overlap: "latest",
    skipIfSuccessful: true,
    schedule: "0 1 * * *",
    catchupWindowMs: 7_200_000,
    historyRetentionMs: 7_776_000_000,
  });
  assert.deepEqual(document.parameters, [
    { name: "from", type: "string", required: false, default: "cursor" },
    { name: "size", type: "integer", required: false, default: 500, enum: [100, 500], min: 1, max: 5000 },
  ]);
  assert.deepEqual(document.constants, { a: 1, b: { c: [true, null] } });
  assert.deepEqual(document.hooks, [
    { event: "failure", plugin: "http", block: { url: "u" }, path: ["hooks", "failure", "http"] },
  ]);
  assert.deepEqual(document.limits, { maxInFlight: 7, drainTimeoutMs: 90_000 });
  assert.deepEqual(document.codecs, [
    { name: "wide", plugin: "csv", block: { columns: [{ name: "a" }] }, path: ["codecs", "wide"] },
  ]);
  assert.equal(document.deadLetterRetentionMs, 604_800_000);
  assert.deepEqual(document.telemetry, { redact: ["payload.card.*"], spanSampleRate: 0.25 });
  const [source, transform, sink] = document.nodes;
  assert.ok(source?.section === "sources" && transform?.section === "transforms" && sink?.section === "sinks");
  assert.deepEqual([source.decoder, source.version], ["wide", 1]);
  assert.deepEqual([transform.workers, transform.block], [4, "x = 1"]);
  assert.deepEqual([sink.encoder, sink.orderKey, sink.batch], ["raw", "payload.id", { size: 10, timeoutMs: 1000 }]);
});

Deno.test("loadPipeline: depends_on in all its forms, each edge with its own path", () => {
  const list = edges(`sinks:
  out:
    drop: {}
    depends_on:
      - in
      - in: { when: payload.a }
      - in: { when: { lang: cesql, expr: "a = 1" }, required: false }
      - in: { route: 'e"u' }
`);
  const base = ["sinks", "out", "depends_on"];
  assert.deepEqual(list.map((edge) => edge.path), [[...base, 0], [...base, 1], [...base, 2], [...base, 3]]);
  assert.deepEqual(list.map((edge) => edge.required), [true, true, false, true]);
  assert.deepEqual(list.map((edge) => edge.when), [
    undefined,
    { lang: "cel", expr: "payload.a", path: [...base, 1, "in", "when"] },
    { lang: "cesql", expr: "a = 1", path: [...base, 2, "in", "when", "expr"] },
    { lang: "cel", expr: 'meta.route == "e\\"u"', path: [...base, 3, "in", "route"], route: 'e"u' },
  ]);
  const [mapped] = edges("sinks:\n  out:\n    drop: {}\n    depends_on: { in: { when: payload.a } }\n");
  assert.deepEqual(mapped?.when, { lang: "cel", expr: "payload.a", path: [...base, "in", "when"] });
});

Deno.test("loadPipeline: edge_defaults stand in field by field", () => {
  const [plain, own] = edges(`edge_defaults:
  required: false
  delivery: { retries: 9, timeout_ms: 50 }
  buffer: { max_events: 5 }
sinks:
  out:
    drop: {}
    depends_on:
      - in
      - in: { required: true, delivery: { backoff: constant }, buffer: {} }
`);
  assert.deepEqual([plain?.required, plain?.delivery, plain?.bufferEvents], [
    false,
    { retries: 9, backoff: "exponential", timeoutMs: 50 },
    5,
  ]);
  assert.deepEqual([own?.required, own?.delivery, own?.bufferEvents], [
    true,
    { retries: 9, backoff: "constant", timeoutMs: 50 },
    5,
  ]);
  const all = "edge_defaults";
  const bufferEvents = all;
  assert.deepEqual([plain?.origins, own?.origins], [
    { required: all, retries: all, backoff: "default", timeoutMs: all, bufferEvents },
    { required: "edge", retries: all, backoff: "edge", timeoutMs: all, bufferEvents },
  ]);
});

Deno.test("loadPipeline: an external node carries its manifest and absolute path", () => {
  const source = node(
    pipeline(
      "sources:\n  in:\n    ticker: { symbol: a }\n    grpc: { command: [./t, -v], schema: ./good.json, env: { LEVEL: info } }\n",
    ),
    "in",
  );
  assert.deepEqual(source.grpc, {
    command: ["./t", "-v"],
    schema: "/pipelines/good.json",
    restart: "fast-fail",
    env: { LEVEL: "info" },
    manifest: { kind: "source", name: "ticker", version: 1, capabilities: [], configSchema: { type: "object" } },
  });
});

Deno.test("loadPipeline: nodes come in document order, whatever order the sections and names have", () => {
  const { document } = loadFixture(pipeline(`sinks:
  z: { depends_on: "10", drop: {} }
  "2": { depends_on: "10", drop: {} }
sources:
  "10": { cron: {} }
  "1": { cron: {} }
`));
  assert.deepEqual(document?.nodes.map((each) => each.name), ["z", "2", "10", "1"]);
});

Deno.test("loadPipeline: anchors under x- keys are shared by nodes, with their own places", () => {
  const { document, diagnostics } = loadFixture(pipeline(`x-edge: &edge
  delivery: { retries: 9 }
sinks:
  a: { depends_on: { in: { <<: *edge, required: false } }, drop: {} }
  b: { depends_on: { in: *edge }, drop: {} }
`));
  assert.deepEqual(diagnostics, []);
  const retries = document?.nodes.flatMap((each) => each.section === "sources" ? [] : each.dependsOn)
    .map((edge) => edge.delivery.retries);
  assert.deepEqual(retries, [9, 9]);
  const path = ["sinks", "b", "depends_on", "in", "delivery", "retries"];
  assert.deepEqual(spanAt(document?.spans ?? {}, path), { file: "p.yaml", line: 5, column: 24 });
});

Deno.test("loadPipeline: a mistake in an anchor is told once, however often it is used", () => {
  const loaded = loadFixture(pipeline(`x-edge: &edge { delivery: { retries: some } }
sinks:
  a: { depends_on: { in: *edge }, drop: {} }
  b: { depends_on: { in: *edge }, drop: {} }
`));
  assert.deepEqual(foundFindings(loaded), ["cfg_delivery_type p.yaml:4:38"]);
});

Deno.test("loadPipeline: everything wrong comes at once, and what is recognisable is kept", () => {
  const loaded = loadFixture(`kind: Pipeline
metadata: { name: a }
bogus: 1
sources:
  good: { cron: {} }
  both: { cron: {}, file: {} }
  text: hello
sinks:
  out: { depends_on: [good, 5], batch: { size: 0 }, drop: {} }
  old: { from: good, drop: {} }
`);
  assert.deepEqual(loaded.diagnostics.map((found) => [found.code, found.line, found.node]), [
    ["cfg_api_version", 1, undefined],
    ["cfg_unknown_top_section", 3, undefined],
    ["cfg_multiple_plugins", 6, "both"],
    ["cfg_node_type", 7, "text"],
    ["cfg_bad_depends_on", 9, "out"],
    ["cfg_batch_range", 9, "out"],
    ["cfg_from_renamed", 10, "old"],
  ]);
  assert.deepEqual(loaded.document?.nodes.map((each) => each.name), ["good", "out", "old"]);
  assert.deepEqual(loaded.document?.brokenNodes, ["both", "text"]);
});

Deno.test("loadPipeline: unknown names come with the nearest known one", () => {
  const hint = (text: string) => loadFixture(pipeline(text)).diagnostics[0]?.hint ?? "";
  assert.match(hint("limmits: {}\n"), /"limits"/);
  assert.match(hint("run: { mod: job }\n"), /"mode"/);
  assert.match(hint("run: { mode: jobb }\n"), /"job"/);
  assert.match(hint("sinks:\n  out: { depends_on: in, drop: {}, bacth: {} }\n"), /"batch"/);
  assert.match(hint("constants: { region: eu, x: '${constant.region}' }\n"), /"constants"/);
  assert.match(hint("edge_defaults: { delivery: { timeout: 5 } }\n"), /"timeout_ms"/);
});

Deno.test("loadPipeline: fields that stand beside their plugin are told to be indented, two plugins to be split", () => {
  const hint = (node: string) => loadFixture(pipeline(`sources:\n  in:\n${node}`)).diagnostics[0]?.hint ?? "";
  assert.equal(hint("    file:\n    path: a\n    on_eof: stop\n"), 'indent "path", "on_eof" below "file"');
  assert.match(hint("    file: { path: a }\n    cron: { expression: x }\n"), /one node for each/);
  assert.match(hint("    file:\n    multiline: { pattern: x }\n"), /indent it below; else split/);
});

Deno.test("loadPipeline: the document is plain data that crosses a port", () => {
  const { document } = loadFixture(pipeline("constants: { big: 12345678901234567890, __proto__: { a: 1 } }\n"));
  assert.deepEqual(structuredClone(document), document);
  assert.equal(document?.constants["big"], 12345678901234567890n);
  assert.equal(Object.hasOwn(document?.constants ?? {}, "__proto__"), true);
});

Deno.test("spanAt: values, keys and characters, and the nearest value around what is not there", () => {
  const { document } = loadFixture(
    pipeline("transforms:\n  t:\n    depends_on: in\n    script: |\n      a = 1\n      b = 2\n"),
  );
  const spans = document?.spans ?? {};
  const place = (span: { line: number; column: number } | undefined) => [span?.line, span?.column];
  assert.deepEqual(place(spanAt(spans, ["transforms", "t", "script"])), [7, 13]);
  assert.deepEqual(place(spanAt(spans, ["transforms", "t", "script"], 6)), [9, 7]);
  assert.deepEqual(place(spanAt(spans, ["transforms", "t", "script", "gone"], 6)), [7, 13]);
  assert.deepEqual(place(keySpanAt(spans, ["transforms", "t", "script"])), [7, 5]);
  assert.deepEqual(place(spanAt(spans, [])), [1, 1]);
  assert.equal(spanAt({}, []), undefined);
  assert.deepEqual(document?.spans["/transforms/t/script"]?.textLines?.slice(0, 2), [
    { line: 8, column: 7 },
    { line: 9, column: 7 },
  ]);
});
