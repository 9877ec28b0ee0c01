/** Owns the reading of `${...}` references in a text. */

import { quotedText } from "../base/mod.ts";

/** Text that stands for itself. */
export interface LiteralPart {
  readonly kind: "literal";
  /** Offset in the source text, in UTF-16 units. */
  readonly start: number;
  readonly text: string;
}

/** One `${...}`. */
export interface ReferencePart {
  readonly kind: "reference";
  readonly start: number;
  readonly end: number;
  /** What stands before the first dot; undefined for a variable of the environment. */
  readonly scope: string | undefined;
  readonly name: string;
  /** `${?VAR}`. */
  readonly optional: boolean;
  /** The text after `:-`. */
  readonly fallback?: string;
}

/** A `${` that begins no reference. */
export interface MalformedPart {
  readonly kind: "malformed";
  readonly start: number;
  readonly end: number;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  readonly hint: string;
}

/** A piece of a text with references. */
export type TemplatePart = LiteralPart | ReferencePart | MalformedPart;

/** Longest reference: what opens one and never closes it is told near its beginning, and reading stays linear. */
const REFERENCE_LENGTH_MAX = 4_096;

const OPENING = "${";
const ESCAPED_OPENING = "$${";
const REFERENCE_REGEXP = /^(\?)?([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*))?(?::-(.*))?$/s;

/** What to do about a `${` that is meant as it is written. */
export const ESCAPE_HINT = "write $${ for a literal ${";
/** A name with what a shell would take for a default, or with blanks around it. */
const SHELL_DEFAULT_REGEXP = /^([A-Za-z_][A-Za-z0-9_]*):?[-=+?|:]*(.*)$/s;
const BLANKS_REGEXP = /^\s+|\s+$/g;

/** Whether a text needs reading at all. */
export function hasReference(text: string): boolean {
  return text.includes(OPENING);
}

/**
 * The parts of a text, in order: `${VAR}`, `${?VAR}`, `${VAR:-text}`, `${scope.name}`, and `$${` for a literal `${`.
 * A reference ends at the first `}`; it holds no other reference.
 */
export function templateParts(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  let literalStart = 0;
  const literalUntil = (end: number) => {
    if (end > literalStart) parts.push({ kind: "literal", start: literalStart, text: text.slice(literalStart, end) });
  };
  while (at < text.length) {
    const opening = text.indexOf("$", at);
    if (opening < 0) break;
    if (text.startsWith(ESCAPED_OPENING, opening)) {
      literalUntil(opening);
      // The literal begins at its second `$`, so that one is dropped and the places stay right.
      literalStart = opening + 1;
      at = opening + ESCAPED_OPENING.length;
    } else if (text.startsWith(OPENING, opening)) {
      literalUntil(opening);
      const reference = referenceAt(text, opening);
      parts.push(reference);
      at = reference.end;
      literalStart = at;
      // Whatever else is wrong in this text can be told once it is known where this reference ends.
      if (reference.kind === "malformed" && reference.end === opening + OPENING.length) break;
    } else {
      at = opening + 1;
    }
  }
  literalUntil(text.length);
  return parts;
}

function referenceAt(text: string, start: number): ReferencePart | MalformedPart {
  const window = text.slice(start, start + REFERENCE_LENGTH_MAX);
  const closing = window.indexOf("}");
  if (closing < 0) {
    const problem = `the reference that begins here has no closing } within ${REFERENCE_LENGTH_MAX} characters`;
    return { kind: "malformed", start, end: start + OPENING.length, problem, hint: ESCAPE_HINT };
  }
  const content = window.slice(OPENING.length, closing);
  const match = REFERENCE_REGEXP.exec(content);
  if (match === null) {
    const problem = `${quotedText(window.slice(0, closing + 1))} is no reference`;
    return { kind: "malformed", start, end: start + closing + 1, problem, hint: meantBy(content) };
  }
  const [, mark, first = "", rest, fallback] = match;
  return {
    kind: "reference",
    start,
    end: start + closing + 1,
    scope: rest === undefined ? undefined : first,
    name: rest ?? first,
    optional: mark !== undefined,
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** What to write instead of what is no reference. */
function meantBy(content: string): string {
  const bare = content.replaceAll(BLANKS_REGEXP, "");
  if (bare !== content && REFERENCE_REGEXP.test(bare)) return `write \${${bare}}, without blanks`;
  const [, name, fallback] = SHELL_DEFAULT_REGEXP.exec(bare) ?? [];
  if (name === undefined || fallback === undefined) return ESCAPE_HINT;
  return `write \${${name}:-${fallback}} for a value that stands in where ${name} is not set; ${ESCAPE_HINT}`;
}
