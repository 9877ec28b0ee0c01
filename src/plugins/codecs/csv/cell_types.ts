/** Owns the types of cells: text to value and back. */

import { foundValue } from "../../../base/mod.ts";
import { CodecError } from "../../../plugin/mod.ts";
import { foundInPayload } from "../../shared/found_in_payload.ts";

/** The types a column may have. */
export const CELL_TYPES = ["string", "int", "float", "bool"] as const;

/** A type of a column. */
export type CellType = typeof CELL_TYPES[number];

/** Reads and writes the cells of one column. */
export interface CellFormat {
  /** @throws {CodecError} that names the column and what was found */
  read(cell: string): unknown;
  /** The cell's text, not quoted. @throws {CodecError} that names the column and what was found */
  write(value: unknown): string;
}

const INTEGER_REGEXP = /^[+-]?\d+$/;
const FLOAT_REGEXP = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Digits of a whole number that a double holds, whichever they are. */
const SAFE_DIGITS = 15;
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["0", false],
]);

/** The format of a column. An empty cell that is no text is null. */
export function cellFormat(name: string, type: CellType): CellFormat {
  const wrong = (found: unknown) => {
    const shown = typeof found === "string" ? foundValue(found) : foundInPayload(found);
    return new CodecError(`column ${JSON.stringify(name)} must be ${EXPECTED[type]}, found ${shown}`);
  };
  if (type === "string") {
    return { read: (cell) => cell, write: (value) => scalarText(value) ?? fail(wrong(value)) };
  }
  const parse = PARSERS[type];
  const print = PRINTERS[type];
  return {
    read(cell) {
      if (cell === "") return null;
      const value = parse(cell.trim());
      if (value === undefined) throw wrong(cell);
      return value;
    },
    write(value) {
      if (value === null || value === undefined || value === "") return "";
      // Text goes where a cell with that text would: other formats have their long integers as text.
      const typed = typeof value === "string" ? parse(value.trim()) : value;
      const text = print(typed);
      if (text === undefined) throw wrong(value);
      return text;
    },
  };
}

const EXPECTED: Readonly<Record<CellType, string>> = {
  string: "text",
  int: "an int",
  float: "a float",
  bool: "a bool (true or false)",
};

type TypedCell = Exclude<CellType, "string">;

const PARSERS: Readonly<Record<TypedCell, (text: string) => unknown>> = {
  int: parseInteger,
  float(text) {
    const value = FLOAT_REGEXP.test(text) ? Number(text) : NaN;
    return Number.isFinite(value) ? value : undefined;
  },
  bool: (text) => TRUTHS.get(text) ?? TRUTHS.get(text.toLowerCase()),
};

const PRINTERS: Readonly<Record<TypedCell, (value: unknown) => string | undefined>> = {
  int(value) {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "number" || !Number.isInteger(value)) return undefined;
    // From 1e21 on a number prints with an exponent.
    return Number.isSafeInteger(value) ? String(value) : String(BigInt(value));
  },
  float(value) {
    return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value))
      ? String(value)
      : undefined;
  },
  bool: (value) => typeof value === "boolean" ? String(value) : undefined,
};

function parseInteger(text: string): number | bigint | undefined {
  if (!INTEGER_REGEXP.test(text)) return undefined;
  if (text.length <= SAFE_DIGITS) return zeroed(Number(text));
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** A whole number has one zero. */
function zeroed(value: number): number {
  return value === 0 ? 0 : value;
}

/** What a column of text holds for a value that is no list and no mapping; undefined for one that is. */
function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : undefined;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "undefined":
      return "";
    default:
      return value === null ? "" : undefined;
  }
}

function fail(error: CodecError): never {
  throw error;
}
