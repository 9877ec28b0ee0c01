/** Owns the known faults of the library's evaluator of CEL, and right functions for those that a function can mend. */

import {
  celEnv,
  type CelFunc,
  celFunc,
  CelScalar,
  celUint,
  isCelError,
  isCelUint,
  mapType,
  objectType,
} from "@bufbuild/cel";
import { create, type Message } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";

/** Where the library is wrong. */
export interface CelLibraryFault {
  /** Shows the fault; evaluated over no payload but `{"a": null}`. */
  readonly expression: string;
  /** What it must give, as `shownCel` writes it. */
  readonly gives: string;
  /** What the language's definition says. */
  readonly reason: string;
  /** Whether the judge mends it. What it does not mend, the generator of expressions does not make. */
  readonly isMended: boolean;
}

/** Each fault, with what shows it. One that the library no longer has fails the test. */
export const CEL_LIBRARY_FAULTS: readonly CelLibraryFault[] = [
  mended("has(payload.a)", "bool true", "a member that is null is there: the handed rows say so"),
  mended("'a' in payload", "bool true", "a key whose value is null is there"),
  mended("[1, 2][0.5] == 1 || true", "bool true", "an index that is no integer fails, and || absorbs it"),
  mended("double('')", "failure", "a text without digits is no number"),
  mended("double(' 1')", "failure", "blanks are no part of a number"),
  mended("double('x')", "failure", "a text that is no number fails, it does not give NaN"),
  mended("double('1e400')", "failure", "a number beyond a double's range does not become infinite"),
  mended("int('0x1')", "failure", "int() reads decimal digits"),
  mended("int('')", "failure", "a text without digits is no int"),
  mended("uint(' 1 ')", "failure", "blanks are no part of a number"),
  mended("string(b'\\xef\\xbb\\xbfa')", '"\ufeffa"', "a byte order mark is text like any other"),
  mended("timestamp(1)", "google.protobuf.Timestamp 1970-01-01T00:00:01Z", "the int is seconds, not milliseconds"),
  mended("duration(62135596800)", "failure", "a duration fits 64 bits of nanoseconds"),
  mended("duration('')", "failure", "a text without a number and a unit is no duration"),
  mended("18446744073709551615u / 1u", "uint 18446744073709551615", "the quotient of two uints is a uint"),
  standing("[1, 2][true]", "failure", "a list has no element true"),
  standing("'\u{1f917}' > '\ufffd'", "bool true", "strings order by code points, not by UTF-16 units"),
  standing("{1: 'a', 1u: 'b'}", "failure", "one integer may not stand twice as a key"),
  standing("{9223372036854775808.0: 1}.map(key, type(key))", "[type uint]", "what is too large for an int is a uint"),
  standing("timestamp('2024-02-30T00:00:00Z')", "failure", "a month does not have more days than it has"),
  standing("timestamp('2024-01-01T00:00:00.9999Z').getSeconds()", "int 0", "fractions are cut, not rounded"),
  standing("timestamp('0001-01-01T00:00:00Z').getDayOfWeek()", "int 1", "the years 1 to 99 are not 1901 to 1999"),
  standing("[[0.0 / 0.0]].all(x, x == x)", "bool false", "lists are equal when their elements are, and NaN is not"),
];

function mended(expression: string, gives: string, reason: string): CelLibraryFault {
  return { expression, gives, reason, isMended: true };
}

function standing(expression: string, gives: string, reason: string): CelLibraryFault {
  return { expression, gives, reason, isMended: false };
}

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;
const NANOS_PER_SECOND = 1_000_000_000n;
const INTEGER_REGEXP = /^[+-]?[0-9]+$/;
const DOUBLE_REGEXP = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

const SPECIAL_REGEXP = /^(?:nan|([+-]?)(inf(?:inity)?))$/i;

const { BOOL, BYTES, DOUBLE, DYN, INT, STRING, UINT } = CelScalar;
const MAP = mapType(DYN, DYN);
const STRICT = { fatal: true, ignoreBOM: true };
const DURATION = objectType(DurationSchema);
const TIMESTAMP = objectType(TimestampSchema);

/** Functions to take the place of the library's. */
export const CEL_CORRECTIONS: readonly CelFunc[] = [
  celFunc("double", [STRING], DOUBLE, doubleOf),
  celFunc("int", [STRING], INT, (text) => integerOf(text, INT_MIN, INT_MAX)),
  celFunc("uint", [STRING], UINT, (text) => celUint(integerOf(text, 0n, UINT_MAX))),
  celFunc("string", [BYTES], STRING, (bytes) => new TextDecoder("utf-8", STRICT).decode(bytes)),
  celFunc("timestamp", [INT], TIMESTAMP, timestampOf),
  celFunc("duration", [INT], DURATION, durationOf),
  celFunc("duration", [STRING], DURATION, (text) => durationIn(text)),
  celFunc("_/_", [UINT, UINT], UINT, (left, right) => celUint(left.value / right.value)),
  ...[STRING, BOOL, INT, UINT, DOUBLE].map((type) => celFunc("@in", [type, MAP], BOOL, (key, map) => hasKey(key, map))),
];

function doubleOf(text: string): number {
  const special = SPECIAL_REGEXP.exec(text);
  if (special !== null) return special[2] === undefined ? NaN : special[1] === "-" ? -Infinity : Infinity;
  const number = Number(text);
  if (DOUBLE_REGEXP.test(text) && Number.isFinite(number)) return number;
  throw new Error("not a double");
}

function integerOf(text: string, least: bigint, greatest: bigint): bigint {
  if (!INTEGER_REGEXP.test(text)) throw new Error("not an integer");
  return within(BigInt(text), least, greatest);
}

function within(value: bigint, least: bigint, greatest: bigint): bigint {
  if (value < least || value > greatest) throw new Error("out of range");
  return value;
}

function timestampOf(seconds: bigint): Message {
  return create(TimestampSchema, { seconds: within(seconds, -62_135_596_800n, 253_402_300_799n) });
}

function durationOf(seconds: bigint): Message {
  within(seconds * NANOS_PER_SECOND, INT_MIN, INT_MAX);
  return create(DurationSchema, { seconds });
}

/** The library's own functions of this name. */
const OWN_DURATION = celEnv().funcs.find("duration");

/** Reads a duration as the library does, but not an empty text, which it takes for no span at all. */
function durationIn(text: string): Message {
  const read = text === "" ? undefined : OWN_DURATION?.call(0, undefined, [text]);
  // The reflected message has no exported type of its own.
  if (read !== undefined && !isCelError(read)) return (read as unknown as { readonly message: Message }).message;
  throw new Error("not a duration");
}

function hasKey(wanted: unknown, map: { keys(): Iterable<unknown> }): boolean {
  const plain = (key: unknown) => isCelUint(key) ? key.value : key;
  const isNumber = (value: unknown) => typeof value === "number" || typeof value === "bigint";
  const key = plain(wanted);
  // Loose, because an int equals the double of the same value.
  return [...map.keys()].map(plain).some((one) => one === key || (isNumber(one) && isNumber(key) && one == key));
}
