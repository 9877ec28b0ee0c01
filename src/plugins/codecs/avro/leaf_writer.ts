/** Owns the writing of values that hold no others. */

import type { DecimalRule, EnumType, FixedType, PrimitiveType } from "./avro_type.ts";
import type { ByteWriter } from "./byte_writer.ts";
import { mismatch } from "./datum_trouble.ts";
import type { DatumWriter } from "./datum_writer.ts";
import { unscaledBytes, unscaledOf, uuidBytes } from "./logical_text.ts";

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;
const INTEGER_REGEXP = /^[+-]?\d{1,20}$/;
const FLOAT_REGEXP = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$|^NaN$|^-?Infinity$/;

const encoder = new TextEncoder();

/** Makes the writer of a type that holds no others. */
export function compileLeaf(type: PrimitiveType | FixedType | EnumType): DatumWriter {
  switch (type.kind) {
    case "null":
      return leaf((value) => value === null || value === undefined ? null : undefined, () => {}, "null");
    case "boolean":
      return leaf(
        (value) => typeof value === "boolean" ? value : undefined,
        (to, value) => to.boolean(value),
        "a boolean",
      );
    case "int":
      return number(asInt, wholeOf, (to, value) => to.long(value), "an int, a whole number of 32 bits");
    case "long":
      return number(asLong, wholeOf, (to, value) => to.long(value), "a long, a whole number of 64 bits");
    case "float":
      return number(asFloat, fractionOf, (to, value) => to.float(value), "a float");
    case "double":
      return number(asDouble, fractionOf, (to, value) => to.double(value), "a double");
    case "string":
      return leaf(asText, (to, value) => to.text(value), "text that UTF-8 can say");
    case "enum":
      return enumWriter(type);
    case "bytes":
      return type.decimal === undefined
        ? bytesWriter((to, value) => to.bytes(value), () => true, "bytes or text")
        : decimalWriter(type.decimal, undefined);
    case "fixed":
      return fixedWriter(type);
  }
}

/** A writer from a function that gives the value to be written, or undefined for one that is none. */
function leaf<Value extends boolean | number | bigint | string | Uint8Array | null>(
  read: (value: unknown) => Value | undefined,
  put: (to: ByteWriter, value: Value) => void,
  expected: string,
): DatumWriter {
  return {
    isLike: (value) => read(value) !== undefined,
    mayBe: () => false,
    write(to, value) {
      const found = read(value);
      if (found === undefined) throw mismatch(expected, value);
      put(to, found);
    },
  };
}

/** Numbers may be written as text: other formats have their long ones so. */
function number<Value extends number | bigint>(
  read: (value: unknown) => Value | undefined,
  parse: (text: string) => number | bigint | undefined,
  put: (to: ByteWriter, value: Value) => void,
  expected: string,
): DatumWriter {
  const readText = (value: unknown) => typeof value === "string" ? read(parse(value)) : undefined;
  return {
    isLike: (value) => read(value) !== undefined,
    mayBe: (value) => readText(value) !== undefined,
    write(to, value) {
      const found = read(value) ?? readText(value);
      if (found === undefined) throw mismatch(expected, value);
      put(to, found);
    },
  };
}

function asInt(value: unknown): number | undefined {
  if (typeof value === "bigint") return asInt(Number(value));
  return typeof value === "number" && Number.isInteger(value) && value >= INT_MIN && value <= INT_MAX
    ? value
    : undefined;
}

function asLong(value: unknown): number | bigint | undefined {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return value;
    return Number.isInteger(value) ? asLong(BigInt(value)) : undefined;
  }
  return typeof value === "bigint" && BigInt.asIntN(64, value) === value ? value : undefined;
}

function asDouble(value: unknown): number | undefined {
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : undefined;
}

/** A number beyond what a float can say would become infinite. */
function asFloat(value: unknown): number | undefined {
  const double = asDouble(value);
  return double === undefined || (Number.isFinite(double) && !Number.isFinite(Math.fround(double)))
    ? undefined
    : double;
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.isWellFormed() ? value : undefined;
}

function wholeOf(text: string): bigint | undefined {
  return INTEGER_REGEXP.test(text) ? BigInt(text.replace("+", "")) : undefined;
}

function fractionOf(text: string): number | undefined {
  return FLOAT_REGEXP.test(text) ? Number(text) : undefined;
}

function enumWriter({ name, symbols }: EnumType): DatumWriter {
  const indexes = new Map(symbols.map((symbol, i) => [symbol, i]));
  const read = (value: unknown) => typeof value === "string" ? indexes.get(value) : undefined;
  return leaf(read, (to, index) => to.long(index), `one of ${symbols.join(", ")} (${name})`);
}

/** Bytes, or text for the bytes of its UTF-8. */
function bytesWriter(
  put: (to: ByteWriter, value: Uint8Array) => void,
  fits: (value: Uint8Array) => boolean,
  expected: string,
): DatumWriter {
  const readText = (value: unknown) => {
    const text = asText(value);
    return text === undefined ? undefined : encoder.encode(text);
  };
  const taken = (value: Uint8Array | undefined) => value !== undefined && fits(value) ? value : undefined;
  return {
    isLike: (value) => value instanceof Uint8Array && fits(value),
    mayBe: (value) => taken(readText(value)) !== undefined,
    write(to, value) {
      const found = taken(value instanceof Uint8Array ? value : readText(value));
      if (found === undefined) throw mismatch(expected, value);
      put(to, found);
    },
  };
}

function fixedWriter({ name, size, decimal, uuid }: FixedType): DatumWriter {
  if (decimal !== undefined) return decimalWriter(decimal, size);
  const put = (to: ByteWriter, value: Uint8Array) => to.fixed(value);
  if (uuid === true) {
    const read = (value: unknown) => {
      if (value instanceof Uint8Array) return value.length === size ? value : undefined;
      return typeof value === "string" ? uuidBytes(value) : undefined;
    };
    return leaf(read, put, "a UUID");
  }
  return bytesWriter(put, (value) => value.length === size, `${size} bytes (${name})`);
}

/** Text or a number is the decimal itself; bytes are its unscaled number. */
function decimalWriter(decimal: DecimalRule, size: number | undefined): DatumWriter {
  const read = (value: unknown): Uint8Array | undefined => {
    if (value instanceof Uint8Array) return size === undefined || value.length === size ? value : undefined;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return undefined;
    const unscaled = unscaledOf(String(value), decimal);
    return unscaled === undefined ? undefined : unscaledBytes(unscaled, size);
  };
  const { precision, scale } = decimal;
  const put = (to: ByteWriter, value: Uint8Array) => size === undefined ? to.bytes(value) : to.fixed(value);
  return leaf(read, put, `a decimal of at most ${precision} digits, ${scale} of them behind the point`);
}
