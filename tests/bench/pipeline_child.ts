/** Runs a pipeline as the program does, in isolates of its own: CONFIG DATA_DIR DURABILITY. Stops on SIGTERM. */

import { defaultRuntime } from "../../src/config/mod.ts";
import { runPipeline } from "../../src/isolate/mod.ts";
import { laneGrants } from "../../src/plan/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { verifyFile } from "../../src/verify/mod.ts";
import { peakMemoryMb, tell } from "./child_program.ts";

/** Printed by a pipeline with an `http_server`, once it takes requests. */
export interface PipelineListens {
  readonly port: number;
}

/** Printed at the end. */
export interface PipelineEnded {
  readonly status: string;
  readonly committed: number;
  readonly replayed: number;
  /** From the call to the moment the sources run: isolates, store, recovery. */
  readonly startSeconds: number;
  /** From then to the outcome. */
  readonly runSeconds: number;
  readonly peakMb: number;
}

async function main([config = "", dataDir = "", durability = ""]: readonly string[]): Promise<void> {
  if (durability !== "power" && durability !== "process") throw new Error(`no such durability: ${durability}`);
  const plugins = builtins();
  const registry = new Registry();
  for (const plugin of plugins) registry.register(plugin);
  const { document, plan, diagnostics } = verifyFile({ file: config, registry });
  if (document === undefined || plan === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  const runtime = defaultRuntime();
  const stop = new AbortController();
  Deno.addSignalListener("SIGTERM", () => stop.abort());
  const calledMs = performance.now();
  let startedMs = calledMs;
  const outcome = await runPipeline({
    document,
    needs: plan.needs,
    lanes: laneGrants(plan),
    runtime: { ...runtime, storage: { ...runtime.storage, dataDir, durability } },
    entries: {
      pipeline: new URL("../../src/pipeline_isolate.ts", import.meta.url),
      store: new URL("../../src/store_isolate.ts", import.meta.url),
    },
    plugins,
    signal: stop.signal,
    log: { log: (level, message, fields) => report(level, message, fields) },
    onStarted: () => startedMs = performance.now(),
  });
  if (outcome.failure !== undefined) throw new Error(JSON.stringify(outcome.failure, null, 2));
  const { committed, replayed } = outcome.counts;
  const ended: PipelineEnded = {
    status: outcome.status,
    committed,
    replayed,
    startSeconds: (startedMs - calledMs) / 1000,
    runSeconds: (performance.now() - startedMs) / 1000,
    peakMb: peakMemoryMb(),
  };
  tell(ended);
}

function report(level: string, message: string, fields: { readonly [name: string]: unknown } = {}): void {
  if (typeof fields["port"] === "number") tell({ port: fields["port"] } satisfies PipelineListens);
  else if (level === "warn" || level === "error") console.error(message, fields);
}

if (import.meta.main) {
  await main(Deno.args);
  Deno.exit(0);
}
