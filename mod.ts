/**
 * The public API of a custom build: a program that registers plugins of its own beside the built-in ones and is an
 * Eventboat otherwise.
 *
 * ```ts no-run
 * import { runCli, type SinkPlugin } from "eventboat";
 *
 * declare const mySink: SinkPlugin;
 * Deno.exit(await runCli({ plugins: [mySink], pipelineEntry: new URL("./pipeline_isolate.ts", import.meta.url) }));
 * ```
 *
 * A pipeline runs in an isolate of its own, which loads its plugins anew: the entry file of that isolate is a module
 * with the one call `servePipeline([mySink])`. The lanes of a transform with several workers begin with it, too.
 *
 * @module
 */

import { runCli as runCommandLine } from "./src/cli/mod.ts";
import {
  type FromPluginIsolate,
  type IsolateScope,
  servePipeline as serveIsolate,
  type ToPluginIsolate,
} from "./src/isolate/mod.ts";
import type { Plugin } from "./src/plugin/mod.ts";
import { builtins } from "./src/plugins/mod.ts";

export type { Clock, Data, Random } from "./src/base/mod.ts";
export { type ErrorCode, EventboatError, type EventboatErrorOptions } from "./src/diagnostics/mod.ts";
export * from "./src/message/mod.ts";
export * from "./src/plugin/mod.ts";
export * from "./src/schema/mod.ts";
export type { Counter, Gauge, Histogram, Labels, LogFields, Logger, LogLevel, Meter } from "./src/telemetry/mod.ts";

/** What a custom build sets. */
export interface CustomBuildOptions {
  /** Plugins beside the built-in ones. */
  readonly plugins: readonly Plugin[];
  /**
   * The module a pipeline's isolate begins with; it calls {@linkcode servePipeline} with the same plugins. Default: the
   * shipped one, which knows the built-in plugins only, so that pipelines with others run with `isolation: inline`.
   */
  readonly pipelineEntry?: URL;
  /** The arguments behind the program's name. Default: the process's own. */
  readonly args?: readonly string[];
}

/**
 * Does what the command line asks for, with these plugins beside the built-in ones, and gives the exit code. Never
 * rejects.
 */
export function runCli(options: CustomBuildOptions): Promise<number> {
  const { plugins, pipelineEntry, args } = options;
  return runCommandLine({
    loadPlugins: () => Promise.resolve([...builtins(), ...plugins]),
    entries: {
      pipeline: pipelineEntry ?? new URL("./src/pipeline_isolate.ts", import.meta.url),
      store: new URL("./src/store_isolate.ts", import.meta.url),
    },
    ...(args === undefined ? {} : { args }),
  });
}

/** Serves a pipeline in the isolate that calls it, with these plugins beside the built-in ones. */
export function servePipeline(plugins: readonly Plugin[]): void {
  // A module Worker's global scope has these two members; the compiler's library for it cannot be loaded beside ours.
  serveIsolate(self as unknown as IsolateScope<ToPluginIsolate, FromPluginIsolate>, [...builtins(), ...plugins]);
}
