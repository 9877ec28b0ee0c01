/** Owns the codec of one declared table: records to payloads and back. */

import { type Codec, CodecError, type LineFraming } from "../../../plugin/mod.ts";
import { foundInPayload, isMapping } from "../../shared/found_in_payload.ts";
import { segmentTexts, utf8Text } from "../../shared/segment_texts.ts";
import { type CellFormat, cellFormat, type CellType } from "./cell_types.ts";
import { type Dialect, endsInQuotes, readRecord, withoutLineEnd } from "./record_reader.ts";

/** A column: the name of its field in the payload, and its type. */
export interface Column {
  readonly name: string;
  readonly type: CellType;
}

/** What a {@linkcode CsvTable} is made of. */
export interface TableOptions {
  readonly columns: readonly Column[];
  readonly header: boolean;
  readonly dialect: Dialect;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\ufeff";
const encoder = new TextEncoder();

/** Reads and writes one record a message. */
export class CsvTable implements Codec {
  readonly head?: Uint8Array<ArrayBuffer>;
  readonly framing: LineFraming;
  readonly #names: readonly string[];
  readonly #formats: readonly CellFormat[];
  readonly #header: boolean;
  readonly #dialect: Dialect;
  readonly #quotedWhere: RegExp;

  constructor({ columns, header, dialect }: TableOptions) {
    this.#names = columns.map(({ name }) => name);
    this.#formats = columns.map(({ name, type }) => cellFormat(name, type));
    this.#header = header;
    this.#dialect = dialect;
    this.framing = {
      mark: encoder.encode(dialect.quote)[0] ?? 0,
      isOpenAfter: (line, isOpen) => endsInQuotes(line, isOpen, dialect),
    };
    this.#quotedWhere = new RegExp(`[\\r\\n]|${RegExp.escape(dialect.delimiter)}|${RegExp.escape(dialect.quote)}`);
    if (header) this.head = encoder.encode(`${this.#record(this.#names)}\n`);
  }

  decode(bytes: Uint8Array): unknown {
    return this.#decodeText(utf8Text(bytes, "CSV"));
  }

  decodeMany(
    bytes: Uint8Array,
    ends: Uint32Array,
    gap: number,
    payloads: unknown[],
    failed: (index: number, error: CodecError) => void,
  ): void {
    const texts = segmentTexts(bytes, ends, gap);
    let start = 0;
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i] ?? 0;
      try {
        const text = texts?.slice(i) ?? utf8Text(bytes.subarray(start, end), "CSV");
        payloads[i] = this.#decodeText(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
      } catch (caught) {
        if (!(caught instanceof CodecError)) throw caught;
        failed(i, caught);
      }
      start = end + gap;
    }
  }

  encode(payload: unknown): Uint8Array<ArrayBuffer> {
    return encoder.encode(this.encodeText(payload));
  }

  encodeText(payload: unknown): string {
    if (!isMapping(payload)) {
      throw new CodecError(`the payload must be a mapping from column to value, and it is ${foundInPayload(payload)}`);
    }
    const cells = this.#formats.map((format, i) => {
      const name = this.#names[i] ?? "";
      return format.write(Object.hasOwn(payload, name) ? payload[name] : null);
    });
    return this.#record(cells);
  }

  /** A single line without a line end passes as it is; a line end or a header among it is for encoding to settle. */
  passthrough(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
    return bytes.includes(NEWLINE) || bytes.at(-1) === CARRIAGE_RETURN ? undefined : bytes;
  }

  #decodeText(message: string): unknown {
    const text = withoutLineEnd(message);
    const first = readRecord(text, 0, this.#dialect);
    if (!this.#header || !this.#isHeader(first.cells)) {
      if (first.end < text.length) throw severalRecords();
      return this.#payload(first.cells, this.#names);
    }
    if (first.end === text.length) return this.#lonelyHeader(first.cells);
    const second = readRecord(text, first.end, this.#dialect);
    if (second.end < text.length) throw severalRecords();
    return this.#payload(second.cells, first.cells);
  }

  /** Whether these are the names of all columns, in whatever order. */
  #isHeader(cells: readonly string[]): boolean {
    return cells.length === this.#names.length && this.#names.includes(cells[0] ?? "") &&
      this.#names.every((name) => cells.includes(name));
  }

  /** A header line by itself is no message; one in another order tells that the records are not as declared. */
  #lonelyHeader(cells: readonly string[]): undefined {
    if (this.#names.every((name, i) => cells[i] === name)) return undefined;
    throw new CodecError(
      `the header line has the columns in the order ${cells.join(", ")}, and they are declared as ` +
        `${this.#names.join(", ")}; the records that follow it would be read wrongly`,
    );
  }

  #payload(cells: readonly string[], order: readonly string[]): { [name: string]: unknown } {
    if (cells.length !== this.#names.length) throw this.#wrongCount(cells);
    const payload: { [name: string]: unknown } = {};
    for (let i = 0; i < this.#names.length; i++) {
      const name = this.#names[i] ?? "";
      const cell = cells[order === this.#names ? i : order.indexOf(name)] ?? "";
      const value = this.#formats[i]?.read(cell);
      if (name === "__proto__") {
        Object.defineProperty(payload, name, { value, enumerable: true, writable: true, configurable: true });
      } else payload[name] = value;
    }
    return payload;
  }

  #wrongCount(cells: readonly string[]): CodecError {
    const wanted = this.#names.length;
    const counted = cells.length === 1 && cells[0] === ""
      ? "it is empty"
      : `it has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}`;
    const which = cells.length < wanted
      ? `${JSON.stringify(this.#names[cells.length])} is the first column without one`
      : `cell ${wanted + 1} is the first without a column`;
    return new CodecError(`the record must have ${wanted} ${wanted === 1 ? "cell" : "cells"} and ${counted}: ${which}`);
  }

  #record(cells: readonly string[]): string {
    // A record of one empty cell would be an empty line, which is none to many readers.
    if (cells.length === 1 && cells[0] === "") return this.#dialect.quote.repeat(2);
    let line = "";
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] ?? "";
      if (i > 0) line += this.#dialect.delimiter;
      line += this.#quotedWhere.test(cell) ? this.#quoted(cell) : cell;
    }
    return line;
  }

  #quoted(cell: string): string {
    const { quote } = this.#dialect;
    return quote + cell.replaceAll(quote, () => quote + quote) + quote;
  }
}

function severalRecords(): CodecError {
  return new CodecError("it holds several records, and a message is one; let the source cut them into lines");
}
