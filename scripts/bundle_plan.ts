/** Owns what a compiled program is made of: its main module and the entry file of every isolate it starts. */

import type { ProjectFile } from "./project_files.ts";

const ENTRY_REFERENCE_REGEXP = /new URL\(\s*"([^"]+\.ts)",\s*import\.meta\.url/g;
const BESIDE_REGEXP = /^\.\/[a-z0-9_]+\.ts$/;

/**
 * The entry files that the shipped source starts isolates from, as paths from the project's root. A bundle puts all
 * code into one folder, so a reference names a file beside it and no two entries share a name.
 * @throws {Error} when a reference would lead elsewhere once bundled
 */
export function isolateEntries(files: readonly ProjectFile[]): string[] {
  const entries = new Map<string, string>();
  for (const { path, text } of files) {
    if (!path.startsWith("src/") || path.endsWith("_test.ts")) continue;
    for (const [, reference = ""] of text.matchAll(ENTRY_REFERENCE_REGEXP)) {
      if (!BESIDE_REGEXP.test(reference)) {
        throw new Error(
          `${path} refers to "${reference}": an isolate's entry file stands beside the file that starts it`,
        );
      }
      const name = reference.slice(2);
      const entry = path.slice(0, path.lastIndexOf("/") + 1) + name;
      const other = entries.get(name);
      if (other !== undefined && other !== entry) {
        throw new Error(`${other} and ${entry} would be one file in the bundle: rename one`);
      }
      if (!files.some((file) => file.path === entry)) {
        throw new Error(`${path} refers to "${reference}", but ${entry} is not there`);
      }
      entries.set(name, entry);
    }
  }
  return [...entries.values()].sort();
}
