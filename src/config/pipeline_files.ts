/** Owns the reading of documents from the disk: the only place of this room that touches it. */

import { dirname, resolve } from "node:path";
import { DiagnosticBag, reasonOf } from "../diagnostics/mod.ts";
import { type LoadedPipeline, loadPipeline } from "./pipeline_loader.ts";
import type { ReadFile } from "./shape/external.ts";
import type { Environment } from "./substitution.ts";
import type { SourceText } from "./yaml_text.ts";

/** Files a pipeline is read from. */
export interface PipelineFiles {
  /** The document, as the user named it; findings are shown under this name. */
  readonly file: string;
  /** Overlays, in order. Default: none. */
  readonly overlays?: readonly string[];
  /** Default: the process's environment. */
  readonly env?: Environment;
  /** Names of registered codecs. Default: none. */
  readonly codecNames?: readonly string[];
  /** Default: the disk. */
  readonly readFile?: ReadFile;
}

/** Reads a pipeline and its overlays; files that cannot be read are `io_read`, all of them at once. */
export function readPipeline(files: PipelineFiles): LoadedPipeline {
  const readFile = files.readFile ?? Deno.readFileSync;
  const bag = new DiagnosticBag();
  const base = readSource(files.file, readFile, bag);
  const overlays = (files.overlays ?? []).map((file) => readSource(file, readFile, bag));
  const readable = overlays.filter((overlay) => overlay !== undefined);
  if (base === undefined || readable.length < overlays.length) return { diagnostics: bag.list() };
  return loadPipeline({
    ...base,
    directory: dirname(resolve(files.file)),
    overlays: readable,
    env: files.env ?? processEnvironment,
    readFile,
    ...(files.codecNames === undefined ? {} : { codecNames: files.codecNames }),
  });
}

/** The process's environment. */
export function processEnvironment(name: string): string | undefined {
  return Deno.env.get(name);
}

/** A file's bytes under the name it was given; undefined, with `io_read`, where it cannot be read. */
export function readSource(file: string, readFile: ReadFile, bag: DiagnosticBag): SourceText | undefined {
  try {
    return { file, text: readFile(resolve(file)) };
  } catch (caught) {
    bag.report("io_read", { file, line: 1, column: 1 }, `the file cannot be read: ${reasonOf(caught)}`);
    return undefined;
  }
}
