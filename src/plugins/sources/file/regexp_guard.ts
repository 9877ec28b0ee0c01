/** Owns the guard against regular expressions that can take for ever. */

/** How long a subject may be, in UTF-16 units; of a longer one, the first and the last half are looked at. */
export const SUBJECT_UNITS_MAX = 2048;

const INLINE_FLAGS_REGEXP = /^\(\?([ims]+)\)/;
const QUANTIFIER_REGEXP = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
/** A bounded repetition beyond this counts as unbounded: ten times ten ways are still few. */
const REPETITIONS_FEW = 10;

/**
 * Compiles a pattern; flags may stand in front, as in `(?i)error`.
 * @throws {SyntaxError} the pattern is no regular expression
 */
export function compilePattern(pattern: string): RegExp {
  const flags = INLINE_FLAGS_REGEXP.exec(pattern);
  return flags === null ? new RegExp(pattern) : new RegExp(pattern.slice(flags[0].length), flags[1]);
}

/** What of a line is matched: the whole line, or both ends of a long one, so that `^` and `$` mean what they say. */
export function subjectOf(line: string): string {
  if (line.length <= SUBJECT_UNITS_MAX) return line;
  return line.slice(0, SUBJECT_UNITS_MAX / 2) + line.slice(-SUBJECT_UNITS_MAX / 2);
}

/** What was seen in one group of the pattern. */
interface Group {
  /** Whether something in it repeats without a limit. */
  repeats: boolean;
  /** Where each of its alternatives begins. */
  readonly starts: number[];
}

/**
 * Says why a pattern may take exponential time on some line, or undefined: a repetition inside a repetition, or a
 * repeated choice between alternatives that can begin alike. An engine that backtracks cannot be stopped from outside,
 * so a few harmless patterns of these shapes are refused too.
 */
export function repetitionTrouble(pattern: string): string | undefined {
  const groups: Group[] = [{ repeats: false, starts: [0] }];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    const group = groups.at(-1);
    if (group === undefined) return undefined;
    let closed: Group | undefined;
    let next = at + 1;
    if (char === "(") {
      next = groupStart(pattern, at);
      groups.push({ repeats: false, starts: [next] });
      at = next;
      continue;
    } else if (char === "|") {
      group.starts.push(next);
    } else if (char === ")") {
      closed = groups.pop();
    } else if (char === "\\") {
      next = at + 2;
    } else if (char === "[") {
      next = classEnd(pattern, at);
    }
    const quantifier = char === "|" ? null : QUANTIFIER_REGEXP.exec(pattern.slice(next));
    const repeats = quantifier !== null && isMany(quantifier);
    if (closed !== undefined && repeats) {
      const trouble = repeatedGroupTrouble(pattern, closed);
      if (trouble !== undefined) return `${JSON.stringify(pattern.slice(0, next))} ${trouble}`;
    }
    const outer = groups.at(-1);
    if (outer !== undefined && (repeats || closed?.repeats === true)) outer.repeats = true;
    at = next + (quantifier?.[0].length ?? 0);
  }
  return undefined;
}

function repeatedGroupTrouble(pattern: string, group: Group): string | undefined {
  if (group.repeats) return "repeats a group that itself repeats without a limit";
  if (group.starts.length < 2) return undefined;
  const firsts = group.starts.map((start) => literalAt(pattern, start));
  const alike = firsts.includes(undefined) || new Set(firsts).size < firsts.length;
  return alike ? "repeats a choice whose alternatives may begin with the same character" : undefined;
}

/** The character an alternative must begin with; undefined where it may be one of several. */
function literalAt(pattern: string, at: number): string | undefined {
  const char = pattern.charAt(at);
  const escaped = char === "\\";
  const end = escaped ? at + 2 : at + 1;
  if (char === "" || (!escaped && /[.[(|)^$*+?]/.test(char))) return undefined;
  if (escaped && /[a-zA-Z0-9]/.test(pattern.charAt(at + 1))) return undefined;
  return QUANTIFIER_REGEXP.test(pattern.slice(end)) ? undefined : pattern.slice(at, end).replace(/^\\/, "");
}

/** Index behind `(`, `(?:`, `(?=`, `(?<name>` and the like. */
function groupStart(pattern: string, at: number): number {
  const prefix = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z]*(?:-[a-z]+)?:))?/.exec(pattern.slice(at));
  return at + (prefix?.[0].length ?? 1);
}

function classEnd(pattern: string, at: number): number {
  let end = at + 1;
  while (end < pattern.length && pattern.charAt(end) !== "]") end += pattern.charAt(end) === "\\" ? 2 : 1;
  return end + 1;
}

function isMany(quantifier: RegExpExecArray): boolean {
  const [whole, least, comma, most] = quantifier;
  if (least === undefined) return !whole.startsWith("?");
  if (comma === undefined) return Number(least) > REPETITIONS_FEW;
  return most === undefined || most === "" || Number(most) > REPETITIONS_FEW;
}
