/** Owns one file that lines are appended to: opening and mending it, whole batches or nothing, rotation, syncing. */

import { dirname, parse } from "node:path";
import type { Clock } from "../../../base/mod.ts";
import { reasonOf } from "../../../diagnostics/mod.ts";
import { SinkError } from "../../../plugin/mod.ts";
import type { Logger } from "../../../telemetry/mod.ts";
import { gzipMember, wholeMembersEnd } from "./gzip_members.ts";
import { setAside, wholeLinesEnd, writeFully } from "./torn_tail.ts";

/** How often the path is looked at: another program may have moved the file away. */
const IDENTITY_CHECK_MS = 1000;
const STAMP_SEPARATORS_REGEXP = /[-:]/g;
/** Rotated files of one millisecond that are told apart by a number. */
const ROTATED_SAME_STAMP_MAX = 1000;

/** How a {@linkcode LineFile} writes. */
export interface LineFileOptions {
  /** Whether a batch is synced before it counts as written. */
  readonly syncEachBatch: boolean;
  readonly compression: "none" | "gzip";
  /** A file that would grow beyond this is rotated first. */
  readonly bytesMax?: number;
  /** A file older than this is rotated before the next batch. */
  readonly ageMaxMs?: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Opens a file. Tests give one that fails. */
  readonly openFile: (path: string, options: Deno.OpenOptions) => Promise<Deno.FsFile>;
}

/** What is known of the file while it is open. */
interface OpenFile {
  readonly handle: Deno.FsFile;
  /** Whether it is a regular file: a pipe or device cannot be cut back, rotated or synced. */
  readonly regular: boolean;
  readonly dev: number;
  readonly ino: number | null;
  readonly sinceMs: number;
  /** Bytes that belong to whole batches. */
  length: number;
}

/** One file of lines. Calls may not overlap: its owner lets one end before the next begins. */
export class LineFile {
  readonly path: string;
  readonly #options: LineFileOptions;
  #open: OpenFile | undefined;
  #checkedMs = -Infinity;
  #unsynced = false;
  #syncFailure: SinkError | undefined;

  constructor(path: string, options: LineFileOptions) {
    this.path = path;
    this.#options = options;
  }

  /** Opens the file, creating it and its folders, and sets aside what a crash left at its end. @throws {SinkError} */
  async open(): Promise<void> {
    await this.#current();
  }

  /**
   * Appends a batch of whole lines: all of it or nothing.
   * @param head what an empty file begins with
   * @throws {SinkError}; the file then ends where it ended before.
   */
  async append(lines: Uint8Array<ArrayBuffer>, head?: Uint8Array<ArrayBuffer>): Promise<void> {
    let bytes = await this.#packed(lines);
    let file = await this.#current();
    if (this.#mustRotate(file, bytes.length)) file = await this.#rotate(file);
    if (head !== undefined && file.length === 0) bytes = await this.#packed(withHead(head, lines));
    try {
      await writeFully(file.handle, bytes);
      if (file.regular && this.#options.syncEachBatch) await file.handle.syncData();
    } catch (caught) {
      await this.#cutBack(file);
      throw sinkError(`cannot write ${bytes.length} bytes to ${this.path}`, caught);
    }
    file.length += bytes.length;
    if (!this.#options.syncEachBatch) this.#unsynced = true;
  }

  /**
   * Makes what was appended survive a power cut. Once that failed it can never be told again what is on the disk, so
   * every later call fails too: the restart writes it anew.
   */
  async sync(): Promise<void> {
    if (this.#syncFailure !== undefined) throw this.#syncFailure;
    if (!this.#unsynced || this.#open === undefined || !this.#open.regular) return;
    try {
      await this.#open.handle.syncData();
      this.#unsynced = false;
    } catch (caught) {
      this.#syncFailure = sinkError(`cannot sync ${this.path}`, caught);
      throw this.#syncFailure;
    }
  }

  /** Syncs what is not, and closes. The file is closed even when that fails. */
  async close(): Promise<void> {
    try {
      await this.sync();
    } finally {
      this.#open?.handle.close();
      this.#open = undefined;
    }
  }

  async #packed(lines: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    return this.#options.compression === "gzip" ? await gzipMember(lines) : lines;
  }

  /** The open file; opened anew where another program moved it away or an error closed it. */
  async #current(): Promise<OpenFile> {
    const nowMs = this.#options.clock.monotonic();
    if (this.#open !== undefined && nowMs - this.#checkedMs >= IDENTITY_CHECK_MS) {
      this.#checkedMs = nowMs;
      if (!await this.#isStillThere(this.#open)) {
        this.#options.log.log("info", "output file was moved away: beginning a new one", { path: this.path });
        await this.close();
      }
    }
    return this.#open ??= await this.#openPath();
  }

  async #isStillThere(file: OpenFile): Promise<boolean> {
    if (file.ino === null) return true;
    try {
      const found = await Deno.stat(this.path);
      return found.ino === file.ino && found.dev === file.dev;
    } catch (caught) {
      if (caught instanceof Deno.errors.NotFound) return false;
      throw sinkError(`cannot look at ${this.path}`, caught);
    }
  }

  async #openPath(): Promise<OpenFile> {
    try {
      const handle = await this.#openOrCreate();
      try {
        return await this.#examine(handle);
      } catch (caught) {
        handle.close();
        throw caught;
      }
    } catch (caught) {
      throw sinkError(`cannot open ${this.path} for appending`, caught);
    }
  }

  async #openOrCreate(): Promise<Deno.FsFile> {
    const options = { read: true, write: true, append: true, create: true };
    try {
      return await this.#options.openFile(this.path, options);
    } catch (caught) {
      if (!(caught instanceof Deno.errors.NotFound)) throw caught;
      await Deno.mkdir(dirname(this.path), { recursive: true });
      return await this.#options.openFile(this.path, options);
    }
  }

  async #examine(handle: Deno.FsFile): Promise<OpenFile> {
    const { isFile, dev, ino, size, birthtime, mtime } = await handle.stat();
    const sinceMs = size === 0
      ? this.#options.clock.now()
      : (birthtime ?? mtime)?.getTime() ?? this.#options.clock.now();
    if (!isFile) return { handle, regular: false, dev, ino, sinceMs, length: 0 };
    await this.#lock(handle);
    const end = this.#options.compression === "gzip"
      ? await wholeMembersEnd(handle, size)
      : await wholeLinesEnd(handle, size);
    if (end < size) {
      // The rest of a batch that was never answered: it is written again, whole.
      const tornPath = `${this.path}.torn`;
      await setAside(handle, size, end, tornPath);
      this.#options.log.log("warn", "output file ended inside a line: its end was set aside", {
        path: this.path,
        bytes: size - end,
        moved_to: tornPath,
      });
    }
    return { handle, regular: true, dev, ino, sinceMs, length: end };
  }

  /** Cutting back a failed batch would destroy the lines of a second writer, so there may be none. */
  async #lock(handle: Deno.FsFile): Promise<void> {
    // Where a lock shuts out readers too, people could not look at the output any more.
    if (Deno.build.os === "windows") return;
    let locked: boolean;
    try {
      locked = await handle.tryLock(true);
    } catch {
      // A file system without locks. The store insists on them, an output file does not.
      return;
    }
    if (!locked) {
      throw new Error("another writer has it open; where two branches go to one file, let one sink depend on both");
    }
  }

  async #cutBack(file: OpenFile): Promise<void> {
    if (!file.regular) return;
    try {
      if ((await file.handle.stat()).size > file.length) await file.handle.truncate(file.length);
      // After a failed sync the handle's state cannot be trusted: a fresh one is opened for the next attempt.
      if (this.#options.syncEachBatch) this.#drop(file);
    } catch (caught) {
      this.#options.log.log("warn", "could not cut a failed write off an output file: opening it anew will", {
        path: this.path,
        error: reasonOf(caught),
      });
      this.#drop(file);
    }
  }

  #drop(file: OpenFile): void {
    file.handle.close();
    this.#open = undefined;
  }

  #mustRotate(file: OpenFile, bytes: number): boolean {
    if (!file.regular || file.length === 0) return false;
    const { bytesMax, ageMaxMs, clock } = this.#options;
    return (bytesMax !== undefined && file.length + bytes > bytesMax) ||
      (ageMaxMs !== undefined && clock.now() - file.sinceMs >= ageMaxMs);
  }

  async #rotate(file: OpenFile): Promise<OpenFile> {
    await this.sync();
    try {
      await Deno.rename(this.path, await this.#rotatedPath());
    } catch (caught) {
      throw sinkError(`cannot rotate ${this.path}`, caught);
    }
    this.#drop(file);
    const next = await this.#openPath();
    this.#open = next;
    if (this.#options.syncEachBatch) await syncFolder(dirname(this.path));
    return next;
  }

  /** `app.jsonl` becomes `app-20261130T193000.123Z.jsonl`, with a number where that is taken. */
  async #rotatedPath(): Promise<string> {
    const { dir, base } = parse(this.path);
    const dot = base.indexOf(".", 1);
    const [stem, extension] = dot < 0 ? [base, ""] : [base.slice(0, dot), base.slice(dot)];
    const stamp = new Date(this.#options.clock.now()).toISOString().replace(STAMP_SEPARATORS_REGEXP, "");
    for (let i = 0; i < ROTATED_SAME_STAMP_MAX; i++) {
      const path = `${dir}/${stem}-${stamp}${i === 0 ? "" : `-${i}`}${extension}`;
      if (!await exists(path)) return path;
    }
    throw new Error(`${ROTATED_SAME_STAMP_MAX} files of the stamp ${stamp} exist already`);
  }
}

function withHead(head: Uint8Array, lines: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + lines.length);
  whole.set(head);
  whole.set(lines, head.length);
  return whole;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return false;
    throw caught;
  }
}

/** Makes a rename survive a power cut, where the platform lets folders be synced. */
async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}

function sinkError(what: string, caught: unknown): SinkError {
  if (caught instanceof SinkError) return caught;
  return new SinkError(`${what}: ${reasonOf(caught)}`, {
    cause: caught,
    retryable: !(caught instanceof Deno.errors.NotCapable),
  });
}
