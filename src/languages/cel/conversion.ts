/** Owns the conversion functions: `int()`, `string()`, `timestamp()` and the others. */

import type { CelMeter } from "./meter.ts";
import {
  durationFromSeconds,
  durationSeconds,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampFromSeconds,
  timestampSeconds,
} from "./time.ts";
import {
  asInt,
  asUint,
  CelDuration,
  CelFailure,
  CelTimestamp,
  CelType,
  CelUint,
  INT_MAX,
  INT_MIN,
  kindOf,
  noOverload,
  quoteShort,
  UINT_MAX,
} from "./value.ts";

/** A function of one value that is no failure. */
export type CelConversion = (value: unknown, at: number, meter: CelMeter) => unknown;

const INTEGER_REGEXP = /^[+-]?[0-9]+$/;
const DECIMAL_REGEXP = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const TRUE_TEXTS: ReadonlySet<string> = new Set(["1", "t", "true", "TRUE", "True"]);
const FALSE_TEXTS: ReadonlySet<string> = new Set(["0", "f", "false", "FALSE", "False"]);
const SPECIAL_DOUBLES: { readonly [text: string]: number } = {
  nan: NaN,
  inf: Infinity,
  "+inf": Infinity,
  "-inf": -Infinity,
  infinity: Infinity,
  "+infinity": Infinity,
  "-infinity": -Infinity,
};
/** Digits an integer text may have before it is refused unread: no 64-bit integer has as many. */
const INTEGER_TEXT_UNITS_MAX = 64;
/** Length a text may have before it is refused unread as a double: the longest that is exact has fewer than 800 digits. */
const DOUBLE_TEXT_UNITS_MAX = 1_024;

/** Every conversion function by name. */
export const CEL_CONVERSIONS: { readonly [name: string]: CelConversion } = {
  bool: toBool,
  bytes: toBytes,
  double: toDouble,
  duration: toDuration,
  dyn: (value) => value,
  int: toInt,
  string: toText,
  timestamp: toTimestamp,
  type: (value) => new CelType(kindOf(value)),
  uint: toUint,
};

function toBool(value: unknown, at: number): unknown {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return noOverload("bool()", [value], at);
  if (TRUE_TEXTS.has(value)) return true;
  return FALSE_TEXTS.has(value) ? false : notReadable(value, "bool", at);
}

function toBytes(value: unknown, at: number, meter: CelMeter): unknown {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "string") return noOverload("bytes()", [value], at);
  meter.spendLength(value.length);
  return new TextEncoder().encode(value);
}

function toDouble(value: unknown, at: number): unknown {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof CelUint) return Number(value.unsigned);
  return typeof value === "string" ? readDouble(value, at) : noOverload("double()", [value], at);
}

function toDuration(value: unknown, at: number): unknown {
  if (value instanceof CelDuration) return value;
  if (typeof value === "string") return parseDuration(value, at);
  const seconds = asInt(value);
  return seconds === undefined ? noOverload("duration()", [value], at) : durationFromSeconds(seconds, at);
}

function toTimestamp(value: unknown, at: number): unknown {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === "string") return parseTimestamp(value, at);
  const seconds = asInt(value);
  return seconds === undefined ? noOverload("timestamp()", [value], at) : timestampFromSeconds(seconds, at);
}

function toInt(value: unknown, at: number): unknown {
  if (typeof value === "number") {
    // Both ends are excluded: as doubles they are not told from their neighbours outside.
    const isInside = value > Number(INT_MIN) && value < Number(INT_MAX);
    return isInside ? BigInt(Math.trunc(value)) : outOfRange("int", at);
  }
  if (typeof value === "string") {
    const read = readInteger(value);
    return read === undefined ? notReadable(value, "int", at) : asInt(read) ?? outOfRange("int", at);
  }
  if (typeof value === "bigint") return asInt(value) ?? outOfRange("int", at);
  if (value instanceof CelUint) return asInt(value.unsigned) ?? outOfRange("int", at);
  if (value instanceof CelTimestamp) return timestampSeconds(value);
  if (value instanceof CelDuration) return durationSeconds(value);
  return noOverload("int()", [value], at);
}

function toUint(value: unknown, at: number): unknown {
  if (value instanceof CelUint) return value;
  if (typeof value === "number") {
    const isInside = value >= 0 && value < Number(UINT_MAX);
    return isInside ? new CelUint(BigInt(Math.trunc(value))) : outOfRange("uint", at);
  }
  if (typeof value === "string") {
    const read = readInteger(value);
    return read === undefined ? notReadable(value, "uint", at) : uintOf(read, at);
  }
  return typeof value === "bigint" ? uintOf(value, at) : noOverload("uint()", [value], at);
}

function uintOf(value: bigint, at: number): CelUint | CelFailure {
  return value >= 0n && value <= UINT_MAX ? new CelUint(value) : outOfRange("uint", at);
}

function toText(value: unknown, at: number, meter: CelMeter): unknown {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "bigint") return integerText(value, meter);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  const uint = asUint(value);
  if (uint !== undefined) return String(uint);
  if (!(value instanceof Uint8Array)) return noOverload("string()", [value], at);
  meter.spendLength(value.length);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    // A fatal decoder throws for bytes that are no UTF-8 and for nothing else.
    return new CelFailure("string(): the bytes are no UTF-8 text", at);
  }
}

/** Digits of an integer cost as much as steps: those of one with a million of them take long to find. */
function integerText(value: bigint, meter: CelMeter): string {
  const text = String(value);
  meter.spend(text.length);
  return text;
}

function readDouble(text: string, at: number): number | CelFailure {
  if (text.length > DOUBLE_TEXT_UNITS_MAX) return notReadable(text, "double", at);
  const lower = text.toLowerCase();
  if (Object.hasOwn(SPECIAL_DOUBLES, lower)) return SPECIAL_DOUBLES[lower] ?? NaN;
  if (!DECIMAL_REGEXP.test(text)) return notReadable(text, "double", at);
  const number = Number(text);
  return Number.isFinite(number) ? number : outOfRange("double", at);
}

function readInteger(text: string): bigint | undefined {
  if (text.length > INTEGER_TEXT_UNITS_MAX || !INTEGER_REGEXP.test(text)) return undefined;
  return BigInt(text);
}

function outOfRange(kind: string, at: number): CelFailure {
  return new CelFailure(`${kind}(): the value does not fit ${kind === "int" ? "an int" : `a ${kind}`} (64 bits)`, at);
}

function notReadable(text: string, kind: string, at: number): CelFailure {
  return new CelFailure(`${kind}(): ${quoteShort(text)} cannot be read as ${kind}`, at);
}
