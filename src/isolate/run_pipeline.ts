/** Owns the choice of where a pipeline lives. */

import type { Outcome } from "../engine/mod.ts";
import { runPipelineProcess } from "./pipeline_process.ts";
import { type RunPipelineOptions, supervisePipeline } from "./supervisor.ts";

/**
 * Runs one pipeline to its end, where the Runtime document's `isolation` says: in an isolate of its own, in an isolate
 * of a process of its own, or in the caller's isolate.
 * @throws {EventboatError} when it could not begin: `store_locked`, `store_readonly`, `io` and the like. What goes
 * wrong later is the outcome's failure.
 */
export async function runPipeline(options: RunPipelineOptions): Promise<Outcome> {
  if (options.runtime.isolation === "process") return await runPipelineProcess(options);
  return await supervisePipeline(options);
}
