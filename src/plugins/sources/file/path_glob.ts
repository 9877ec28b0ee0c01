/** Owns globs: which paths a pattern means, and in which folders they can lie. */

import { isAbsolute, resolve } from "node:path";

/** One step of a path: a name, a pattern of names, or any folders at all. */
export type GlobStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "pattern"; readonly pattern: RegExp }
  | { readonly kind: "folders" };

/** One pattern without braces. */
export interface Glob {
  /** Absolute: the folder that everything lies in, or the path itself where nothing is left to match. */
  readonly root: string;
  /** What follows the root; empty for a plain path. */
  readonly steps: readonly GlobStep[];
}

/** A pattern that cannot be read. */
export class GlobError extends Error {
  override readonly name = "GlobError";
  /** Position in the pattern, in UTF-16 units. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const MAGIC_REGEXP = /[*?[\]{}\\]/;
const REGEXP_SPECIAL_REGEXP = /[\\^$.*+?()[\]{}|/-]/g;
/** Patterns that the braces of one may stand for. */
const ALTERNATIVES_MAX = 256;

/**
 * Reads a pattern: `*` and `?` match within a name, `**` any number of folders, `[a-z]` and `[!a-z]` a character,
 * `{a,b}` one of several texts; a backslash takes the next character as it is. A leading dot is matched by a dot only.
 * @param directory absolute folder that a relative pattern is read from
 * @throws {GlobError} a bracket or brace is not closed, or the braces stand for too many patterns
 */
export function parseGlobs(pattern: string, directory: string): Glob[] {
  // Windows has no backslash to escape with: there it separates, as `/` does.
  const plain = Deno.build.os === "windows" ? pattern.replaceAll("\\", "/") : pattern;
  const globs = new Map<string, Glob>();
  for (const alternative of expandBraces(plain)) {
    if (!globs.has(alternative)) globs.set(alternative, parseAlternative(alternative, directory));
  }
  return [...globs.values()];
}

/** Whether the pattern means exactly one path. */
export function isPlainPath(globs: readonly Glob[]): boolean {
  return globs.length === 1 && globs[0]?.steps.length === 0;
}

function parseAlternative(pattern: string, directory: string): Glob {
  const parts = pattern.split("/");
  const firstMagic = parts.findIndex((part) => MAGIC_REGEXP.test(part.replace(/\\(.)/g, "")));
  const fixedParts = (firstMagic < 0 ? parts : parts.slice(0, firstMagic)).map((part) => part.replace(/\\(.)/g, "$1"));
  const fixed = fixedParts.join("/");
  const absolute = isAbsolute(pattern);
  const root = resolve(directory, absolute && fixed === "" ? "/" : fixed);
  const rest = firstMagic < 0 ? [] : parts.slice(firstMagic).filter((part) => part !== "" && part !== ".");
  const steps = rest.map((part) => parseStep(part));
  // `logs/**` means the files under it, not the folders.
  if (steps.at(-1)?.kind === "folders") steps.push(parseStep("*"));
  return { root, steps };
}

function parseStep(part: string): GlobStep {
  if (part === "**") return { kind: "folders" };
  if (!MAGIC_REGEXP.test(part)) return { kind: "name", name: part };
  const body = patternSource(part);
  const guard = part.startsWith(".") || part.startsWith("\\.") ? "" : "(?!\\.)";
  return { kind: "pattern", pattern: new RegExp(`^${guard}${body}$`, "su") };
}

function patternSource(part: string): string {
  let source = "";
  for (let at = 0; at < part.length; at++) {
    const char = part.charAt(at);
    if (char === "*") {
      // Several stars mean what one does; several `.*` in a row would take the matcher quadratic time.
      if (part.charAt(at - 1) !== "*" || at === 0) source += "[^/]*";
    } else if (char === "?") {
      source += "[^/]";
    } else if (char === "[") {
      const end = classEnd(part, at);
      source += classSource(part.slice(at + 1, end));
      at = end;
    } else if (char === "\\") {
      source += literal(part.charAt(++at));
    } else {
      source += literal(char);
    }
  }
  return source;
}

function classEnd(part: string, at: number): number {
  // A closing bracket that stands first is a member: `[]]`, `[!]]`.
  const first = at + 1 + (/[!^]/.test(part.charAt(at + 1)) ? 1 : 0);
  const end = part.indexOf("]", first + 1);
  if (end < 0) throw new GlobError(`"[" in ${JSON.stringify(part)} is not closed by "]"`, at);
  return end;
}

function classSource(members: string): string {
  const negated = /^[!^]/.test(members);
  const listed = (negated ? members.slice(1) : members).replace(/[\\\]^[&~|]/g, "\\$&");
  return `[${negated ? "^/" : ""}${listed}]`;
}

function literal(char: string): string {
  return char.replace(REGEXP_SPECIAL_REGEXP, (special) => special === "-" ? "-" : `\\${special}`);
}

/** All patterns that a pattern with braces stands for, in the order they are written. */
function expandBraces(pattern: string): string[] {
  const pending = [pattern];
  const plain: string[] = [];
  while (pending.length > 0) {
    const next = pending.shift() ?? "";
    const braces = findBraces(next);
    if (braces === undefined) {
      plain.push(next);
    } else {
      const [before, after] = [next.slice(0, braces.open), next.slice(braces.close + 1)];
      pending.unshift(...braces.choices.map((choice) => before + choice + after));
    }
    if (plain.length + pending.length > ALTERNATIVES_MAX) {
      throw new GlobError(
        `the braces of ${JSON.stringify(pattern)} stand for more than ${ALTERNATIVES_MAX} patterns`,
        0,
      );
    }
  }
  return plain;
}

interface Braces {
  readonly open: number;
  readonly close: number;
  readonly choices: readonly string[];
}

/** The first outermost pair of braces. */
function findBraces(pattern: string): Braces | undefined {
  let open = -1;
  let depth = 0;
  let start = 0;
  const choices: string[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "\\") {
      at++;
    } else if (char === "[" && pattern.indexOf("]", at + 2) > 0) {
      at = pattern.indexOf("]", at + 2);
    } else if (char === "{") {
      if (depth++ === 0) [open, start] = [at, at + 1];
    } else if (depth > 0 && (char === "}" || (char === "," && depth === 1))) {
      if (char === "}" && --depth > 0) continue;
      choices.push(pattern.slice(start, at));
      start = at + 1;
      if (char === "}") return { open, close: at, choices };
    }
  }
  if (depth > 0) throw new GlobError(`"{" in ${JSON.stringify(pattern)} is not closed by "}"`, open);
  return undefined;
}
