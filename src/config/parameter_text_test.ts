import assert from "node:assert/strict";
import { documentOfRun } from "./parameter_text.ts";
import { loadPipeline } from "./pipeline_loader.ts";

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: sync}
run: {mode: job}
parameters:
  from: {type: string, default: "2026"}
  limit: {type: integer, default: 5}
sources:
  in: {pages: {query: ["a \${parameters.from} b \${parameters.from}", {size: "\${parameters.limit}"}]}}
transforms:
  cut:
    depends_on: {in: {when: "payload.n > \${parameters.limit}.0"}}
    script: payload.from = "\${parameters.from}"
sinks:
  out: {depends_on: cut, drop: {}}
`;

function load(text = PIPELINE) {
  const readFile = () => new Uint8Array();
  const { document, diagnostics } = loadPipeline({
    file: "p.yaml",
    text,
    directory: "/",
    env: () => undefined,
    readFile,
  });
  assert.deepEqual(diagnostics, []);
  assert.ok(document !== undefined);
  return document;
}

Deno.test("documentOfRun: references in blocks, lists, scripts and conditions become the parameter's text", () => {
  const { nodes, parameterReferences } = documentOfRun(load(), { from: "May ${x}", limit: 7 });
  const [source, cut] = nodes;
  assert.deepEqual(source?.block, { query: ["a May ${x} b May ${x}", { size: "7" }] });
  assert.equal(cut?.block, 'payload.from = "May ${x}"');
  assert.equal(cut?.section === "transforms" && cut.dependsOn[0]?.when?.expr, "payload.n > 7.0");
  assert.deepEqual(parameterReferences, []);
});

Deno.test("documentOfRun: a text that was one reference takes the type its schema asks for, null is nothing", () => {
  const { nodes, references } = documentOfRun(load(), { from: null, limit: 7 });
  assert.deepEqual(references, ["/sources/in/pages/query/1/size"]);
  assert.deepEqual(nodes[0]?.block, { query: ["a  b ", { size: "7" }] });
});

Deno.test("documentOfRun: a document without references stays as it is", () => {
  const document = load(PIPELINE.replaceAll(/\$\{parameters\.\w+\}/g, "1"));
  assert.equal(documentOfRun(document, { limit: 1 }), document);
});
