/** Owns the search for the files that a glob means. */

import { join } from "node:path";
import { turn } from "../../../base/mod.ts";
import type { Glob } from "./path_glob.ts";

/** A regular file that was found. */
export interface FoundFile {
  readonly path: string;
  /** Device and inode, or the path where the platform has none: the same file under another name has the same key. */
  readonly key: string;
  readonly birthMs: number | null;
  readonly size: number;
  readonly modifiedMs: number;
}

/** A folder or file that could not be looked at. */
export interface ScanProblem {
  readonly path: string;
  readonly error: Error;
}

/** Whether the pipeline has no permission for a path: waiting cannot help, another start may. */
export function isDenied({ error }: ScanProblem): boolean {
  return error instanceof Deno.errors.NotCapable;
}

/** What a search found, in the order of the paths. */
export interface ScanResult {
  readonly files: readonly FoundFile[];
  readonly problems: readonly ScanProblem[];
  /** Whether there are more files than can be followed. */
  readonly overflow: boolean;
}

/** Most files one source follows. */
export const FILES_MAX = 100_000;
/** Files looked at in one turn of the event loop: about a millisecond. */
const LOOKS_PER_TURN = 256;
const FOLDER_DEPTH_MAX = 64;

/**
 * Finds all regular files that the globs mean. Links to files and folders are followed, but `**` enters no linked
 * folder, so that there is no going in circles. One file under several names is found once, under its first name.
 * @throws {Deno.errors.NotCapable} the folder that a glob begins at, or the file that it names, may not be read
 */
export async function scanPaths(globs: readonly Glob[]): Promise<ScanResult> {
  const scan = new Scan();
  for (const glob of globs) await scan.walk(glob, glob.root, 0, 0);
  return scan.result();
}

class Scan {
  readonly #files = new Map<string, FoundFile>();
  readonly #problems: ScanProblem[] = [];
  #visited = new Set<string>();
  #looks = 0;
  #overflow = false;

  result(): ScanResult {
    const byPath = [...this.#files.values()].sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
    const byKey = new Map<string, FoundFile>();
    for (const file of byPath) if (!byKey.has(file.key)) byKey.set(file.key, file);
    return { files: [...byKey.values()], problems: this.#problems, overflow: this.#overflow };
  }

  async walk(glob: Glob, path: string, index: number, depth: number): Promise<void> {
    if (index === 0 && depth === 0) this.#visited = new Set();
    const step = glob.steps[index];
    if (step === undefined) return await this.#look(path, glob.steps.length === 0);
    const place = `${index} ${path}`;
    if (this.#visited.has(place) || this.#overflow || depth > FOLDER_DEPTH_MAX) return;
    this.#visited.add(place);
    if (step.kind === "name") return await this.walk(glob, join(path, step.name), index + 1, depth + 1);
    if (step.kind === "folders") await this.walk(glob, path, index + 1, depth + 1);
    const isLast = index === glob.steps.length - 1;
    for (const entry of this.#list(path, path === glob.root)) {
      const child = join(path, entry.name);
      if (step.kind === "folders") {
        if (entry.isDirectory && !entry.name.startsWith(".")) await this.walk(glob, child, index, depth + 1);
      } else if (step.pattern.test(entry.name) && (isLast ? !entry.isDirectory : !entry.isFile)) {
        await this.walk(glob, child, index + 1, depth + 1);
      }
    }
  }

  /** Sync calls: a look from memory takes microseconds, a hop to another thread and back several times that. */
  #list(path: string, named: boolean): Deno.DirEntry[] {
    try {
      return [...Deno.readDirSync(path)];
    } catch (caught) {
      this.#tell(path, caught, named);
      return [];
    }
  }

  /** `named`: the path is written out, so that whatever else stands there was meant, and is told. */
  async #look(path: string, named: boolean): Promise<void> {
    if (this.#files.has(path)) return;
    if (++this.#looks % LOOKS_PER_TURN === 0) await turn();
    if (this.#files.size >= FILES_MAX) {
      this.#overflow = true;
      return;
    }
    try {
      const info = Deno.statSync(path);
      if (info.isFile) this.#files.set(path, foundFile(path, info));
      else if (named) this.#problems.push({ path, error: new Error(`it is ${kindOf(info)}, not a file`) });
    } catch (caught) {
      this.#tell(path, caught, named);
    }
  }

  #tell(path: string, caught: unknown, named: boolean): void {
    if (named && caught instanceof Deno.errors.NotCapable) throw caught;
    // Gone between two looks, or not there yet: both are what the next scan is for.
    if (caught instanceof Deno.errors.NotFound || caught instanceof Deno.errors.NotADirectory) return;
    this.#problems.push({ path, error: caught instanceof Error ? caught : new Error(String(caught)) });
  }
}

function kindOf(info: Deno.FileInfo): string {
  if (info.isDirectory) return "a folder (a pattern such as `folder/*.log` means the files in it)";
  if (info.isFifo) return "a named pipe";
  return info.isSocket ? "a socket" : "a device";
}

/** What is known of a file from its metadata. */
export function foundFile(path: string, info: Deno.FileInfo): FoundFile {
  // An inode number beyond 2^53 comes rounded: two files could share it, and one of them would never be read.
  const hasIdentity = info.ino !== null && info.ino > 0 && Number.isSafeInteger(info.ino);
  return {
    path,
    key: hasIdentity ? `${info.dev}:${info.ino}` : `path:${path}`,
    birthMs: info.birthtime?.getTime() ?? null,
    size: info.size,
    modifiedMs: info.mtime?.getTime() ?? 0,
  };
}
