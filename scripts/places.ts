/** Owns where a source file stands: in which room, as which kind of file. */

/** What a file is for, which decides what it may do. */
export interface Place {
  /** The path from the project's root, with forward slashes. */
  readonly path: string;
  /** The file's own name. */
  readonly name: string;
  /** The room of `src/` it belongs to; `undefined` for the assembly at the top of `src/`, for tests and scripts. */
  readonly room: string | undefined;
  /** Whether it is part of the shipped program. */
  readonly shipped: boolean;
  /** Whether it is a test or stands beside tests. */
  readonly test: boolean;
}

const ROOT = new URL("../", import.meta.url).pathname;

/** The place of a file, given by its absolute path or by its path from the project's root. */
export function placeOf(filename: string): Place {
  const slashed = filename.replaceAll("\\", "/");
  const path = slashed.startsWith(ROOT) ? slashed.slice(ROOT.length) : slashed;
  const parts = path.split("/");
  const name = parts.at(-1) ?? path;
  const inSource = parts[0] === "src";
  const test = name.endsWith("_test.ts") || parts[0] === "tests";
  return {
    path,
    name,
    room: inSource && parts.length > 2 ? parts[1] : undefined,
    shipped: (inSource || path === "mod.ts") && !test,
    test,
  };
}

/** The path from the project's root that a relative import in `from` leads to. */
export function resolveImport(from: Place, specifier: string): string {
  const parts = from.path.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
