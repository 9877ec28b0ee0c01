/**
 * Owns the values an evaluation works on, and their kinds.
 *
 * Plain data is used as it comes: boolean, number (a double), string, null, `Uint8Array`, arrays, and plain objects for
 * maps with string keys. A bigint is an int; one from a message that does not fit an int but 64 bits unsigned counts as
 * uint. What plain data cannot say has a class here. Their members are all on the prototype, never own properties, so
 * that reading a field of one by name gives undefined (see `field.ts`), and have names that fields seldom have.
 */

/** The least int. */
export const INT_MIN = -9_223_372_036_854_775_808n;
/** The greatest int. */
export const INT_MAX = 9_223_372_036_854_775_807n;
/** The greatest uint. */
export const UINT_MAX = 18_446_744_073_709_551_615n;

/** What all classes here extend: an object that is no plain data. */
export abstract class CelObject {}

/** An unsigned 64-bit integer. */
export class CelUint extends CelObject {
  readonly #value: bigint;

  constructor(value: bigint) {
    super();
    this.#value = value;
  }

  get unsigned(): bigint {
    return this.#value;
  }
}

/** A point in time, in nanoseconds since 1970. */
export class CelTimestamp extends CelObject {
  readonly #nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.#nanos = nanos;
  }

  get nanos(): bigint {
    return this.#nanos;
  }
}

/** A span of time in nanoseconds. */
export class CelDuration extends CelObject {
  readonly #nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.#nanos = nanos;
  }

  get nanos(): bigint {
    return this.#nanos;
  }
}

/** The type of a value, itself a value. */
export class CelType extends CelObject {
  readonly #name: string;

  constructor(name: CelKind) {
    super();
    this.#name = name;
  }

  get typeName(): string {
    return this.#name;
  }
}

/** What an operation gives instead of a value: it travels up to the next `&&`, `||` or to the caller. */
export class CelFailure extends CelObject {
  readonly #reason: string;
  readonly #at: number;

  constructor(reason: string, at: number) {
    super();
    this.#reason = reason;
    this.#at = at;
  }

  get explanation(): string {
    return this.#reason;
  }

  /** Offset in the expression. */
  get at(): number {
    return this.#at;
  }
}

/** A key as maps compare it: integers of every kind by their value. */
export type CelMapKey = string | boolean | bigint;

/** A map made by an expression. Keys are strings, bools, ints and uints; `1`, `1u` and `1.0` find the same entry. */
export class CelMap extends CelObject {
  readonly #values: ReadonlyMap<CelMapKey, unknown>;
  readonly #uints: ReadonlySet<bigint>;

  /** `uints` are the integer keys that were written as uint. */
  constructor(values: ReadonlyMap<CelMapKey, unknown>, uints: ReadonlySet<bigint>) {
    super();
    this.#values = values;
    this.#uints = uints;
  }

  get entryCount(): number {
    return this.#values.size;
  }

  /** Undefined when there is no such entry. */
  lookup(key: CelMapKey): unknown {
    return this.#values.get(key);
  }

  /** Each key as the value it was written as. */
  keys(): unknown[] {
    return Array.from(this.#values.keys(), (key) => this.#written(key));
  }

  /** Each entry, the key as it was written. */
  entries(): [unknown, unknown][] {
    return Array.from(this.#values, ([key, value]) => [this.#written(key), value]);
  }

  #written(key: CelMapKey): unknown {
    return typeof key === "bigint" && this.#uints.has(key) ? new CelUint(key) : key;
  }
}

/** The names of types as `type()` gives them. */
export type CelKind =
  | "bool"
  | "bytes"
  | "double"
  | "google.protobuf.Duration"
  | "google.protobuf.Timestamp"
  | "int"
  | "list"
  | "map"
  | "null_type"
  | "string"
  | "type"
  | "uint";

/** A map of plain data. */
export type DataMap = { readonly [key: string]: unknown };

/** Whether a value is a map of plain data. */
export function isDataMap(value: unknown): value is DataMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array) &&
    !(value instanceof CelObject);
}

/** An own member of a map of plain data; undefined when there is none. */
export function dataMember(map: DataMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The kind of a value that is no failure. */
export function kindOf(value: unknown): CelKind {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return "double";
    case "string":
      return "string";
    case "bigint":
      return value > INT_MAX && value <= UINT_MAX ? "uint" : "int";
  }
  if (value === null || value === undefined) return "null_type";
  if (Array.isArray(value)) return "list";
  if (value instanceof Uint8Array) return "bytes";
  if (!(value instanceof CelObject) || value instanceof CelMap) return "map";
  if (value instanceof CelUint) return "uint";
  if (value instanceof CelTimestamp) return "google.protobuf.Timestamp";
  if (value instanceof CelDuration) return "google.protobuf.Duration";
  return "type";
}

/** The kind of a value in words, for messages: `an int`, `null`, `a timestamp`. */
export function kindInWords(value: unknown): string {
  const kind = kindOf(value);
  switch (kind) {
    case "bytes":
      return "bytes";
    case "google.protobuf.Duration":
      return "a duration";
    case "google.protobuf.Timestamp":
      return "a timestamp";
    case "int":
      return "an int";
    case "null_type":
      return "null";
    default:
      return `a ${kind}`;
  }
}

/** A value's int, undefined when it is none. An integer of plain data that does not fit 64 bits is none either. */
export function asInt(value: unknown): bigint | undefined {
  return typeof value === "bigint" && value >= INT_MIN && value <= INT_MAX ? value : undefined;
}

/** A value's uint, undefined when it is none. */
export function asUint(value: unknown): bigint | undefined {
  if (value instanceof CelUint) return value.unsigned;
  return typeof value === "bigint" && value > INT_MAX && value <= UINT_MAX ? value : undefined;
}

/** A value as a key of maps; undefined when no map can have such a key. */
export function asMapKey(value: unknown): CelMapKey | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "bigint":
      // An integer beyond 64 bits, however many digits it has, is no CEL integer.
      return value >= INT_MIN && value <= UINT_MAX ? value : undefined;
    case "number":
      return Number.isInteger(value) ? BigInt(value) : undefined;
  }
  return value instanceof CelUint ? value.unsigned : undefined;
}

/** Data that a message quotes is cut to so many units: it may be of any length, and of no concern to who reads. */
const QUOTED_DATA_UNITS_MAX = 40;

/** Text in quotes, shortened: for messages. */
export function quoteShort(text: string): string {
  return JSON.stringify(text.length > QUOTED_DATA_UNITS_MAX ? `${text.slice(0, QUOTED_DATA_UNITS_MAX)}…` : text);
}

/** The failure of an operation on values it is not defined for. */
export function noOverload(operation: string, values: readonly unknown[], at: number): CelFailure {
  const failed = values.find((value) => value instanceof CelFailure);
  if (failed instanceof CelFailure) return failed;
  const kinds = values.map(kindOf).join(", ");
  const isMixed = values.length === 2 && isNumeric(values[0]) && isNumeric(values[1]);
  const reason = isMixed && kindOf(values[0]) !== kindOf(values[1])
    ? `; numbers of different types do not mix here, convert one with double() or int()`
    : "";
  return new CelFailure(`${operation} is not defined for (${kinds})${reason}`, at);
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof CelUint;
}
