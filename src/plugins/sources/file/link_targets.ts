/** Owns the search for where links lead that a glob means: their targets have to be readable too. */

import { dirname, join, sep } from "node:path";
import type { Glob } from "./path_glob.ts";

/** Entries looked at: a plan is made often, and must not wait for a whole disk. */
const LOOKS_MAX = 20_000;
const FOLDER_DEPTH_MAX = 64;
/** Folders asked for where they have none in common but the root of all. */
const FOLDERS_MAX = 64;

/**
 * The folder that everything lies in which links lead to, among those that the globs mean now; nothing where no link
 * leads out of the globs' own folders. Where the only such folder is the root of all, each target's own. What cannot
 * be looked at is left out: whoever reads it will say so.
 */
export function linkTargetFolders(globs: readonly Glob[]): readonly string[] {
  const search = new LinkSearch();
  for (const glob of globs) search.walk(glob, glob.root, 0, 0);
  const roots = globs.map(({ root }) => realPath(root) ?? root);
  const outside = [...search.targets].filter((target) => !roots.some((root) => isWithin(target, root))).sort();
  const common = outside.reduce<string | undefined>(
    (folder, target) => folder === undefined ? target : commonFolder(folder, target),
    undefined,
  );
  if (common === undefined) return [];
  return dirname(common) === common ? outside.slice(0, FOLDERS_MAX) : [common];
}

class LinkSearch {
  /** Folders that links lead to or into. */
  readonly targets = new Set<string>();
  #looks = 0;

  walk(glob: Glob, path: string, index: number, depth: number): void {
    const step = glob.steps[index];
    if (step === undefined || depth > FOLDER_DEPTH_MAX || this.#looks > LOOKS_MAX) return;
    const isLast = index === glob.steps.length - 1;
    if (step.kind === "name") {
      const child = join(path, step.name);
      this.#follow(child, isLast);
      return this.walk(glob, child, index + 1, depth + 1);
    }
    if (step.kind === "folders") this.walk(glob, path, index + 1, depth + 1);
    for (const entry of this.#list(path)) {
      const child = join(path, entry.name);
      if (step.kind === "folders") {
        if (entry.isDirectory && !entry.name.startsWith(".")) this.walk(glob, child, index, depth + 1);
      } else if (step.pattern.test(entry.name) && !(isLast ? entry.isDirectory : entry.isFile)) {
        if (entry.isSymlink) this.#follow(child, isLast);
        this.walk(glob, child, index + 1, depth + 1);
      }
    }
  }

  #follow(path: string, isFile: boolean): void {
    this.#looks++;
    const target = realPath(path);
    if (target !== undefined && target !== path) this.targets.add(isFile ? dirname(target) : target);
  }

  #list(path: string): readonly Deno.DirEntry[] {
    try {
      const entries = [...Deno.readDirSync(path)];
      this.#looks += entries.length;
      return entries;
    } catch {
      return []; // Not there, or not to be read: the source itself will tell.
    }
  }
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined; // A link to nothing: there may be something later.
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function commonFolder(a: string, b: string): string {
  let folder = a;
  while (!isWithin(b, folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
