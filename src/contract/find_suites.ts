/** Owns the search for suite files: the files that were named, and every YAML file below the folders that were. */

import { join, resolve } from "node:path";
import { DiagnosticBag, reasonOf } from "../diagnostics/mod.ts";
import { brokenSuite, type PreparedSuite, type PrepareScope, prepareSuiteText } from "./prepare_suite.ts";

/** What a search gave. */
export interface FoundSuites {
  /** In the order of the paths, and below a folder of their names. */
  readonly suites: readonly PreparedSuite[];
  /** YAML files that are no suites. */
  readonly skipped: number;
  /** Folders that were searched: a new file in one may be a suite. */
  readonly folders: readonly string[];
}

const YAML_REGEXP = /\.ya?ml$/i;
/** Folders that hold what others wrote. */
const FOREIGN_FOLDERS: readonly string[] = ["node_modules"];

/** Finds suites and prepares them; nothing is run. A folder is searched whole, but for hidden folders, links and installed packages. */
export function findSuites(paths: readonly string[], scope: PrepareScope): FoundSuites {
  const suites: PreparedSuite[] = [];
  const folders: string[] = [];
  const seen = new Set<string>();
  let skipped = 0;
  for (const path of paths) {
    for (const file of filesAt(path, { suites, folders })) {
      if (seen.has(resolve(file))) continue;
      seen.add(resolve(file));
      const found = readSuite(file, scope);
      if (found === undefined) skipped++;
      else suites.push(found);
    }
  }
  return { suites, skipped, folders };
}

/** What a search collects. */
interface Search {
  readonly suites: PreparedSuite[];
  readonly folders: string[];
}

/** The files a path stands for; one that cannot be read is reported among the suites. */
function filesAt(path: string, { suites, folders }: Search): readonly string[] {
  try {
    return Deno.statSync(path).isDirectory ? yamlBelow(path, folders) : [path];
  } catch (caught) {
    suites.push(unreadable(path, caught));
    return [];
  }
}

function yamlBelow(folder: string, folders: string[]): readonly string[] {
  folders.push(folder);
  const files: string[] = [];
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory, isFile } of entries) {
    if (name.startsWith(".") || FOREIGN_FOLDERS.includes(name)) continue;
    const path = join(folder, name);
    if (isDirectory) files.push(...yamlBelow(path, folders));
    else if (isFile && YAML_REGEXP.test(name)) files.push(path);
  }
  return files;
}

/** The suite in a file; undefined where it is YAML of another kind. */
function readSuite(file: string, scope: PrepareScope): PreparedSuite | undefined {
  let text: Uint8Array;
  try {
    text = scope.disk.readFile(resolve(file));
  } catch (caught) {
    return unreadable(file, caught);
  }
  return prepareSuiteText({ file, text }, scope);
}

function unreadable(file: string, caught: unknown): PreparedSuite {
  const bag = new DiagnosticBag();
  bag.report("io_read", { file, line: 1, column: 1 }, `the file cannot be read: ${reasonOf(caught)}`);
  return brokenSuite(file, bag.list());
}
