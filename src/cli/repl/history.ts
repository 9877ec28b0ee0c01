/** Owns the lines that a user typed in earlier consoles. */

import { dirname, join } from "node:path";

/** Lines that are kept. */
export const HISTORY_LINES_MAX = 1000;

const FILE_NAME = "repl_history";
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Where the lines are kept: `EVENTBOAT_REPL_HISTORY`, else `eventboat/repl_history` in the user's folder for state.
 * Undefined where the variable is empty or there is no such folder.
 */
export function historyPath(env: (name: string) => string | undefined): string | undefined {
  const chosen = env("EVENTBOAT_REPL_HISTORY");
  if (chosen !== undefined) return chosen === "" ? undefined : chosen;
  const folder = stateFolder(env);
  return folder === undefined ? undefined : join(folder, "eventboat", FILE_NAME);
}

function stateFolder(env: (name: string) => string | undefined): string | undefined {
  if (Deno.build.os === "windows") return env("LOCALAPPDATA");
  const state = env("XDG_STATE_HOME");
  // A relative path there is to be ignored, says the XDG Base Directory Specification.
  if (state?.startsWith("/") === true) return state;
  const home = env("HOME");
  return home === undefined || home === "" ? undefined : join(home, ".local", "state");
}

/**
 * Lines of earlier consoles, oldest first, and a place for new ones. Each is appended when it is typed, so that two
 * consoles at once lose nothing. A file that cannot be read or written means a history of this console alone.
 */
export class History {
  readonly lines: readonly string[];
  readonly #path: string | undefined;
  #last: string | undefined;

  private constructor(path: string | undefined, lines: readonly string[]) {
    this.#path = path;
    this.lines = lines;
    this.#last = lines.at(-1);
  }

  /** Reads the file and cuts it to its newest lines. */
  static open(path: string | undefined): History {
    if (path === undefined) return new History(undefined, []);
    const lines = readLines(path);
    const kept = lines.slice(-HISTORY_LINES_MAX);
    if (kept.length < lines.length) {
      quietly(() => Deno.writeTextFileSync(path, joined(kept), { mode: OWNER_ONLY_FILE }));
    }
    return new History(path, kept);
  }

  /** Keeps a line; one that is blank or like the last is not worth it. */
  add(line: string): void {
    const path = this.#path;
    if (line.trim() === "" || line === this.#last) return;
    this.#last = line;
    if (path === undefined) return;
    quietly(() => {
      Deno.mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
      Deno.writeTextFileSync(path, joined([line]), { append: true, mode: OWNER_ONLY_FILE });
      // A file that was there before keeps its mode when it is written, and Windows has none.
      if (Deno.build.os !== "windows") Deno.chmodSync(path, OWNER_ONLY_FILE);
    });
  }
}

function readLines(path: string): string[] {
  return quietly(() => Deno.readTextFileSync(path).split("\n").filter((line) => line !== "")) ?? [];
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** What is typed matters more than what was: trouble with the file is not worth a word. */
function quietly<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
