/** Owns the statements that write rows: many at once where the database can, each row alone in SQLite. */

import { quoteName, quoteTable } from "../../shared/sql/identifier.ts";
import { arrayText } from "../../shared/sql/postgres_array.ts";
import type { SqlDriver, SqlRow, SqlValue, Statement } from "../../shared/sql/sql_connection.ts";
import type { TableColumn } from "./table_columns.ts";

/** Bytes of one statement of MySQL, about: servers refuse packets beyond a limit of theirs, 16 MiB or more. */
const STATEMENT_UNITS_MAX = 1024 * 1024;

/** Where rows go. */
export interface InsertTarget {
  readonly driver: SqlDriver;
  readonly table: string;
  /** Columns of the key to update by; empty to insert. */
  readonly key: readonly string[];
}

/** A statement, and how many of the rows it writes. */
export interface RowsStatement {
  readonly statement: Statement;
  readonly rows: number;
}

/** Statements that write rows of the same columns, in order. */
export function insertRows(
  target: InsertTarget,
  columns: readonly TableColumn[],
  rows: readonly SqlRow[],
): readonly RowsStatement[] {
  if (target.driver === "postgres") return [{ statement: unnested(target, columns, rows), rows: rows.length }];
  if (target.driver === "mysql") return valued(target, columns, rows);
  const text = sqliteText(target, columns);
  return rows.map((row) => ({ statement: { text, params: row }, rows: 1 }));
}

/** One statement whatever the number of rows: an array a column. Without rows it still tells whether it can be run. */
export function unnested(target: InsertTarget, columns: readonly TableColumn[], rows: readonly SqlRow[]): Statement {
  const places = columns.map((_, i) => `$${i + 1}::text[]`).join(", ");
  const names = columns.map((_, i) => `c${i}`).join(", ");
  const casts = columns.map(({ type }, i) => `v.c${i}::${type}`).join(", ");
  const params = columns.map((_, i) => arrayText(rows.map((row) => textOf(row[i] ?? null))));
  return {
    text: `${into(target, columns)} select ${casts} from unnest(${places}) as v(${names})${excluded(target, columns)}`,
    params,
  };
}

function valued(target: InsertTarget, columns: readonly TableColumn[], rows: readonly SqlRow[]): RowsStatement[] {
  const place = `(${columns.map(() => "?").join(", ")})`;
  const statements: RowsStatement[] = [];
  for (let from = 0; from < rows.length;) {
    const params: SqlValue[] = [];
    let [units, to] = [0, from];
    for (; to < rows.length && units < STATEMENT_UNITS_MAX; to++) {
      for (const value of rows[to] ?? []) units += unitsOf(value);
      params.push(...rows[to] ?? []);
    }
    const places = Array.from({ length: to - from }, () => place).join(", ");
    const text = `${into(target, columns)} values ${places}${duplicates(target, columns)}`;
    statements.push({ statement: { text, params }, rows: to - from });
    from = to;
  }
  return statements;
}

/** The text that writes one row of SQLite. */
export function sqliteText(target: InsertTarget, columns: readonly TableColumn[]): string {
  const places = columns.map((_, i) => `?${i + 1}`).join(", ");
  return `${into(target, columns)} values (${places})${excluded(target, columns)}`;
}

function into({ table, driver }: InsertTarget, columns: readonly TableColumn[]): string {
  return `insert into ${quoteTable(table, driver)} (${columns.map(({ name }) => quoteName(name, driver)).join(", ")})`;
}

function excluded({ key, driver }: InsertTarget, columns: readonly TableColumn[]): string {
  if (key.length === 0) return "";
  const quoted = (name: string) => quoteName(name, driver);
  const others = columns.filter(({ name }) => !key.includes(name)).map(({ name }) => quoted(name));
  const action = others.length === 0
    ? "do nothing"
    : `do update set ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  return ` on conflict (${key.map(quoted).join(", ")}) ${action}`;
}

function duplicates({ key }: InsertTarget, columns: readonly TableColumn[]): string {
  if (key.length === 0) return "";
  const others = columns.filter(({ name }) => !key.includes(name));
  // An update of the key by itself changes nothing, where there is nothing else to change.
  const names = (others.length === 0 ? columns : others).map(({ name }) => quoteName(name, "mysql"));
  return ` on duplicate key update ${names.map((name) => `${name} = values(${name})`).join(", ")}`;
}

function textOf(value: SqlValue): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? `\\x${value.toHex()}` : String(value);
}

function unitsOf(value: SqlValue): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
}
