/** Owns how the files of a starter pipeline come onto the disk: all of them or none. */

import { dirname, join } from "node:path";
import { EventboatError, reasonOf } from "../../diagnostics/mod.ts";
import type { StarterFile } from "./template.ts";

/** Follows the name of a file while it is written that takes the place of another. */
const STAGED_SUFFIX = ".eventboat-new";

/** Where a starter goes. */
export interface StarterFolder {
  readonly dir: string;
  /** Whether files that are there may be replaced. */
  readonly force: boolean;
}

/**
 * Writes the files. Without `force` nothing that is there is touched, also what comes into being meanwhile; with it
 * everything is written beside its place first, and moved then.
 * @throws {EventboatError} `io` when files are there, when something else is in the way of one, or when writing fails;
 * what was made by then is taken away again
 */
export function writeStarter(files: readonly StarterFile[], { dir, force }: StarterFolder): void {
  const targets = files.map(({ path, text }) => ({ path, file: join(dir, path), text }));
  const inTheWay = targets.flatMap(({ path, file }) => {
    const found = entryAt(file);
    return found === undefined || (force && !found.isDirectory) ? [] : [found.isDirectory ? `${path}/` : path];
  });
  if (inTheWay.length > 0) throw occupied(dir, inTheWay);
  const made: string[] = [];
  try {
    for (const { file } of targets) made.push(...makeFolders(dirname(file)));
    for (const { file, text } of targets) {
      const place = force ? file + STAGED_SUFFIX : file;
      if (force) removeEntry(place);
      Deno.writeTextFileSync(place, "", { createNew: true });
      // What is made is known before it is filled: a full disk leaves an empty file behind.
      made.push(place);
      Deno.writeTextFileSync(place, text);
    }
    if (force) { for (const { file } of targets) Deno.renameSync(file + STAGED_SUFFIX, file); }
  } catch (caught) {
    for (const path of made.reverse()) removeEntry(path);
    throw new EventboatError("io", `cannot write a starter pipeline into ${shown(dir)}: ${reasonOf(caught)}`, {
      cause: caught,
    });
  }
}

function occupied(dir: string, paths: readonly string[]): EventboatError {
  const message = `cannot write a starter pipeline into ${shown(dir)}, which already holds ${paths.join(", ")}; ` +
    "nothing was written";
  const onlyFiles = paths.every((path) => !path.endsWith("/"));
  const hint = onlyFiles ? "give another folder, or --force to overwrite them" : "give another folder";
  return new EventboatError("io", message, { hint });
}

/** What is there, links not followed: one that leads nowhere is in the way too. */
function entryAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    // It is not there, or not to be looked at: then making it says why.
    return undefined;
  }
}

/** Makes a folder with those above it; gives the ones that were not there, the uppermost first. */
function makeFolders(folder: string): string[] {
  const missing: string[] = [];
  let above = folder;
  while (entryAt(above) === undefined) {
    missing.unshift(above);
    const next = dirname(above);
    if (next === above) break;
    above = next;
  }
  Deno.mkdirSync(folder, { recursive: true });
  return missing;
}

/** Takes away a file, or a folder that is empty. */
function removeEntry(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was moved to its place, it is not there, or somebody has put something into the folder meanwhile.
  }
}

function shown(dir: string): string {
  return JSON.stringify(dir);
}
