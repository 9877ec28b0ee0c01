import assert from "node:assert/strict";
import { type LoadedPipeline, loadPipeline } from "./pipeline_loader.ts";
import { keySpanAt, spanAt } from "./span_table.ts";

const BASE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: demo }
x-shared: &shared { retries: 1 }
limits: { max_in_flight: 5, drain_timeout: 1s }
sources:
  in:
    file: { path: a.log, tags: [a, b] }
sinks:
  out:
    depends_on: in
    http: { url: "\${URL}", headers: { A: a, B: b } }
`;

function load(overlays: readonly string[], env: { readonly [name: string]: string } = {}): LoadedPipeline {
  return loadPipeline({
    file: "p.yaml",
    text: BASE,
    overlays: overlays.map((text, index) => ({ file: `o${index + 1}.yaml`, text })),
    directory: "/",
    env: (name) => env[name],
    readFile: () => new Uint8Array(),
  });
}

function findings(overlays: readonly string[], env: { readonly [name: string]: string } = { URL: "u" }): string[] {
  return load(overlays, env).diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

function blockOf(loaded: LoadedPipeline, name: string): unknown {
  assert.deepEqual(loaded.diagnostics, []);
  return loaded.document?.nodes.find((node) => node.name === name)?.block;
}

Deno.test("overlays: mappings merge deep, lists and plain values are replaced, in order", () => {
  const loaded = load([
    "sources: { in: { file: { tags: [c], path: b.log } } }\nlimits: { max_in_flight: 6 }\n",
    "sources: { in: { file: { path: c.log } } }\nsinks: { out: { http: { headers: { C: c } } } }\n",
  ], { URL: "u" });
  assert.deepEqual(blockOf(loaded, "in"), { path: "c.log", tags: ["c"] });
  assert.deepEqual(blockOf(loaded, "out"), { url: "u", headers: { A: "a", B: "b", C: "c" } });
  assert.deepEqual(loaded.document?.limits, { maxInFlight: 6, drainTimeoutMs: 1000 });
});

Deno.test("overlays: <<remove>> deletes a key, and a plugin can be exchanged", () => {
  const loaded = load(["sinks: { out: { http: <<remove>>, debug: { prefix: x } } }\nlimits: <<remove>>\n"]);
  assert.deepEqual(blockOf(loaded, "out"), { prefix: "x" });
  assert.equal(loaded.document?.limits.maxInFlight, 10_000);
});

Deno.test("overlays: merge before substitution, so that a replaced reference is never asked for", () => {
  assert.deepEqual(blockOf(load(["sinks: { out: { http: { url: http://b } } }\n"]), "out"), {
    url: "http://b",
    headers: { A: "a", B: "b" },
  });
  assert.deepEqual(findings([], {}), ["cfg_env_unset p.yaml:12:19"]);
  const marked = load(["sinks: { out: { http: { url: '${MARK}' } } }\n"], { MARK: "<<remove>>" });
  assert.deepEqual(blockOf(marked, "out"), { url: "<<remove>>", headers: { A: "a", B: "b" } });
});

Deno.test("overlays: what an overlay supplied stands in the overlay", () => {
  assert.deepEqual(findings(["\nlimits:\n  max_in_flight: many\n"]), ["cfg_limits_type o1.yaml:3:18"]);
  assert.deepEqual(findings(["limits: { max: 5 }\nfoo: 1\n"]), [
    "cfg_unknown_field o1.yaml:1:11",
    "cfg_unknown_top_section o1.yaml:2:1",
  ]);
  const { document } = load(["sources:\n  in:\n    file:\n      path: |\n        two\n        lines\n"], { URL: "u" });
  assert.ok(document);
  assert.deepEqual(spanAt(document.spans, ["sources", "in", "file", "path"], 4), {
    file: "o1.yaml",
    line: 6,
    column: 9,
  });
  assert.deepEqual(keySpanAt(document.spans, ["sources", "in"]), { file: "p.yaml", line: 7, column: 3 });
});

Deno.test("overlays: what cannot be merged is told at the overlay", () => {
  assert.deepEqual(findings(["limits: [1]\n"]), ["cfg_overlay o1.yaml:1:1"]);
  assert.deepEqual(findings(["sources: { in: { file: { path: { a: 1 } } } }\n"]), ["cfg_overlay o1.yaml:1:26"]);
  assert.deepEqual(findings(["dlq: <<remove>>\n"]), ["cfg_overlay o1.yaml:1:1"]);
  assert.deepEqual(findings(["dlq: { retention: <<remove>> }\n"]), ["cfg_overlay o1.yaml:1:8"]);
  assert.deepEqual(findings(["telemetry: { redact: [<<remove>>] }\n"]), ["cfg_overlay o1.yaml:1:23"]);
  assert.deepEqual(findings(["- a\n"]), ["yaml_parse o1.yaml:1:1"]);
  assert.deepEqual(findings(["# nothing\n"]), ["empty_config o1.yaml:1:1"]);
});

Deno.test("overlays: nothing is loaded where an overlay cannot be read", () => {
  assert.equal(load(["a: [\n"]).document, undefined);
});
