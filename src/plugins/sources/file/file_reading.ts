/** Owns the reading of everything there is, once: for jobs, batches and `on_eof: stop`. */

import { turn } from "../../../base/mod.ts";
import { EventboatError, reasonOf } from "../../../diagnostics/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import { pumpCompressed } from "./compressed_reading.ts";
import { type CompressionFormat, formatByName } from "./decompression.ts";
import type { FileConfig } from "./file_config.ts";
import type { FilePump } from "./file_pump.ts";
import type { FileRoster } from "./file_roster.ts";
import { type Glob, isPlainPath } from "./path_glob.ts";
import { FILES_MAX, isDenied, scanPaths, type ScanResult } from "./path_scan.ts";
import { FileReadError, type TrackedFile } from "./tracked_file.ts";

/** What a reading works with. */
export interface ReadingParts {
  readonly config: FileConfig;
  readonly globs: readonly Glob[];
  readonly pump: FilePump;
  readonly roster: FileRoster;
  readonly context: PluginContext;
}

/** Files without news that are read in one turn of the event loop. */
const FILES_PER_TURN = 64;
/** How often a file may be written anew while it is read. */
const RESTARTS_MAX = 100;

/** Reads the files that are there, one after the other in the order of their paths. */
export class FileReading {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when everything was accepted, or soon after the signal aborts. What is written to a file after it was
   * opened may be left for the next time.
   * @throws {FileReadError} a file cannot be read; {@linkcode EventboatError} there is no such file, or a batch was not
   * accepted
   */
  async run(signal: AbortSignal): Promise<void> {
    const { pump, roster } = this.#parts;
    let count = 0;
    for (const file of await this.#find()) {
      if (signal.aborted) break;
      if (++count % FILES_PER_TURN === 0) await turn();
      try {
        await this.#read(file, signal);
      } catch (caught) {
        if (!(caught instanceof FileReadError) || !caught.isDenied) throw caught;
        roster.refuse(file.path, caught);
      }
      roster.open.close(file);
    }
    await pump.window.settle();
  }

  async #find(): Promise<TrackedFile[]> {
    const { globs, roster } = this.#parts;
    const scan = await scanPaths(globs);
    this.#refuse(scan);
    await roster.survey(scan);
    const files = [...roster.files()];
    return files.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  }

  /** What a tail would wait for is an error here: nobody would ever know that something was left out. */
  #refuse(scan: ScanResult): void {
    const { config, globs, context: { node } } = this.#parts;
    for (const each of scan.problems) if (isDenied(each)) this.#parts.roster.refuse(each.path, each.error);
    const problem = scan.problems.find((each) => !isDenied(each));
    if (problem !== undefined) {
      const { path, error: cause } = problem;
      throw new EventboatError("source_failed", `cannot read ${path}: ${reasonOf(cause)}`, { cause, node });
    }
    if (scan.overflow) {
      throw new EventboatError("source_failed", `cannot read ${config.path}: more than ${FILES_MAX} files match`, {
        node,
      });
    }
    if (scan.files.length === 0 && isPlainPath(globs)) {
      throw new EventboatError("source_failed", `cannot read ${globs[0]?.root}: there is no such file`, {
        node,
        hint:
          "Where the file may be missing, write the path as a pattern, such as `name*`: one that matches nothing is no error.",
      });
    }
  }

  async #read(file: TrackedFile, signal: AbortSignal): Promise<void> {
    const { pump, roster } = this.#parts;
    const format = this.#formatOf(file);
    if (format !== undefined) return await pumpCompressed(file, format, pump, signal);
    roster.open.use(file);
    for (let restarts = 0; restarts < RESTARTS_MAX; restarts++) {
      const bytesMax = Math.max(0, file.size - file.place.offset);
      const end = await pump.visit(file, { final: true, flush: true, bytesMax, signal });
      if (end !== "changed") return;
      roster.restart(file);
    }
  }

  #formatOf(file: TrackedFile): CompressionFormat | undefined {
    const { compression } = this.#parts.config;
    if (compression === "none") return undefined;
    return compression === "auto" ? formatByName(file.path) : compression;
  }
}
