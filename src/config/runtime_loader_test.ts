import assert from "node:assert/strict";
import { defaultRuntime, loadRuntime, readRuntime, RUNTIME_FILE } from "./runtime_loader.ts";

const HEAD = "apiVersion: eventboat/v1\nkind: Runtime\n";

function load(text: string, env: { readonly [name: string]: string } = {}) {
  return loadRuntime({ file: "r.yaml", text, env: (name) => env[name] });
}

function findings(text: string): string[] {
  return load(HEAD + text).diagnostics.map(({ code, line, column }) => `${code} ${line - 2}:${column}`);
}

Deno.test("loadRuntime: fills in every default", () => {
  const { document, diagnostics } = load(HEAD);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(document, {
    storage: {
      dataDir: "data",
      ephemeral: false,
      spoolRetention: 10_000,
      writeBatch: { maxRows: 2_000, maxWaitMs: 2 },
      durability: "power",
    },
    admin: { listen: "127.0.0.1:7788", enable: true, token: "" },
    mcp: { enable: true },
    plugins: { allow: [] },
    telemetry: { otlpEndpoint: "", otlpHeaders: {}, sampleRatio: 0.1, prometheus: true },
    isolation: "isolate",
    log: { level: "info", format: undefined },
  });
  assert.deepEqual(document, defaultRuntime());
});

Deno.test("loadRuntime: reads every key, from the environment too", () => {
  const { document, diagnostics } = load(
    `${HEAD}storage: { data_dir: /var/eb, ephemeral: true, spool_retention: 0, durability: process,
  write_batch: { max_rows: 1, max_wait_ms: 0 } }
admin: { listen: "0.0.0.0:1", enable: false, token: "\${TOKEN}" }
mcp: { enable: "\${MCP}" }
plugins: { allow: [./ticker] }
telemetry: { otlp_endpoint: "http://c:4318", otlp_headers: { a: b }, sample_ratio: 1, prometheus: false }
isolation: process
log: { level: debug, format: json }
`,
    { TOKEN: "0123", MCP: "false" },
  );
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(document?.storage.writeBatch, { maxRows: 1, maxWaitMs: 0 });
  assert.deepEqual(document?.admin, { listen: "0.0.0.0:1", enable: false, token: "0123" });
  assert.equal(document?.mcp.enable, false);
  assert.deepEqual(document?.plugins.allow, ["./ticker"]);
  assert.deepEqual(document?.telemetry.otlpHeaders, { a: "b" });
  assert.deepEqual(document?.log, { level: "debug", format: "json" });
});

Deno.test("loadRuntime: unknown keys, wrong types and values out of range, each with its place", () => {
  assert.deepEqual(findings("storag: {}\n"), ["runtime_unknown_key 1:1"]);
  assert.deepEqual(findings("storage:\n  write_batch: { rows: 1 }\n"), ["runtime_unknown_key 2:18"]);
  assert.deepEqual(findings("storage: { data_dir: 123 }\n"), ["runtime_type 1:22"]);
  assert.deepEqual(findings("admin: { enable: 'yes' }\n"), ["runtime_type 1:18"]);
  assert.deepEqual(findings("storage: data\n"), ["runtime_type 1:10"]);
  assert.deepEqual(findings("plugins: { allow: x }\n"), ["runtime_type 1:19"]);
  assert.deepEqual(findings("isolation: 5\n"), ["runtime_type 1:12"]);
  assert.deepEqual(findings("admin: { listen: 7788 }\n"), ["runtime_type 1:18"]);
  assert.deepEqual(findings("admin: { listen: localhost }\n"), ["runtime_range 1:18"]);
  assert.deepEqual(findings("admin: { listen: 'a:65536' }\n"), ["runtime_range 1:18"]);
  assert.deepEqual(findings("admin: { listen: '[::1]:0' }\n"), []);
  assert.deepEqual(findings("isolation: process\n"), []);
  assert.deepEqual(findings("isolation: thread\n"), ["runtime_range 1:12"]);
  assert.deepEqual(findings("telemetry: { sample_ratio: -1 }\n"), ["runtime_range 1:28"]);
  assert.deepEqual(findings("storage: { write_batch: { max_rows: 2001 } }\n"), ["runtime_range 1:37"]);
  assert.deepEqual(findings("storage:\nlog: {}\n"), []);
  assert.equal(load(`${HEAD}log: { level: loud }\n`).document, undefined);
});

Deno.test("loadRuntime: a document of another kind, and references that mean nothing here", () => {
  const codes = (text: string) => load(text).diagnostics.map((found) => found.code);
  assert.deepEqual(codes("apiVersion: eventboat/v1\nkind: Pipeline\n"), ["cfg_kind"]);
  assert.deepEqual(codes(`${HEAD}storage: { data_dir: "\${constants.x}" }\n`), ["cfg_constant_unknown"]);
  assert.deepEqual(codes(`${HEAD}storage: { data_dir: "\${GONE}" }\n`), ["cfg_env_unset"]);
});

Deno.test("readRuntime: the named file, else the one in the working folder, else the defaults", () => {
  const read = (files: { readonly [path: string]: string }, file?: string) =>
    readRuntime({
      ...(file === undefined ? {} : { file }),
      env: () => undefined,
      readFile: (path) => {
        const name = Object.keys(files).find((known) => path.endsWith(known));
        if (name === undefined) throw new Deno.errors.NotFound(path);
        return new TextEncoder().encode(files[name]);
      },
    });
  const files = { [RUNTIME_FILE]: `${HEAD}isolation: inline\n`, "named.yaml": `${HEAD}isolation: process\n` };
  assert.equal(read(files, "named.yaml").document?.isolation, "process");
  assert.equal(read(files).document?.isolation, "inline");
  assert.deepEqual(read({}), { document: defaultRuntime(), diagnostics: [] });
  assert.deepEqual(read({}, "named.yaml").diagnostics.map((found) => found.code), ["io_read"]);
  // A file that is there and empty was meant to say something.
  assert.deepEqual(read({ [RUNTIME_FILE]: "" }).diagnostics.map((found) => found.code), ["empty_config"]);
});
