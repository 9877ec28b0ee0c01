/** Owns rows as messages: JSON objects, packed into emissions. */

import { type Emission, SEGMENT_MESSAGES_MAX } from "../../../message/mod.ts";
import type { RowPage, SqlColumn, SqlRow } from "../../shared/sql/sql_connection.ts";
import { valueText } from "./key_tuple.ts";

/** Bytes of an emission, about; a row may be larger. */
const EMISSION_UNITS_MAX = 1024 * 1024;
/** A unit of UTF-16 takes at most so many bytes of UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

const encoder = new TextEncoder();

/** What rows become. */
export interface EmissionOptions {
  readonly emit: "row" | "page";
  /** Most messages of one emission. */
  readonly messagesMax: number;
  /** Place of the cursor's column in a row; undefined where there is none. */
  readonly cursorIndex: number | undefined;
}

/** Rows as an emission whose numbers are still to be given. */
export interface RowEmission extends Omit<Emission, "firstSrcSeq"> {
  /** Rows of the page that have been sent with this one and those before it. */
  readonly rowsThrough: number;
}

/** Turns a page into emissions, in order. */
export function* rowEmissions(page: RowPage, options: EmissionOptions): Generator<RowEmission> {
  if (page.rows.length === 0) return;
  const writer = new RowWriter(page.columns);
  if (options.emit === "page") {
    const bytes = encoder.encode(`[${page.rows.map((row) => writer.json(row)).join(",")}]`);
    const cursors = cursorsOf(page.rows.slice(-1), options.cursorIndex);
    yield { bytes, ends: Uint32Array.of(bytes.length), gap: 0, ...cursors, rowsThrough: page.rows.length };
    return;
  }
  const messagesMax = Math.max(1, Math.min(SEGMENT_MESSAGES_MAX, options.messagesMax));
  for (let from = 0; from < page.rows.length;) {
    const texts: string[] = [];
    let units = 0;
    for (let i = from; i < page.rows.length && texts.length < messagesMax && units < EMISSION_UNITS_MAX; i++) {
      const text = writer.json(page.rows[i] ?? []);
      texts.push(text);
      units += text.length;
    }
    const rows = page.rows.slice(from, from + texts.length);
    from += texts.length;
    yield { ...packed(texts, units), gap: 0, ...cursorsOf(rows, options.cursorIndex), rowsThrough: from };
  }
}

/** `meta.sql_cursor` of each message. */
function cursorsOf(rows: readonly SqlRow[], index: number | undefined): Pick<Emission, "columns"> {
  if (index === undefined) return {};
  return { columns: { sql_cursor: rows.map((row) => valueText(row[index] ?? null)) } };
}

function packed(texts: readonly string[], units: number): Pick<Emission, "bytes" | "ends"> {
  const ends = new Uint32Array(texts.length);
  const joined = texts.join("");
  const together = encoder.encode(joined);
  if (together.length === units) {
    let end = 0;
    for (const [i, text] of texts.entries()) ends[i] = end += text.length;
    return { bytes: together, ends };
  }
  // Not ASCII alone: only the encoder knows where each ends.
  const bytes = new Uint8Array(Math.min(units * BYTES_PER_UNIT_MAX, together.length));
  let end = 0;
  for (const [i, text] of texts.entries()) ends[i] = end += encoder.encodeInto(text, bytes.subarray(end)).written;
  return { bytes, ends };
}

/** Writes rows as JSON objects. */
class RowWriter {
  readonly #columns: readonly SqlColumn[];
  readonly #names: readonly string[];

  constructor(columns: readonly SqlColumn[]) {
    this.#columns = columns;
    this.#names = columns.map(({ name }, i) => `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  }

  json(row: SqlRow): string {
    const columns = this.#columns;
    let text = "";
    for (let i = 0; i < columns.length; i++) {
      const value = row[i] ?? null;
      text += this.#names[i];
      text += value === null ? "null" : columns[i]?.json(value);
    }
    return columns.length === 0 ? "{}" : `${text}}`;
  }
}
