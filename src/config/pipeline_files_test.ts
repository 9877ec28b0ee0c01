import assert from "node:assert/strict";
import { join } from "node:path";
import { readPipeline } from "./pipeline_files.ts";
import { pipeline } from "./testing/annotated.ts";

async function inFolder(run: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readPipeline: reads the file, its overlays and its manifests relative to its folder", () =>
  inFolder((folder) => {
    const file = join(folder, "p.yaml");
    const overlay = join(folder, "o.yaml");
    const manifest = { kind: "source", name: "t", version: 1, config_schema: {} };
    Deno.writeTextFileSync(join(folder, "m.json"), JSON.stringify(manifest));
    Deno.writeTextFileSync(file, pipeline("sources:\n  in: { t: {}, grpc: { command: [t], schema: m.json } }\n"));
    Deno.writeTextFileSync(overlay, "limits: { max_in_flight: '${N}' }\n");
    const { document, diagnostics } = readPipeline({ file, overlays: [overlay], env: () => "5" });
    assert.deepEqual(diagnostics, []);
    assert.equal(document?.directory, folder);
    assert.equal(document?.limits.maxInFlight, 5);
    assert.equal(document?.nodes[0]?.grpc?.schema, join(folder, "m.json"));
  }));

Deno.test("readPipeline: every file that cannot be read is io_read under its own name", () =>
  inFolder((folder) => {
    const gone = join(folder, "gone.yaml");
    const { document, diagnostics } = readPipeline({ file: gone, overlays: [folder] });
    assert.equal(document, undefined);
    assert.deepEqual(diagnostics.map(({ code, file, line, column }) => [code, file, line, column]), [
      ["io_read", gone, 1, 1],
      ["io_read", folder, 1, 1],
    ]);
  }));
