/** Owns the recognition of a store's rows among records that were found on pages. */

import { SEGMENT_MESSAGES_MAX } from "../message/mod.ts";
import { type MetaKey, PAGE_BYTES } from "./sqlite_schema.ts";
import { type PageRecord, SqlitePages } from "./sqlite_pages.ts";
import { LETTER_COLUMNS, letterOfRow } from "./sqlite_letters.ts";
import { type Row, rowFault, SEGMENT_COLUMNS, segmentOfRow } from "./sqlite_segments.ts";
import type { StoredLetterRow } from "./stored_letter.ts";
import { metaFault } from "./segment_walk.ts";
import type { StoredSegment } from "./stored_segment.ts";

/** A row of a store that was found on a page. */
export type FoundRow =
  | { readonly kind: "segment"; readonly segment: StoredSegment }
  /** One whose pages are not all there, or not what they were. */
  | { readonly kind: "damaged"; readonly first: number; readonly count: number; readonly fault: string }
  | { readonly kind: "letter"; readonly letter: StoredLetterRow }
  | { readonly kind: "state"; readonly source: string; readonly state: Uint8Array }
  | { readonly kind: "mark"; readonly key: MetaKey; readonly value: number };

const SEGMENT_NAMES = SEGMENT_COLUMNS.split(", ");
const LETTER_NAMES = ["id", ...LETTER_COLUMNS];
const MARK_KEYS: readonly string[] = ["schema_version", "checkpoint", "last_void"] satisfies readonly MetaKey[];

/** A column's kind by its letter: number, text, blob; a question mark lets it be null. The first column is the rowid. */
const SEGMENT_SHAPE = "n n t t t? b n t b? b b".split(" ");
const LETTER_SHAPE = "n t t t t n t t t? t? n t t t b? b".split(" ");

/** Finds a store's rows on the pages of its file. A row may be found twice, in an old and in a newer form. */
export function* findRows(path: string, pageBytes: number = PAGE_BYTES): Generator<FoundRow> {
  using pages = new SqlitePages(path, pageBytes);
  for (const record of pages.records()) {
    const found = recognise(record);
    if (found !== undefined) yield found;
  }
}

function recognise(record: PageRecord): FoundRow | undefined {
  const { rowid, types, values } = record;
  if (rowid > 0 && fits(types, SEGMENT_SHAPE)) return segmentOf(record);
  if (rowid > 0 && fits(types, LETTER_SHAPE) && values.length === types.length) {
    return { kind: "letter", letter: letterOfRow(rowOf(record, LETTER_NAMES)) };
  }
  const [key, value] = values;
  if (rowid !== 0 || values.length !== 2 || typeof key !== "string") return undefined;
  if (value instanceof Uint8Array) return { kind: "state", source: key, state: value };
  // An index of dead letters has rows of a name and a number too; a node of such a name is worth the doubt, as the
  // lowest checkpoint found is taken.
  if (typeof value === "number" && MARK_KEYS.includes(key)) return { kind: "mark", key: key as MetaKey, value };
  return undefined;
}

function segmentOf(record: PageRecord): FoundRow | undefined {
  const { rowid, types, values } = record;
  const count = typeof values[1] === "number" ? values[1] : 0;
  if (count < 1 || count > SEGMENT_MESSAGES_MAX) return undefined;
  const row = rowOf(record, SEGMENT_NAMES);
  const segment = segmentOfRow(row);
  const fault = values.length < types.length
    ? "the pages that hold it are not all there"
    : rowFault(row, segment) ?? metaFault(segment);
  return fault === undefined ? { kind: "segment", segment } : { kind: "damaged", first: rowid, count, fault };
}

function rowOf({ rowid, values }: PageRecord, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name, i) => [name, i === 0 ? rowid : values[i] ?? null]));
}

function fits(types: readonly number[], shape: readonly string[]): boolean {
  if (types.length !== shape.length + 1 || types[0] !== 0) return false;
  return shape.every((kind, i) => {
    const type = types[i + 1] ?? 0;
    if (type === 0) return kind.endsWith("?");
    if (type < 12) return kind.startsWith("n");
    return kind.startsWith(type % 2 === 0 ? "b" : "t");
  });
}
