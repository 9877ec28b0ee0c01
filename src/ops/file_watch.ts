/** Owns the watching of a few files for changes of their contents. */

import { type Clock, raceAbort } from "../base/mod.ts";
import { dirname, resolve } from "node:path";

/** How long a file must be left alone before it is read: editors write in several steps. */
const SETTLE_MS = 100;

/** What is watched. */
export interface FileWatchOptions {
  readonly files: readonly string[];
  /** Folders whose names of entries matter too. Default: none. */
  readonly folders?: readonly string[];
  readonly clock: Clock;
}

/**
 * Tells when the contents of files change. The platform's notices are only a hint to look: they come several at a
 * time, and a rename into place looks different on each platform.
 */
export class FileWatch implements Disposable {
  readonly #files: readonly string[];
  readonly #folders: readonly string[];
  readonly #clock: Clock;
  readonly #watcher: Deno.FsWatcher;
  readonly #notices: AsyncIterator<Deno.FsEvent>;
  #contents: string;
  #pending: Promise<IteratorResult<Deno.FsEvent>> | undefined;

  /** Begins to watch: what changes from now on is told. */
  constructor({ files, folders = [], clock }: FileWatchOptions) {
    this.#files = files.map((file) => resolve(file));
    this.#folders = folders.map((folder) => resolve(folder));
    this.#clock = clock;
    // Folders, not files: a file that is replaced by a rename would be lost from sight.
    const watched = new Set([...this.#files.map((file) => dirname(file)), ...this.#folders]);
    this.#watcher = Deno.watchFs([...watched], { recursive: false });
    this.#notices = this.#watcher[Symbol.asyncIterator]();
    this.#contents = this.#read();
  }

  /** Resolves with true when the contents differ from those told last, with false once the signal aborts. */
  async changed(signal: AbortSignal): Promise<boolean> {
    try {
      for (;;) {
        // A notice that was waited for and not awaited is kept for the next call.
        this.#pending ??= this.#notices.next();
        const { done } = await raceAbort(this.#pending, signal);
        this.#pending = undefined;
        if (done === true) return false;
        await this.#clock.sleep(SETTLE_MS, signal);
        const contents = this.#read();
        if (contents === this.#contents) continue;
        this.#contents = contents;
        return true;
      }
    } catch (caught) {
      if (signal.aborted) return false;
      throw caught;
    }
  }

  #read(): string {
    return [
      ...this.#files.map((file) => readOrNothing(() => Deno.readTextFileSync(file))),
      ...this.#folders.map((folder) => readOrNothing(() => namesIn(folder))),
    ].join("\0");
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
  }
}

/** Between the two steps of a replacement there is no file; whoever needs one that stays away reports it. */
function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function namesIn(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort().join("/");
}
