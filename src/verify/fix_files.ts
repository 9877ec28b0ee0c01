/** Owns `verify --fix`: older spellings are rewritten in the user's own files. */

import { type Fix, fixPipeline } from "../config/mod.ts";
import { EventboatError, reasonOf } from "../diagnostics/mod.ts";

/** One rewrite in a file. */
export interface FileFix extends Fix {
  readonly file: string;
}

/**
 * Rewrites older spellings in these files; a file without any is not touched. One that is not readable, or no text,
 * is left to verification to report.
 * @throws {EventboatError} `io` when a file cannot be written.
 */
export function fixFiles(files: readonly string[]): readonly FileFix[] {
  const made: FileFix[] = [];
  for (const file of files) {
    const before = readText(file);
    if (before === undefined) continue;
    const { text, fixes } = fixPipeline(before);
    if (fixes.length === 0) continue;
    try {
      Deno.writeTextFileSync(file, text);
    } catch (caught) {
      throw new EventboatError("io", `cannot write the fixed ${file}: ${reasonOf(caught)}`, { cause: caught });
    }
    made.push(...fixes.map((fix) => ({ file, ...fix })));
  }
  return made;
}

function readText(file: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Deno.readFileSync(file));
  } catch {
    // Unreadable or no UTF-8: the verdict says which.
    return undefined;
  }
}
