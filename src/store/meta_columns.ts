/** Owns how the metadata columns of a segment become one blob and back: numbers as they lie in memory, the rest as JSON. */

import type { MetaColumn, MetaColumns, MetaValue } from "../message/mod.ts";
import { parseMeta, printMeta } from "./meta_text.ts";

/** Every machine this runs on is little-endian, so a store moves between them as it is. */
const NUMBER_ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
} as const;
type NumberKind = keyof typeof NUMBER_ARRAYS;

/** `text`: a JSON array. `sparse`: a JSON pair of positions and values. */
type ColumnKind = NumberKind | "text" | "sparse";

/** One column in the blob's table of contents. Positions count from the end of the table, in bytes. */
interface ColumnEntry {
  readonly key: string;
  readonly kind: ColumnKind;
  readonly at: number;
  readonly bytes: number;
}

/** Columns begin at multiples of this, so that numbers can be read in place. */
const ALIGN_BYTES = 8;
const LENGTH_BYTES = 4;

/** Makes one blob of the columns; `undefined` when there are none. */
export function encodeColumns(columns: MetaColumns, count: number): Uint8Array<ArrayBuffer> | undefined {
  const entries: ColumnEntry[] = [];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const key in columns) {
    const column = columns[key];
    if (column === undefined) continue;
    const { kind, bytes } = encodeColumn(column, count);
    entries.push({ key, kind, at, bytes: bytes.length });
    parts.push(bytes);
    at += aligned(bytes.length);
  }
  if (entries.length === 0) return undefined;
  const table = new TextEncoder().encode(JSON.stringify(entries));
  const base = aligned(LENGTH_BYTES + table.length);
  const blob = new Uint8Array(base + at);
  new DataView(blob.buffer).setUint32(0, table.length, true);
  blob.set(table, LENGTH_BYTES);
  for (const [i, part] of parts.entries()) blob.set(part, base + (entries[i]?.at ?? 0));
  return blob;
}

/**
 * Reads what {@linkcode encodeColumns} made. Columns of numbers come back as typed arrays over a copy, others as plain
 * arrays. Throws a SyntaxError or RangeError when the blob is damaged.
 */
export function decodeColumns(blob: Uint8Array, count: number): MetaColumns {
  // One aligned copy: numbers are then read in place, whatever the blob was cut out of.
  const own = new Uint8Array(blob);
  const tableBytes = new DataView(own.buffer).getUint32(0, true);
  const table = new TextDecoder().decode(own.subarray(LENGTH_BYTES, LENGTH_BYTES + tableBytes));
  const base = aligned(LENGTH_BYTES + tableBytes);
  const columns: Record<string, MetaColumn> = Object.create(null);
  for (const entry of JSON.parse(table) as readonly ColumnEntry[]) {
    columns[entry.key] = decodeColumn(entry.kind, own, base + entry.at, entry.bytes, count);
  }
  return columns;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;
}

function encodeColumn(column: MetaColumn, count: number): { kind: ColumnKind; bytes: Uint8Array } {
  if (ArrayBuffer.isView(column)) {
    const kind = numberKind(column);
    if (kind !== undefined) {
      const size = NUMBER_ARRAYS[kind].BYTES_PER_ELEMENT * Math.min(count, column.length);
      return { kind, bytes: new Uint8Array(column.buffer, column.byteOffset, size) };
    }
  }
  const numbers = packNumbers(column, count);
  if (numbers !== undefined) return { kind: "f64", bytes: new Uint8Array(numbers.buffer) };
  const positions: number[] = [];
  const values: MetaValue[] = [];
  for (let i = 0; i < count; i++) {
    const value = column[i];
    if (value === undefined) continue;
    positions.push(i);
    values.push(value);
  }
  const whole = values.length === count;
  const text = printMeta(whole ? values : [positions, values]);
  return { kind: whole ? "text" : "sparse", bytes: new TextEncoder().encode(text) };
}

function numberKind(view: ArrayBufferView): NumberKind | undefined {
  for (const kind in NUMBER_ARRAYS) {
    if (view instanceof NUMBER_ARRAYS[kind as NumberKind]) return kind as NumberKind;
  }
  return undefined;
}

/** The column as doubles; `undefined` at the first element that is no number. */
function packNumbers(column: MetaColumn, count: number): Float64Array<ArrayBuffer> | undefined {
  if (typeof column[0] !== "number") return undefined;
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const value = column[i];
    if (typeof value !== "number") return undefined;
    numbers[i] = value;
  }
  return numbers;
}

function decodeColumn(kind: ColumnKind, own: Uint8Array<ArrayBuffer>, at: number, bytes: number, count: number) {
  if (kind !== "text" && kind !== "sparse") {
    const array = NUMBER_ARRAYS[kind];
    if (array === undefined) throw new SyntaxError(`a metadata column is of the unknown kind "${kind}"`);
    return new array(own.buffer, at, bytes / array.BYTES_PER_ELEMENT) as MetaColumn;
  }
  const value = parseMeta(new TextDecoder().decode(own.subarray(at, at + bytes)));
  if (!Array.isArray(value)) throw new SyntaxError("a metadata column is no array");
  if (kind === "text") return value as MetaColumn;
  const [positions, values] = value as [number[], MetaValue[]];
  const column: (MetaValue | undefined)[] = new Array(count).fill(undefined);
  for (const [i, position] of positions.entries()) column[position] = values[i];
  return column;
}
