/** Owns how any text becomes a metric or label name that every scraper reads, without two becoming one. */

const PLAIN_NAME_REGEXP = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const PLAIN_CHARACTER_REGEXP = /^[a-zA-Z0-9]$/;
const ESCAPED = "U__";

/**
 * A name as scrapers accept it. A plain one stays as it is; any other is written with Prometheus' value escaping:
 * `U__`, an underscore doubled, every other character as its code point in hexadecimal between underscores. So `a.b`,
 * `a-b` and `a_b` stay three names.
 */
export function safeName(name: string): string {
  if (PLAIN_NAME_REGEXP.test(name) && !name.startsWith(ESCAPED)) return name;
  let escaped = ESCAPED;
  for (const [place, character] of [...name.toWellFormed()].entries()) {
    if (character === "_") escaped += "__";
    else if (PLAIN_CHARACTER_REGEXP.test(character) && (place > 0 || !isDigit(character))) escaped += character;
    else escaped += `_${(character.codePointAt(0) ?? 0).toString(16)}_`;
  }
  return escaped;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}
