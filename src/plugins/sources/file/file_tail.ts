/** Owns the following of files that grow: when to look, whom to read, when to let go. */

import { turn } from "../../../base/mod.ts";
import { EventboatError, wholeReasonOf } from "../../../diagnostics/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import type { FileConfig } from "./file_config.ts";
import type { FilePump } from "./file_pump.ts";
import type { FileRoster } from "./file_roster.ts";
import type { Glob } from "./path_glob.ts";
import { FILES_MAX, isDenied, scanPaths, type ScanResult } from "./path_scan.ts";
import { FileReadError, type TrackedFile } from "./tracked_file.ts";

/** What a tail works with. */
export interface TailParts {
  readonly config: FileConfig;
  readonly globs: readonly Glob[];
  /** How long a group of lines waits for the next one; undefined where it waits until one comes, or there are none. */
  readonly groupTimeoutMs: number | undefined;
  readonly pump: FilePump;
  readonly roster: FileRoster;
  readonly context: PluginContext;
}

/** Bytes of one file after which others get their turn. */
const VISIT_BYTES = 8 * 1024 * 1024;
/** Files without news that are visited in one turn of the event loop. */
const VISITS_PER_TURN = 64;
/** A file that was renamed away or deleted is read on for this long after it last grew: its writer may be slow to let go. */
const GONE_IDLE_MS = 60_000;
/** Positions of files that are gone are kept for this long: a folder may be away for a moment. */
const GONE_FORGET_MS = 60_000;
/** Looking for files takes at most one part in so many of the time, however many files there are. */
const SCAN_SHARE = 10;

/** Follows all files until it is told to stop. Polling is the truth; there is no watcher to miss something. */
export class FileTail {
  readonly #parts: TailParts;
  readonly #startMs: number;
  #nextScanMs = 0;
  #scanIsWhole = false;
  #overflowTold = false;

  constructor(parts: TailParts) {
    this.#parts = parts;
    this.#startMs = parts.context.clock.monotonic();
    this.#nextScanMs = this.#startMs;
  }

  /**
   * Resolves soon after the signal aborts.
   * @throws {EventboatError} `permission`: a path may not be read; or a batch was not accepted
   */
  async run(signal: AbortSignal): Promise<void> {
    const { config, context, pump } = this.#parts;
    pump.watch = { everyMs: config.poll_every_ms, signal, look: () => this.#lookOut() };
    while (!signal.aborted) {
      await this.#scan();
      const more = await this.#visitAll(signal);
      this.#closeQuiet();
      await this.#letGo(signal);
      if (!more) await pump.window.rest(config.poll_every_ms, context.clock, signal);
    }
    await this.#flush();
    await pump.window.settle();
  }

  async #scan(): Promise<void> {
    const { globs, roster, context: { clock } } = this.#parts;
    const startMs = clock.monotonic();
    if (startMs < this.#nextScanMs) {
      for (const file of roster.open) file.ready = true;
      return;
    }
    try {
      const scan = await scanPaths(globs);
      await roster.survey(scan);
      this.#tellProblems(scan);
    } catch (caught) {
      throw denied(caught, this.#parts.context.node);
    }
    const endMs = clock.monotonic();
    this.#nextScanMs = endMs + (endMs - startMs) * (SCAN_SHARE - 1);
  }

  /**
   * While the engine holds back, files are rotated all the same: each is opened before its name, and maybe the file
   * itself, is gone.
   */
  async #lookOut(): Promise<void> {
    const { roster } = this.#parts;
    await this.#scan();
    for (const file of roster.files()) {
      if (!file.ready || file.isOpen || file.missingSinceMs !== undefined || roster.open.isFull) continue;
      try {
        roster.open.use(file);
      } catch (caught) {
        if (!(caught instanceof FileReadError)) throw caught;
        this.#fail(file, caught);
      }
    }
  }

  #tellProblems(scan: ScanResult): void {
    const { roster, context } = this.#parts;
    for (const problem of scan.problems) {
      if (isDenied(problem)) roster.refuse(problem.path, problem.error);
      else roster.complain(problem.path, problem.error);
    }
    this.#scanIsWhole = !roster.hasTrouble && !scan.overflow;
    if (scan.overflow && !this.#overflowTold) {
      this.#overflowTold = true;
      context.log.log("error", `more than ${FILES_MAX} files match: those beyond are not read`, {});
    }
  }

  /** Visits every file that may have something; true when one has more. */
  async #visitAll(signal: AbortSignal): Promise<boolean> {
    let more = false;
    let visits = 0;
    for (const file of [...this.#parts.roster.files()]) {
      if (signal.aborted) return false;
      const isDue = file.waiting || (file.missingSinceMs !== undefined && file.isOpen);
      if (!file.ready && !isDue) continue;
      file.ready = true;
      await this.#visitInOrder(file, signal);
      if (++visits % VISITS_PER_TURN === 0) await turn();
      more ||= file.ready;
    }
    return more;
  }

  /** Reads on in one file, unless one that had its name before has more to read. */
  async #visitInOrder(file: TrackedFile, signal: AbortSignal): Promise<void> {
    const { predecessor } = file;
    if (predecessor?.ready === true) await this.#visitInOrder(predecessor, signal);
    if (predecessor?.ready === true) return;
    file.predecessor = undefined;
    await this.#visit(file, signal);
  }

  /** Reads on in one file. `ready` tells afterwards whether there is more to read right now. */
  async #visit(file: TrackedFile, signal: AbortSignal, final = false): Promise<void> {
    const { pump, roster, groupTimeoutMs, context: { clock } } = this.#parts;
    if (file.awaitsScan) return;
    const seenTo = file.seenTo;
    const idleMs = clock.monotonic() - file.grownAtMs;
    const flush = final || (file.waiting && groupTimeoutMs !== undefined && idleMs >= groupTimeoutMs);
    // A look that is taken meanwhile, because the engine holds back, may set it again.
    file.ready = false;
    try {
      roster.open.use(file);
      const end = await pump.visit(file, { final, flush, bytesMax: VISIT_BYTES, signal });
      if (end === "changed") this.#restart(file);
      if (end !== "done") file.ready = true;
      file.failed = false;
      roster.settle(file.path);
    } catch (caught) {
      if (!(caught instanceof FileReadError)) throw caught;
      this.#fail(file, caught);
    }
    if (file.seenTo !== seenTo) file.grownAtMs = clock.monotonic();
  }

  #restart(file: TrackedFile): void {
    this.#parts.roster.restart(file);
    this.#nextScanMs = this.#parts.context.clock.monotonic();
  }

  #fail(file: TrackedFile, error: FileReadError): void {
    const { roster, context } = this.#parts;
    roster.open.close(file);
    file.ready = false;
    file.failed = true;
    if (error.isDenied) {
      try {
        return roster.refuse(file.path, error);
      } catch (caught) {
        throw denied(caught, context.node);
      }
    }
    // A name that is gone is no trouble: the next scan tells where the file went.
    if (!error.isGone) roster.complain(file.path, error);
  }

  /** Closes what has been quiet for long; it is opened again when it changes. */
  #closeQuiet(): void {
    const { config, roster, context: { clock } } = this.#parts;
    const nowMs = clock.monotonic();
    for (const file of roster.open) {
      if (file.ready || file.waiting || file.missingSinceMs !== undefined) continue;
      if (nowMs - file.grownAtMs >= config.close_inactive_ms) roster.open.close(file);
    }
  }

  /** Reads what is gone to its end, and forgets it when it has been gone for long. */
  async #letGo(signal: AbortSignal): Promise<void> {
    const { config, roster, pump, context: { clock } } = this.#parts;
    const nowMs = clock.monotonic();
    const idleMs = Math.min(GONE_IDLE_MS, config.close_inactive_ms);
    for (const file of [...roster.files()]) {
      const { missingSinceMs } = file;
      if (missingSinceMs === undefined || file.ready || signal.aborted) continue;
      if (file.isOpen) {
        if (nowMs - Math.max(file.grownAtMs, missingSinceMs) < idleMs) continue;
        // Nobody will end its last line any more.
        await this.#visit(file, signal, true);
        if (!file.ready) roster.open.close(file);
      } else if (this.#scanIsWhole && nowMs - missingSinceMs >= GONE_FORGET_MS) {
        this.#tellUnread(file);
        roster.remove(file);
      }
    }
    const isSettled = this.#scanIsWhole && nowMs - this.#startMs >= GONE_FORGET_MS;
    if (isSettled && pump.positions.savedCount > 0) pump.positions.forgetSaved(config.clean_removed);
  }

  #tellUnread(file: TrackedFile): void {
    const unread = file.size - file.place.offset;
    if (unread <= 0) return;
    this.#parts.context.log.log("warn", "file vanished before all of it was read", { file_path: file.path, unread });
  }

  /** On the way out: groups that wait for another line are sent as they are. */
  async #flush(): Promise<void> {
    const never = new AbortController().signal;
    for (const file of this.#parts.roster.files()) {
      if (!file.waiting) continue;
      file.grownAtMs = Number.NEGATIVE_INFINITY;
      await this.#visit(file, never);
    }
  }
}

function denied(caught: unknown, node: string): unknown {
  const isDenied = caught instanceof Deno.errors.NotCapable || (caught instanceof FileReadError && caught.isDenied);
  if (!isDenied) return caught;
  return new EventboatError("permission", `cannot follow files: ${wholeReasonOf(caught)}`, { cause: caught, node });
}
