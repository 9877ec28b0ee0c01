/** Owns what a compiled program is made of: its main module and the entry file of every isolate it starts. */

import type { ProjectFile } from "./project_files.ts";

/** The file that the program begins with. */
export const MAIN_ENTRY = "src/main.ts";

const ENTRY_REFERENCE_REGEXP = /new URL\(\s*"([^"]+\.ts)",\s*import\.meta\.url/g;
const BESIDE_REGEXP = /^\.\/[a-z0-9_]+\.ts$/;

/**
 * The entry files that the shipped source starts isolates from, as paths from the project's root. A bundle puts all
 * code into one folder, so an entry file stands beside the main module, and what refers to it stands there too.
 * @throws {Error} when a reference would lead elsewhere once bundled
 */
export function isolateEntries(files: readonly ProjectFile[]): string[] {
  const entries = new Set<string>();
  for (const { path, text } of files) {
    if (!path.startsWith("src/") || path.endsWith("_test.ts")) continue;
    for (const [, reference = ""] of text.matchAll(ENTRY_REFERENCE_REGEXP)) {
      if (!BESIDE_REGEXP.test(reference) || path.split("/").length > 2) {
        throw new Error(
          `${path} refers to "${reference}": an isolate's entry file stands in src/, like what starts it`,
        );
      }
      const entry = `src/${reference.slice(2)}`;
      if (!files.some((file) => file.path === entry)) {
        throw new Error(`${path} refers to "${reference}", but ${entry} is not there`);
      }
      entries.add(entry);
    }
  }
  return [...entries].sort();
}
