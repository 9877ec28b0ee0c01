/** Owns folders of pipelines and contract suites for tests: written, run, and what the report says of them. */

import { dirname } from "node:path";
import { systemClock } from "../../src/base/mod.ts";
import { reportText, runSuites, selectSuites, type SuitesResult, type TestProgress } from "../../src/contract/mod.ts";
import { type Plugin, Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";

const ROOT = new URL("../../", import.meta.url);

/** The text of a file of this project. */
export function readText(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

/** What a run of suites may be given. */
export interface TestFolderOptions {
  readonly updateGolden?: boolean;
  readonly caseMsMax?: number;
  /** Plugins beside the built-in ones. */
  readonly plugins?: readonly Plugin[];
  readonly env?: { readonly [name: string]: string };
  readonly onProgress?: (progress: TestProgress) => void;
}

/** What came of it, with the text that a user sees. */
export interface TestedFolder extends SuitesResult {
  readonly skipped: number;
  readonly text: string;
}

/** Runs `body` in a new folder with these files, by their paths. */
export async function inFolder<Result>(
  files: { readonly [path: string]: string | Uint8Array },
  body: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "eventboat-contract-" }));
  try {
    for (const [path, content] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.writeFile(
        `${folder}/${path}`,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    return await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs every suite at `path`. */
export async function testPath(path: string, options: TestFolderOptions = {}): Promise<TestedFolder> {
  const { plugins = [], env = {}, ...rest } = options;
  const registry = new Registry([...builtins(), ...plugins]);
  const { suites, skipped } = selectSuites([path], { registry, env: (name) => env[name] });
  const { signal } = new AbortController();
  const result = await runSuites(suites, { registry, clock: systemClock, signal, env: () => undefined, ...rest });
  const text = reportText(result.report, { skipped, written: result.written });
  return { ...result, skipped, text };
}

/** Runs the suites of a folder with these files; the folder's own path is left out of the text. */
export async function testFolder(
  files: { readonly [path: string]: string | Uint8Array },
  options: TestFolderOptions = {},
): Promise<TestedFolder> {
  return await inFolder(files, async (folder) => {
    const tested = await testPath(folder, options);
    return { ...tested, text: tested.text.replaceAll(`${folder}/`, "") };
  });
}
