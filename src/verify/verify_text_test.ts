import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { rebuildPlan } from "../plan/mod.ts";
import { Registry } from "../plugin/mod.ts";
import { verdictOf } from "./build_case.ts";
import { verifyText } from "./verify_file.ts";
import { fakeRegistry } from "./fake_plugins.ts";

Deno.test("verifyText: a reference takes the type its field asks for, and stays text where text is asked for", () => {
  const yaml = (size: string) => `
sources:
  ingest: {pages: {page_size: "${size}"}}
sinks:
  out: {depends_on: [ingest], http: {url: "\${COUNT}"}}
`;
  assert.deepEqual(verdictOf(yaml("${COUNT}")).diagnostics, []);
  const codes = (text: string) => verdictOf(text).diagnostics.map(({ code }) => code);
  assert.deepEqual(codes(yaml("${NAME}")), ["plugin_schema"]);
  assert.deepEqual(codes(yaml("1${COUNT}")), ["plugin_schema"]);
  // What cannot be resolved is told once, as what it is.
  assert.deepEqual(codes(yaml("${MISSING}")), ["cfg_env_unset"]);
});

Deno.test("verifyText: a plan has its nodes in order, its edges in document order and what each node needs", () => {
  const { plan, permissions } = verdictOf(`
sinks:
  last: {depends_on: [b, a], drop: {}}
transforms:
  b: {depends_on: [a], split: {}}
  a: {depends_on: [in2, in1], split: {}}
sources:
  in1: {file: {path: x}}
  in2: {file: {path: y}}
`);
  assert.ok(plan);
  assert.deepEqual(plan.nodes.map((node) => node.name), ["in1", "in2", "a", "b", "last"]);
  assert.deepEqual(plan.edges.map((edge) => edge.label), ["b->last", "a->last", "a->b", "in2->a", "in1->a"]);
  assert.deepEqual(plan.edges.map((edge) => edge.id), [0, 1, 2, 3, 4]);
  const a = plan.nodes.find((node) => node.name === "a");
  assert.deepEqual(a?.outputs.map((edge) => edge.id), [1, 2]);
  assert.deepEqual(a?.inputs.map((edge) => edge.id), [3, 4]);
  assert.deepEqual(plan.needsByNode.get("in1"), { read: ["/pipelines/x"] });
  assert.deepEqual(plan.needsByNode.get("a"), {});
  assert.deepEqual(permissions, { read: ["/pipelines/x", "/pipelines/y"] });
});

Deno.test("rebuildPlan: makes the same plan of a document that crossed a port, and runs no check again", () => {
  const yaml = `
sources:
  ingest: {file: {path: x}}
transforms:
  enrich: {depends_on: [ingest], script: mistake}
sinks:
  out: {depends_on: {enrich: {when: payload.a == 1}}, drop: {}}
`;
  const judged = verdictOf(yaml);
  assert.equal(judged.ok, false);
  assert.ok(judged.document);
  const plan = rebuildPlan(structuredClone(judged.document), fakeRegistry());
  assert.deepEqual(plan.nodes.map((node) => [node.name, node.kind]), [
    ["ingest", "source"],
    ["enrich", "transform"],
    ["out", "sink"],
  ]);
  const condition = plan.edges[1]?.condition?.bind({ constants: {}, parameters: {} });
  assert.equal(condition?.({ payload: { a: 1 }, meta: {} }), true);
  assert.equal(condition?.({ payload: { a: 2 }, meta: {} }), false);
});

Deno.test("rebuildPlan: refuses a document that does not fit this program", () => {
  const { document } = verdictOf(`
sources:
  ingest: {file: {path: x}}
sinks:
  out: {depends_on: [ingest], drop: {}}
`);
  assert.ok(document);
  assert.throws(
    () => rebuildPlan(document, new Registry()),
    (error) => error instanceof EventboatError && error.code === "config_invalid" && error.node === "ingest",
  );
});

Deno.test("verifyText: strict lets a warning fail the verdict", () => {
  const yaml = `
constants: {spare: 1}
sources:
  ingest: {file: {path: x}}
sinks:
  out: {depends_on: [ingest], drop: {}}
`;
  const { ok, errors, warnings, plan } = verdictOf(yaml);
  assert.deepEqual([ok, errors, warnings, plan !== undefined], [true, 0, 1, true]);
  assert.equal(verdictOf(yaml, true).ok, false);
});

Deno.test("verifyText: findings stand in the file that supplied the value, the document's own first", () => {
  const document = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: p}
sources:
  ingest: {file: {path: x}}
sinks:
  out: {depends_on: [ingets], drop: {}}
`;
  const verdict = verifyText({
    file: "p.yaml",
    text: document,
    overlays: [{ file: "o.yaml", text: "limits: {max_in_flight: 0}\nsources: {ingest: {file: {path: 7}}}\n" }],
    directory: "/pipelines",
    env: () => undefined,
    readFile: () => assert.fail("no file is read"),
  }, { registry: fakeRegistry() });
  assert.deepEqual(verdict.diagnostics.map(({ file, code, line }) => [file, code, line]), [
    ["p.yaml", "topo_missing_ref", 7],
    ["o.yaml", "cfg_limits_range", 1],
    ["o.yaml", "plugin_schema", 2],
  ]);
});

Deno.test("verifyText: a certificate of many characters in one line is judged like any other text", () => {
  // Once searched anew from each of its characters for a URL with a password, which took minutes.
  const certificate = "MIID+abc.9".repeat(40_000);
  const { diagnostics } = verdictOf(`
constants:
  ca: ${certificate}
  dsn: "averyveryveryverylongschemeindeed+x://user:pass@host/${certificate}"
sources:
  ingest: {file: {path: a}}
transforms:
  read: {depends_on: [ingest], script: "payload = [constants.ca, constants.dsn]"}
sinks:
  out: {depends_on: [read], drop: {}}
`);
  assert.deepEqual(diagnostics.map(({ code }) => code), ["lint_secret_literal"]);
});

Deno.test("verifyText: findings quote what the file says, never a secret or what the environment said", () => {
  const told = (size: string) => {
    const [found] = verdictOf(`
sources:
  ingest: {pages: {page_size: ${size}}}
sinks:
  out: {depends_on: [ingest], drop: {}}
`).diagnostics;
    return `${found?.code} ${found?.message}`;
  };
  assert.match(told("many"), /^plugin_schema .*found "many"$/);
  assert.match(told('"${NAME}"'), /^plugin_schema .*found text that is not shown$/);
  const [condition] = verdictOf(`
sources:
  ingest: {pages: {}}
sinks:
  out: {depends_on: {ingest: {when: "payload.a == 'x' \${NAME}"}}, drop: {}}
`).diagnostics;
  assert.equal(condition?.code, "expr_cel_compile");
  assert.doesNotMatch(`${condition.message} ${condition.hint}`, /from/);
});
