/** Owns what a plain word means in YAML's core schema: null, boolean, number or text. */

const INTEGER_REGEXP = /^[-+]?[0-9]+$/;
const OCTAL_REGEXP = /^0o[0-7]+$/;
const HEX_REGEXP = /^0x[0-9a-fA-F]+$/;
const FLOAT_REGEXP = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITY_REGEXP = /^([-+]?)\.(?:inf|Inf|INF)$/;
const NULL_REGEXP = /^(?:~|null|Null|NULL)?$/;
const NAN_REGEXP = /^\.(?:nan|NaN|NAN)$/;
const TRUE_REGEXP = /^(?:true|True|TRUE)$/;
const FALSE_REGEXP = /^(?:false|False|FALSE)$/;

/** Longest text read as a number: beyond it, big integers would cost time without meaning anything. */
const NUMBER_LENGTH_MAX = 400;

/** The value YAML 1.2 (core schema) gives a plain scalar. Integers beyond 2^53 are bigint and keep every digit. */
export function coreScalar(text: string): null | boolean | number | bigint | string {
  if (text.length > NUMBER_LENGTH_MAX) return text;
  if (NULL_REGEXP.test(text)) return null;
  if (TRUE_REGEXP.test(text)) return true;
  if (FALSE_REGEXP.test(text)) return false;
  if (INTEGER_REGEXP.test(text)) return exactInteger(decimalInteger(text));
  if (OCTAL_REGEXP.test(text) || HEX_REGEXP.test(text)) return exactInteger(BigInt(text));
  if (FLOAT_REGEXP.test(text)) return Number(text);
  if (NAN_REGEXP.test(text)) return Number.NaN;
  const infinity = INFINITY_REGEXP.exec(text);
  if (infinity !== null) return infinity[1] === "-" ? -Infinity : Infinity;
  return text;
}

/** A number where it is exact as one, else the bigint itself. */
export function exactInteger(value: bigint): number | bigint {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

function decimalInteger(text: string): bigint {
  return BigInt(text.startsWith("+") ? text.slice(1) : text);
}
