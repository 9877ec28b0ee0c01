/** Owns finding a number in decoded data that is beyond what a double can be. */

/**
 * Text that may hold such a number: an exponent of three digits or more at the end of what may be one. Most text has
 * none, and a match says no more than that a look is worth its time.
 */
const GREAT_EXPONENT_REGEXP = /\d[eE]\+?\d{3,}(?=[\s,\]}]|$)/;
/** Without an exponent it takes so many digits. */
const MANY_DIGITS_REGEXP = /\d{309}/;

/** Whether JSON text may hold a number that a double cannot: the quick question that comes before the search. */
export function mayHoldInfinite(text: string): boolean {
  return GREAT_EXPONENT_REGEXP.test(text);
}

/** The same for text known to hold long runs of digits. */
export function mayHoldLongInfinite(text: string): boolean {
  return GREAT_EXPONENT_REGEXP.test(text) || MANY_DIGITS_REGEXP.test(text);
}

/** Where in data a number is infinite, as a path from `payload`; undefined when none is. */
export function findInfinite(payload: unknown): string | undefined {
  const pending: { readonly value: unknown; readonly path: string }[] = [{ value: payload, path: "payload" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (value === Infinity || value === -Infinity) return path;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) pending.push({ value: value[i], path: `${path}[${i}]` });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) pending.push({ value: member, path: `${path}.${key}` });
    }
  }
  return undefined;
}
