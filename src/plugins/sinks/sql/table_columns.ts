/** Owns what is known of a table: its columns, and how values are written into each. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import { quoteTable } from "../../shared/sql/identifier.ts";
import type { SqlConnection, SqlDriver, SqlRow, Statement } from "../../shared/sql/sql_connection.ts";

/** `json`: any value, as JSON. `bytes`: base64. `array`: lists. `moment`: a date and time without a zone. */
export type ColumnKind = "plain" | "json" | "bytes" | "array" | "moment";

/** A column that can be written. */
export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type as the database writes it, without a length. */
  readonly type: string;
}

/** A table's columns, found as the database finds them. */
export class TableColumns {
  readonly #byName: ReadonlyMap<string, TableColumn>;
  readonly #driver: SqlDriver;
  readonly all: readonly TableColumn[];

  constructor(driver: SqlDriver, columns: readonly TableColumn[]) {
    this.#driver = driver;
    this.all = columns;
    this.#byName = new Map(columns.map((column) => [this.#folded(column.name), column]));
  }

  /** The column of that name; names differ by case in PostgreSQL alone. */
  find(name: string): TableColumn | undefined {
    return this.#byName.get(this.#folded(name));
  }

  #folded(name: string): string {
    return this.#driver === "postgres" ? name : name.toLowerCase();
  }
}

const JSON_TYPES: ReadonlySet<string> = new Set(["json", "jsonb"]);
const MYSQL_BYTES_REGEXP = /blob|binary/;
const MYSQL_MOMENTS: ReadonlySet<string> = new Set(["datetime", "timestamp"]);
const SQLITE_BYTES_REGEXP = /blob/i;

/** Reads what the database says of a table. @throws {SqlError} {@linkcode EventboatError} where there is no such table */
export async function describeTable(
  connection: SqlConnection,
  driver: SqlDriver,
  table: string,
  signal: AbortSignal,
): Promise<TableColumns> {
  const { rows } = await connection.query(DESCRIBE[driver](table), signal);
  if (rows.length === 0) throw new EventboatError("node_failed", `there is no table ${table}, or it has no columns`);
  return new TableColumns(driver, rows.map((row) => COLUMN[driver](row)));
}

const DESCRIBE: { readonly [driver in SqlDriver]: (table: string) => Statement } = {
  postgres: (table) => ({
    text: "select a.attname, format_type(a.atttypid, -1), t.typname, t.typcategory from pg_attribute a " +
      "join pg_type t on t.oid = a.atttypid where a.attrelid = $1::regclass and a.attnum > 0 " +
      "and not a.attisdropped and a.attgenerated = '' order by a.attnum",
    params: [quoteTable(table, "postgres")],
  }),
  mysql: (table) => {
    const [name, schema] = table.split(".").reverse();
    return {
      text: "select column_name, data_type from information_schema.columns " +
        "where table_schema = coalesce(?, database()) and table_name = ? " +
        "and extra not like '%GENERATED%' order by ordinal_position",
      params: [schema ?? null, name ?? ""],
    };
  },
  sqlite: (table) => {
    const [name, schema] = table.split(".").reverse();
    return {
      text: "select name, type from pragma_table_xinfo(?1, ?2) where hidden = 0 order by cid",
      params: [name ?? "", schema ?? "main"],
    };
  },
};

const COLUMN: { readonly [driver in SqlDriver]: (row: SqlRow) => TableColumn } = {
  postgres: ([name, type, typeName, category]) => {
    const kind = JSON_TYPES.has(String(typeName))
      ? "json"
      : typeName === "bytea"
      ? "bytes"
      : category === "A"
      ? "array"
      : "plain";
    return { name: String(name), type: String(type), kind };
  },
  mysql: ([name, given]) => {
    const type = String(given).toLowerCase();
    const kind = type === "json"
      ? "json"
      : MYSQL_BYTES_REGEXP.test(type)
      ? "bytes"
      : MYSQL_MOMENTS.has(type)
      ? "moment"
      : "plain";
    return { name: String(name), type, kind };
  },
  sqlite: ([name, type]) => {
    return { name: String(name), type: String(type), kind: SQLITE_BYTES_REGEXP.test(String(type)) ? "bytes" : "plain" };
  },
};
