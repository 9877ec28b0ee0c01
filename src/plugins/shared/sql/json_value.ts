/** Owns the JSON text of single values, every digit kept. */

const FINITE_REGEXP = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Text as a JSON string. */
export function jsonText(value: string): string {
  return JSON.stringify(value);
}

/** A number's own text where JSON can say it; NaN, Infinity and what else is none become strings. */
export function jsonNumber(text: string): string {
  return FINITE_REGEXP.test(text) ? text : JSON.stringify(text);
}

/** Bytes as a JSON string in base64. */
export function jsonBytes(bytes: Uint8Array): string {
  return `"${bytes.toBase64()}"`;
}
