/** Owns the reading of an SQLite file page by page, for what SQLite itself refuses to read. */

import type { SQLOutputValue } from "node:sqlite";

/** A record found in a leaf of some tree. `rowid` is 0 in an index. */
export interface PageRecord {
  readonly rowid: number;
  /** Serial types, one a column, as the file format defines them. */
  readonly types: readonly number[];
  /** Values as far as they can be reached: where the chain of pages is broken, the first ones only. */
  readonly values: readonly SQLOutputValue[];
}

/** How every database file begins. */
const FILE_MAGIC = "SQLite format 3\0";
/** Where the header tells the size of a page; 1 stands for 65536. */
const PAGE_BYTES_AT = 16;
/** Kinds of leaf pages, by their first byte. */
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
/** The first page begins with the header of the file. */
const FILE_HEADER_BYTES = 100;
const LEAF_HEADER_BYTES = 8;
/** The largest payload that is believed; anything beyond it is garbage taken for a length. */
const PAYLOAD_BYTES_MAX = 1_000_000_000;
/** Columns of the widest record that is believed. */
const COLUMNS_MAX = 64;

/** The size of a page as the file's header tells it; `undefined` when the file does not begin with a header. */
export function headerPageBytes(path: string): number | undefined {
  using file = Deno.openSync(path, { read: true });
  const header = new Uint8Array(FILE_HEADER_BYTES);
  if (file.readSync(header) !== header.length) return undefined;
  if (new TextDecoder().decode(header.subarray(0, FILE_MAGIC.length)) !== FILE_MAGIC) return undefined;
  const told = new DataView(header.buffer).getUint16(PAGE_BYTES_AT);
  const bytes = told === 1 ? 65_536 : told;
  return bytes >= 512 && Number.isInteger(Math.log2(bytes)) ? bytes : undefined;
}

/**
 * Reads records of a database file that has no log, whatever state its header and its trees are in: every leaf page
 * speaks for itself. Pages that were given up and not yet used again may still hold old records.
 */
export class SqlitePages implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #pageBytes: number;
  readonly #pages: number;

  /** @param pageBytes size of a page, which the file's header need not be able to tell any more */
  constructor(path: string, pageBytes: number) {
    this.#file = Deno.openSync(path, { read: true });
    this.#pageBytes = pageBytes;
    this.#pages = Math.ceil(this.#file.statSync().size / pageBytes);
  }

  /** Every record of every leaf page that can be read, in the order of the pages. One is in memory at a time. */
  *records(): Generator<PageRecord> {
    for (let number = 1; number <= this.#pages; number++) {
      const page = this.#page(number);
      if (page === undefined) continue;
      const base = number === 1 ? FILE_HEADER_BYTES : 0;
      const kind = page[base];
      if (kind !== TABLE_LEAF && kind !== INDEX_LEAF) continue;
      const view = new DataView(page.buffer);
      const cells = view.getUint16(base + 3);
      if (base + LEAF_HEADER_BYTES + cells * 2 > this.#pageBytes) continue;
      for (let i = 0; i < cells; i++) {
        const record = this.#record(page, view.getUint16(base + LEAF_HEADER_BYTES + i * 2), kind === TABLE_LEAF);
        if (record !== undefined) yield record;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  /** The page's bytes; `undefined` where the file ends before it does. */
  #page(number: number): Uint8Array<ArrayBuffer> | undefined {
    const page = new Uint8Array(this.#pageBytes);
    this.#file.seekSync((number - 1) * this.#pageBytes, Deno.SeekMode.Start);
    for (let at = 0; at < page.length;) {
      const read = this.#file.readSync(page.subarray(at));
      if (read === null) return undefined;
      at += read;
    }
    return page;
  }

  #record(page: Uint8Array<ArrayBuffer>, cellAt: number, inTable: boolean): PageRecord | undefined {
    const payloadBytes = readVarint(page, cellAt);
    if (payloadBytes === undefined || payloadBytes.value > PAYLOAD_BYTES_MAX) return undefined;
    const rowid = inTable ? readVarint(page, payloadBytes.end) : { value: 0, end: payloadBytes.end };
    if (rowid === undefined) return undefined;
    const payload = this.#payload(page, rowid.end, payloadBytes.value, inTable);
    return payload === undefined ? undefined : parseRecord(rowid.value, payload, payloadBytes.value);
  }

  /** A cell's payload from its page and the chain of pages it overflows to; only its beginning where that is broken. */
  #payload(
    page: Uint8Array<ArrayBuffer>,
    at: number,
    bytes: number,
    inTable: boolean,
  ): Uint8Array<ArrayBuffer> | undefined {
    const local = localBytes(bytes, this.#pageBytes, inTable);
    if (at + local > page.length) return undefined;
    if (local === bytes) return page.slice(at, at + bytes);
    const beginning = page.slice(at, at + local);
    if (bytes > this.#pages * this.#pageBytes || at + local + 4 > page.length) return beginning;
    const payload = new Uint8Array(bytes);
    payload.set(beginning);
    let next = new DataView(page.buffer).getUint32(at + local);
    for (let filled = local; filled < bytes;) {
      const overflow = next >= 1 && next <= this.#pages ? this.#page(next) : undefined;
      if (overflow === undefined) return beginning;
      next = new DataView(overflow.buffer).getUint32(0);
      const part = overflow.subarray(4, 4 + Math.min(this.#pageBytes - 4, bytes - filled));
      payload.set(part, filled);
      filled += part.length;
    }
    return payload;
  }
}

/** How much of a payload lies in its own page, as the file format says. */
function localBytes(bytes: number, pageBytes: number, inTable: boolean): number {
  const max = inTable ? pageBytes - 35 : Math.floor((pageBytes - 12) * 64 / 255) - 23;
  if (bytes <= max) return bytes;
  const min = Math.floor((pageBytes - 12) * 32 / 255) - 23;
  const fitting = min + (bytes - min) % (pageBytes - 4);
  return fitting <= max ? fitting : min;
}

/** A number of one to nine bytes. Numbers beyond 2^53 come out inexact, and are garbage wherever they are met here. */
function readVarint(bytes: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 9; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    if (i === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return undefined;
}

function parseRecord(rowid: number, payload: Uint8Array<ArrayBuffer>, bytesWhole: number): PageRecord | undefined {
  const header = readVarint(payload, 0);
  if (header === undefined || header.value > payload.length) return undefined;
  const types: number[] = [];
  for (let at = header.end; at < header.value;) {
    const type = readVarint(payload, at);
    if (type === undefined || types.length >= COLUMNS_MAX) return undefined;
    types.push(type.value);
    at = type.end;
  }
  const values: SQLOutputValue[] = [];
  let at = header.value;
  for (const type of types) {
    const bytes = valueBytes(type);
    if (at + bytes <= payload.length) values.push(readValue(payload, at, type, bytes));
    at += bytes;
  }
  // A record whose columns do not add up to its length is something else that looks like one.
  return at === bytesWhole ? { rowid, types, values } : undefined;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;
const FLOAT_TYPE = 7;

function valueBytes(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return type === FLOAT_TYPE ? 8 : INTEGER_BYTES[type] ?? 0;
}

function readValue(payload: Uint8Array<ArrayBuffer>, at: number, type: number, bytes: number): SQLOutputValue {
  if (type === 8 || type === 9) return type - 8;
  if (type >= 12) {
    const part = payload.slice(at, at + bytes);
    return type % 2 === 0 ? part : new TextDecoder().decode(part);
  }
  if (type === 0 || bytes === 0) return null;
  const view = new DataView(payload.buffer, payload.byteOffset + at, bytes);
  if (type === FLOAT_TYPE) return view.getFloat64(0);
  let value = view.getInt8(0);
  for (let i = 1; i < bytes; i++) value = value * 256 + view.getUint8(i);
  return value;
}
