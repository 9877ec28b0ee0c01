/** Owns the patterns of `telemetry.redact`: dotted globs over payload and meta. */

/** A redact pattern that compiled. */
export interface RedactPattern {
  readonly text: string;
  /** Whether the value at this path, such as `["payload", "card", "number"]`, is to be masked. */
  matches(path: readonly string[]): boolean;
}

/** What compiling a pattern gives: the pattern, or why it cannot be one. */
export type CompiledPattern =
  | { readonly ok: true; readonly pattern: RedactPattern }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/**
 * Compiles a pattern: segments joined by dots, the first `payload` or `meta`. In a segment `*` stands for any run of
 * characters, `?` for one, `[a-z]` for one of a class; a segment `**` stands for any number of segments.
 */
export function compileRedactPattern(text: string): CompiledPattern {
  const segments = text.split(".");
  const [root] = segments;
  if (root !== "payload" && root !== "meta") {
    const message = `a redact pattern begins with "payload." or "meta.", found ${JSON.stringify(text)}`;
    return { ok: false, message, offset: 0 };
  }
  if (segments.length === 1) {
    return { ok: false, message: `the pattern names no field: write "${root}.*" to mask all of them`, offset: 0 };
  }
  const compiled: (RegExp | undefined)[] = [];
  let offset = 0;
  for (const segment of segments) {
    const expression = segmentSource(segment);
    if (typeof expression === "object") return { ok: false, message: expression.message, offset };
    compiled.push(segment === "**" ? undefined : new RegExp(`^${expression}$`, "su"));
    offset += segment.length + 1;
  }
  return { ok: true, pattern: { text, matches: (path) => matchSegments(compiled, path) } };
}

/** The source of a regular expression that matches one segment, or why the segment is none. */
function segmentSource(segment: string): string | { readonly message: string } {
  if (segment === "") return { message: "a redact pattern has no empty segment between its dots" };
  let source = "";
  for (let at = 0; at < segment.length; at++) {
    const character = segment.charAt(at);
    if (character === "*") source += ".*";
    else if (character === "?") source += ".";
    else if (character === "]") return { message: `"]" without its "[" in segment ${JSON.stringify(segment)}` };
    else if (character !== "[") source += RegExp.escape(character);
    else {
      const end = segment.indexOf("]", at + 2);
      if (end === -1) return { message: `"[" without its "]" in segment ${JSON.stringify(segment)}` };
      const members = classSource(segment.slice(at + 1, end));
      if (members === undefined) {
        return { message: `a range that runs backwards in segment ${JSON.stringify(segment)}` };
      }
      source += members;
      at = end;
    }
  }
  return source;
}

/** The regular expression of a class's members; undefined where a range runs backwards. */
function classSource(members: string): string | undefined {
  const negated = members.startsWith("!") || members.startsWith("^");
  let source = negated ? "[^" : "[";
  const characters = [...members.slice(negated ? 1 : 0)];
  for (let at = 0; at < characters.length; at++) {
    const first = characters[at] ?? "";
    const last = characters[at + 2];
    if (characters[at + 1] === "-" && last !== undefined) {
      if ((first.codePointAt(0) ?? 0) > (last.codePointAt(0) ?? 0)) return undefined;
      source += `${unicodeEscape(first)}-${unicodeEscape(last)}`;
      at += 2;
    } else source += unicodeEscape(first);
  }
  return `${source}]`;
}

function unicodeEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Matches segments against a path; `undefined` among them stands for any number of parts. */
function matchSegments(segments: readonly (RegExp | undefined)[], path: readonly string[]): boolean {
  // `reached[i]`: the first i segments match the parts read so far. One row is enough, so a pattern of many `**`
  // costs no more than its length times the path's.
  let reached = [true, ...segments.map((_, i) => segments.slice(0, i + 1).every((segment) => segment === undefined))];
  for (const part of path) {
    const next = [false];
    segments.forEach((segment, i) => {
      next.push(
        segment === undefined
          ? Boolean(next[i]) || Boolean(reached[i + 1]) || Boolean(reached[i])
          : Boolean(reached[i]) && segment.test(part),
      );
    });
    reached = next;
  }
  return Boolean(reached[segments.length]);
}
