/** Owns defaults of fields: whether one fits its type, and the value it stands for. */

import { type Data, foundText, foundValue } from "../../../base/mod.ts";
import { type AvroType, mappingBranches, typeName } from "./avro_type.ts";

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;
const LATIN1_MAX = 0xff;

/** Why a default does not fit its field; undefined where it does. One of a union may fit any of its branches. */
export function defaultProblem(type: AvroType, value: Data): string | undefined {
  if (type.kind === "union") {
    return type.branches.some((branch) => defaultProblem(branch, value) === undefined)
      ? undefined
      : `fits none of ${type.branches.map(typeName).join(", ")}: found ${foundValue(value)}`;
  }
  const expected = isDefault(type, value);
  return expected === undefined ? undefined : `must be ${expected}, found ${foundValue(value)}`;
}

/** What the default would have to be; undefined where it is that. */
function isDefault(type: Exclude<AvroType, { kind: "union" }>, value: Data): string | undefined {
  const unless = (fits: boolean, expected: string) => fits ? undefined : expected;
  switch (type.kind) {
    case "null":
      return unless(value === null, "null");
    case "boolean":
      return unless(typeof value === "boolean", "true or false");
    case "int":
      return unless(
        isWhole(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX,
        "a whole number of 32 bits",
      );
    case "long":
      return unless(isWhole(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value), "a whole number of 64 bits");
    case "float":
    case "double":
      return unless(typeof value === "number" || typeof value === "bigint" || isSpecial(value), "a number");
    case "string":
      return unless(typeof value === "string", "text");
    case "bytes":
      return unless(typeof value === "string" && isLatin1(value), "text of one character a byte");
    case "fixed": {
      const fits = typeof value === "string" && isLatin1(value) && value.length === type.size;
      return unless(fits, `text of ${type.size} characters, one a byte`);
    }
    case "enum":
      return unless(type.symbols.some((symbol) => symbol === value), `one of ${type.symbols.join(", ")}`);
    case "array": {
      if (!Array.isArray(value)) return "a list";
      return partProblem(value.map((item) => defaultProblem(type.items, item)));
    }
    case "map": {
      if (!isMapping(value)) return "a mapping";
      return partProblem(Object.values(value).map((item) => defaultProblem(type.values, item)));
    }
    case "record": {
      if (!isMapping(value)) return "a mapping";
      return partProblem(type.fields.map((field) => {
        const given = value[field.name] ?? field.default;
        return given === undefined ? `given a value for ${field.name}` : defaultProblem(field.type, given);
      }));
    }
  }
}

function partProblem(problems: readonly (string | undefined)[]): string | undefined {
  const first = problems.find((problem) => problem !== undefined);
  return first === undefined ? undefined : `a value whose parts fit, and one of them ${first}`;
}

function isMapping(value: Data): value is { readonly [key: string]: Data } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value: Data): value is number {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}

/** Whether each character stands for a byte. */
function isLatin1(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > LATIN1_MAX) return false;
  return true;
}

/** What JSON cannot say of numbers, in words. */
function isSpecial(value: Data): boolean {
  return value === "NaN" || value === "Infinity" || value === "-Infinity";
}

/** The payload's value that a default stands for. In a union it stands for the first branch that it fits. */
export function defaultValue(type: AvroType, value: Data): unknown {
  switch (type.kind) {
    case "union": {
      const branch = type.branches.find((one) => defaultProblem(one, value) === undefined);
      if (branch === undefined) throw new TypeError(`the default ${foundText(value)} was not checked`);
      const plain = defaultValue(branch, value);
      const wraps = (branch.kind === "record" || branch.kind === "map") && mappingBranches(type).length > 1;
      return wraps ? { [typeName(branch)]: plain } : plain;
    }
    case "bytes":
    case "fixed":
      return Uint8Array.from(String(value), (character) => character.charCodeAt(0));
    case "float":
    case "double":
      return Number(value);
    case "array":
      return (value as readonly Data[]).map((item) => defaultValue(type.items, item));
    case "map":
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [key, defaultValue(type.values, item)]),
      );
    case "record":
      return Object.fromEntries(type.fields.map((field) => {
        const given = (value as { readonly [key: string]: Data })[field.name] ?? field.default ?? null;
        return [field.name, defaultValue(field.type, given)];
      }));
    default:
      return value;
  }
}
