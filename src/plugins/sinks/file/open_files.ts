/** Owns the files a file sink has open: as many as are of use, no more than the platform bears. */

import { LineFile, type LineFileOptions } from "./line_file.ts";

/** Most files open at once; the one not used for longest is closed for another. */
const OPEN_FILES_MAX = 128;

/** Files by path. Calls may not overlap. */
export class OpenFiles {
  readonly #options: LineFileOptions;
  /** In order of use, the one not used for longest first. */
  readonly #files = new Map<string, LineFile>();
  #closeFailure: unknown;

  constructor(options: LineFileOptions) {
    this.#options = options;
  }

  /** The file of this path; it opens itself when it is first written. */
  async get(path: string): Promise<LineFile> {
    const known = this.#files.get(path);
    if (known !== undefined) {
      if (this.#files.size > 1) {
        this.#files.delete(path);
        this.#files.set(path, known);
      }
      return known;
    }
    if (this.#files.size >= OPEN_FILES_MAX) await this.#closeOldest();
    const file = new LineFile(path, this.#options);
    this.#files.set(path, file);
    return file;
  }

  /** Makes everything written so far survive a power cut. Fails for ever once a file could not be synced. */
  async sync(): Promise<void> {
    if (this.#closeFailure !== undefined) throw this.#closeFailure;
    for (const file of this.#files.values()) await file.sync();
  }

  /** Closes all files, all of them even when one fails; throws the first failure. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    let failure: unknown;
    for (const file of files) await file.close().catch((caught: unknown) => failure ??= caught);
    if (failure !== undefined) throw failure;
  }

  async #closeOldest(): Promise<void> {
    for (const [path, file] of this.#files) {
      this.#files.delete(path);
      try {
        await file.close();
      } catch (caught) {
        // Its lines were answered and may not be on the disk: no sync may say so any more.
        this.#closeFailure ??= caught;
      }
      return;
    }
  }
}
