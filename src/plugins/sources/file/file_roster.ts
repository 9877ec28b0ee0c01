/** Owns the list of files that are followed: which are new, renamed, written anew or gone. */

import { type Clock, turn } from "../../../base/mod.ts";
import { reasonOf } from "../../../diagnostics/mod.ts";
import type { Meta } from "../../../message/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import type { Charset } from "./charset.ts";
import { containerMeta } from "./container_log.ts";
import { CopyWatch } from "./copy_watch.ts";
import type { FileConfig } from "./file_config.ts";
import type { FilePump } from "./file_pump.ts";
import { OpenFiles } from "./open_files.ts";
import type { FoundFile, ScanResult } from "./path_scan.ts";
import type { Position } from "./positions.ts";
import { FileReadError, TrackedFile } from "./tracked_file.ts";

/** What the roster decides by. */
export interface RosterOptions {
  readonly config: FileConfig;
  readonly host: string;
  readonly charset: Charset;
  /** Whether there is a state of an earlier life: then no file is there "at the very first start". */
  readonly isResumed: boolean;
  /** Whether files may be waited for: copies in the making are held back, trouble with one file is told and survived. */
  readonly isPatient: boolean;
  /** Whether `path` is one path, not a pattern: what stands there was meant. */
  readonly isNamed: boolean;
}

/** Files opened in one turn of the event loop. */
const ENROLMENTS_PER_TURN = 32;
/** How much of a file's end is searched for where its last line begins. */
const END_BYTES = 64 * 1024;

/** Knows every file by device and inode. */
export class FileRoster {
  readonly open = new OpenFiles();
  readonly #options: RosterOptions;
  readonly #context: PluginContext;
  readonly #clock: Clock;
  readonly #pump: FilePump;
  readonly #copies = new CopyWatch();
  readonly #files = new Map<string, TrackedFile>();
  readonly #complaints = new Set<string>();
  /** Paths that may not be read: told once, and nobody's trouble. */
  readonly #refused = new Set<string>();
  #byPath = new Map<string, TrackedFile>();
  #surveys = 0;

  constructor(options: RosterOptions, pump: FilePump, context: PluginContext) {
    this.#options = options;
    this.#context = context;
    this.#clock = context.clock;
    this.#pump = pump;
  }

  /** All files, in the order they were found. */
  files(): IterableIterator<TrackedFile> {
    return this.#files.values();
  }

  /**
   * Takes in what a search found.
   * @throws {FileReadError} a file may not be read, or, where nobody waits, could not be
   */
  async survey(scan: ScanResult): Promise<void> {
    const nowMs = this.#clock.monotonic();
    const before = this.#byPath;
    const unknown = this.#recognise(scan.files, nowMs);
    await this.#enrolAll(unknown, before);
    this.#copies.keepOnly(new Set(unknown.map((found) => found.key)));
    this.#forgetComplaints(scan);
    for (const file of this.#files.values()) file.awaitsScan = false;
    if (this.#surveys++ === 0) this.#tellFound(scan.files.length);
  }

  /** A path that means no file is the first thing to look at where nothing arrives. */
  #tellFound(files: number): void {
    const { config, isPatient } = this.#options;
    const { log, node } = this.#context;
    if (files > 0) {
      log.log("info", `file source ${isPatient ? "follows" : "reads"} files`, { node, path: config.path, files });
    } else {log.log("warn", isPatient ? "no file matches the path yet" : "no file matches the path", {
        node,
        path: config.path,
      });}
  }

  /** The file holds something else than what was read: reads it from its beginning. */
  restart(file: TrackedFile): void {
    if (file.place.offset > 0) {
      this.#copies.abandon({ incarnation: file.incarnation, place: file.place }, this.#clock.monotonic());
      this.#countRotation();
      this.#context.log.log("info", "file was truncated or written anew, reading it from its beginning", {
        file_path: file.path,
        offset: file.place.offset,
      });
      file.awaitsScan = this.#options.isPatient;
    }
    file.restart();
  }

  /** The file is gone for good. */
  remove(file: TrackedFile): void {
    this.open.close(file);
    this.#files.delete(file.incarnation.key);
    const { positions } = this.#pump;
    if (this.#options.config.clean_removed) positions.forget(file.incarnation);
    else positions.remember({ incarnation: file.incarnation, place: file.place });
  }

  /** Tells trouble with a path once, until {@linkcode FileRoster.settle} says that it is over. */
  complain(path: string, error: Error): void {
    if (this.#complaints.has(path)) return;
    this.#complaints.add(path);
    this.#context.log.log("warn", "file cannot be read, trying again later", {
      file_path: path,
      error: error instanceof FileReadError ? error.reason : reasonOf(error),
    });
  }

  /** Leaves out what the pipeline may not read, and tells it once. Where the path itself is written out, it is an error. */
  refuse(path: string, error: Error): void {
    if (this.#options.isNamed) throw error;
    if (this.#refused.has(path)) return;
    this.#refused.add(path);
    this.#context.log.log("warn", "file is left out: the pipeline has no permission for where it leads", {
      file_path: path,
      error: error instanceof FileReadError ? error.reason : reasonOf(error),
      hint:
        "a restart takes in what links lead to by then; or name that folder in `path` too: {links/*.log,there/*.log}",
    });
  }

  /** Trouble with a path is over. */
  settle(path: string): void {
    this.#complaints.delete(path);
    this.#refused.delete(path);
  }

  /** Whether there is a path that cannot be read. */
  get hasTrouble(): boolean {
    return this.#complaints.size > 0;
  }

  /** A path that was not met again is nobody's trouble any more. */
  #forgetComplaints({ files, problems }: ScanResult): void {
    if (this.#complaints.size + this.#refused.size === 0) return;
    const met = new Set([...files, ...problems].map(({ path }) => path));
    for (const told of [this.#complaints, this.#refused]) {
      for (const path of told) if (!met.has(path)) told.delete(path);
    }
  }

  /** Finds the files that are known; returns the others. */
  #recognise(found: readonly FoundFile[], nowMs: number): FoundFile[] {
    const unknown: FoundFile[] = [];
    const seen = new Set<TrackedFile>();
    this.#byPath = new Map();
    for (const each of found) {
      const file = this.#files.get(each.key);
      if (file === undefined || isReborn(file, each)) {
        if (file !== undefined) this.#lose(file, nowMs);
        unknown.push(each);
        continue;
      }
      seen.add(file);
      this.#byPath.set(each.path, file);
      if (file.failed || each.size !== file.size || each.modifiedMs !== file.modifiedMs) file.ready = true;
      file.path = each.path;
      file.size = each.size;
      file.modifiedMs = each.modifiedMs;
      file.missingSinceMs = undefined;
    }
    for (const file of this.#files.values()) if (!seen.has(file)) file.missingSinceMs ??= nowMs;
    return unknown;
  }

  /** Another file has this one's inode: it is gone. */
  #lose(file: TrackedFile, nowMs: number): void {
    this.#files.delete(file.incarnation.key);
    file.missingSinceMs = nowMs;
  }

  async #enrolAll(unknown: readonly FoundFile[], before: ReadonlyMap<string, TrackedFile>): Promise<void> {
    const fresh: FoundFile[] = [];
    let count = 0;
    for (const found of unknown) {
      const saved = this.#pump.positions.takeSaved(found.key);
      if (saved === undefined) {
        fresh.push(found);
      } else if (this.#try(found, (file) => this.#resume(file, found, saved)) === undefined) {
        // It cannot be read now: what is known of it is for the time when it can.
        this.#pump.positions.remember(saved);
      }
      if (++count % ENROLMENTS_PER_TURN === 0) await turn();
    }
    for (const found of fresh) {
      const file = this.#try(found, (candidate) => this.#place(candidate));
      if (file !== undefined) this.#follow(file, before.get(found.path));
      if (++count % ENROLMENTS_PER_TURN === 0) await turn();
    }
  }

  /** Makes a file one of ours, if `place` says so. */
  #try(found: FoundFile, place: (file: TrackedFile) => boolean): TrackedFile | undefined {
    const file = new TrackedFile(found, this.#options.charset, this.#metaOf(found.path));
    try {
      if (!place(file)) {
        file.close();
        return undefined;
      }
      if (file.isOpen) this.open.use(file);
    } catch (caught) {
      file.close();
      if (!(caught instanceof FileReadError)) throw caught;
      if (caught.isDenied) {
        this.refuse(found.path, caught);
        return undefined;
      }
      if (!this.#options.isPatient) throw caught;
      if (!caught.isGone) this.complain(found.path, caught);
      return undefined;
    }
    file.grownAtMs = this.#clock.monotonic();
    this.#files.set(found.key, file);
    this.#byPath.set(found.path, file);
    return file;
  }

  /** A file with the inode of one that an earlier life had read. */
  #resume(file: TrackedFile, found: FoundFile, saved: Position): boolean {
    if (this.#options.config.compression !== "none") {
      file.assume(saved);
      return true;
    }
    const { birthMs } = saved.incarnation;
    const isReplaced = birthMs !== null && found.birthMs !== null && birthMs !== found.birthMs;
    if (!isReplaced && found.size >= saved.place.offset && file.resume(saved)) return true;
    this.#countRotation();
    // Only a file that was truncated may have left a copy; one that was deleted has left nothing.
    if (!isReplaced) this.#copies.abandon(saved, this.#clock.monotonic());
    return true;
  }

  /** Decides where a file that nobody knows is read from; false to leave it alone for now. */
  #place(file: TrackedFile): boolean {
    const { config, isPatient, isResumed } = this.#options;
    const nowMs = this.#clock.monotonic();
    const isOld = config.ignore_older_ms > 0 && this.#clock.now() - file.modifiedMs > config.ignore_older_ms;
    const isAtEnd = config.start_at === "end" && this.#surveys === 0 && !isResumed;
    if (isOld && !isPatient) return false;
    if (config.compression !== "none") return true;
    if (isOld || isAtEnd) {
      file.resumeAtEnd(new Uint8Array(END_BYTES));
      this.#pump.mark(file);
      return true;
    }
    if (file.size === 0) return true;
    if (this.#copies.adopt(file, nowMs)) {
      this.#pump.mark(file);
      return true;
    }
    return !isPatient || !this.#copies.holds(file, this.#files.values(), nowMs);
  }

  /** A new file may have the name of another one, which is read to its end first. */
  #follow(file: TrackedFile, predecessor: TrackedFile | undefined): void {
    if (predecessor === undefined || predecessor === file) return;
    this.#countRotation();
    if (predecessor.missingSinceMs !== undefined && !predecessor.isOpen) return;
    predecessor.ready = true;
    file.predecessor = predecessor;
  }

  #metaOf(path: string): Meta {
    return { file_path: path, host: this.#options.host, ...containerMeta(path) };
  }

  #countRotation(): void {
    this.#context.meter.counter("source_rotations_total").add(1);
  }
}

/** Whether the inode belongs to another file by now. As long as the old one is open, its inode is not given away. */
function isReborn(file: TrackedFile, found: FoundFile): boolean {
  const { birthMs } = file.incarnation;
  return !file.isOpen && birthMs !== null && found.birthMs !== null && birthMs !== found.birthMs;
}
