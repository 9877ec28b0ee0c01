/** Owns the reading of `${...}` references in a text. */

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
  /** `env` for `${VAR}`, else what stands before the first dot. */
  readonly scope: string;
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
  /** What is wrong, to follow "the reference here". */
  readonly problem: string;
}

/** A piece of a text with references. */
export type TemplatePart = LiteralPart | ReferencePart | MalformedPart;

/** Longest reference: what opens one and never closes it is told near its beginning, and reading stays linear. */
const REFERENCE_LENGTH_MAX = 4_096;

const OPENING = "${";
const ESCAPED_OPENING = "$${";
const REFERENCE_REGEXP = /^(\?)?([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*))?(?::-(.*))?$/s;

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
      if (reference.kind === "malformed") break;
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
  const malformed = { kind: "malformed", start, end: start + OPENING.length } as const;
  if (closing < 0) return { ...malformed, problem: `has no closing } within ${REFERENCE_LENGTH_MAX} characters` };
  const content = window.slice(OPENING.length, closing);
  const match = REFERENCE_REGEXP.exec(content);
  if (match === null) return { ...malformed, problem: "names nothing that can be referred to" };
  const [, mark, first = "", rest, fallback] = match;
  return {
    kind: "reference",
    start,
    end: start + closing + 1,
    scope: rest === undefined ? "env" : first,
    name: rest ?? first,
    optional: mark !== undefined,
    ...(fallback === undefined ? {} : { fallback }),
  };
}
