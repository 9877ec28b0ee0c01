/** Owns the cutting of texts that may be as long as a script wants. */

/** The text itself or, when it is longer than `charactersMax`, its beginning; never half a surrogate pair. */
export function shortText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const isPair = (text.codePointAt(charactersMax - 2) ?? 0) > 0xffff;
  return `${text.slice(0, charactersMax - (isPair ? 2 : 1))}…`;
}
