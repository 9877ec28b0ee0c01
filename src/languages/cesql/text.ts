/** Owns texts by their characters: CESQL counts code points, a lone surrogate as one. */

const SURROGATE_REGEXP = /[\ud800-\udfff]/;
const WHITE_SPACE_REGEXP = /^\p{White_Space}$/u;

/** Units of the code point at an offset. */
export function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/** Number of characters. */
export function charactersOf(text: string): number {
  if (!SURROGATE_REGEXP.test(text)) return text.length;
  let count = 0;
  for (let offset = 0; offset < text.length; offset += unitsAt(text, offset)) count++;
  return count;
}

/** The characters of `[start, end)`, counted from 0; what lies outside the text is left out. */
export function sliceCharacters(text: string, start: number, end: number): string {
  if (!SURROGATE_REGEXP.test(text)) return text.slice(start, end);
  const from = offsetOf(text, start, 0);
  return text.slice(from, offsetOf(text, end - start, from));
}

/** The text without Unicode's white space at its ends; other invisible characters stay. */
export function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  // White space lies in the first plane, so that units are as good as characters.
  while (start < end && WHITE_SPACE_REGEXP.test(text.charAt(start))) start++;
  while (end > start && WHITE_SPACE_REGEXP.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Offset of the character so many characters behind an offset. */
function offsetOf(text: string, characters: number, from: number): number {
  let offset = from;
  for (let left = characters; left > 0 && offset < text.length; left--) offset += unitsAt(text, offset);
  return offset;
}
