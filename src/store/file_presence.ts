/** Owns the look whether an open store's files still are where a restart will look for them. */

import type { Clock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Logger } from "../telemetry/mod.ts";

/** Least time between two looks: what is deleted can be lost for so long, and a look costs microseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * A file that is deleted, or replaced by another, while it is open can be written all the same, and everything goes with
 * the process: nothing may be accepted into it any more.
 */
export class FilePresence {
  readonly #paths: readonly string[];
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #known = new Map<string, string>();
  #lookedMs = -Infinity;
  #missing: string | undefined;

  /** Takes the files for the right ones that are there now, and those that are not when they come to be. */
  constructor(paths: readonly string[], clock: Clock, log: Logger) {
    this.#paths = paths;
    this.#clock = clock;
    this.#log = log;
    this.#look();
  }

  /** Throws `store_write` when a file was found gone: for good, since what is written since then is not in its place. */
  require(): void {
    if (this.#missing === undefined && this.#clock.monotonic() - this.#lookedMs >= LOOK_EVERY_MS) this.#look();
    if (this.#missing === undefined) return;
    throw new EventboatError("store_write", whatIsGone(this.#missing), { hint: HINT });
  }

  #look(): void {
    this.#lookedMs = this.#clock.monotonic();
    for (const path of this.#paths) {
      const found = identity(path);
      const known = this.#known.get(path);
      if (known === undefined) {
        if (typeof found === "string") this.#known.set(path, found);
      } else if (found !== undefined && found !== known) {
        this.#missing = path;
        // A source may answer each refusal to its own peers, and tell nobody here.
        this.#log.log("error", whatIsGone(path), { hint: HINT });
        return;
      }
    }
  }
}

const HINT = "Stop the pipeline, which delivers what it holds; put the store's files back, if you can; start it again.";

function whatIsGone(path: string): string {
  return `the file ${path} was deleted or moved away while the store was open: nothing more is accepted, since no ` +
    "restart would find it";
}

/** Device and inode; null where there is no such file, undefined where that cannot be told. */
function identity(path: string): string | null | undefined {
  try {
    const { dev, ino } = Deno.statSync(path);
    return ino === null || ino === 0 ? undefined : `${dev}:${ino}`;
  } catch (caught) {
    return caught instanceof Deno.errors.NotFound || caught instanceof Deno.errors.NotADirectory ? null : undefined;
  }
}
