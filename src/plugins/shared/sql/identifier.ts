/** Owns names of tables and columns as SQL text, quoted so that every character stands for itself. */

import type { SqlDriver } from "./sql_connection.ts";

/** A name as the driver's database wants it quoted. */
export function quoteName(name: string, driver: SqlDriver): string {
  return driver === "mysql" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
}

/** A table's name, `schema.table` or `table`, each part quoted. */
export function quoteTable(table: string, driver: SqlDriver): string {
  return table.split(".").map((part) => quoteName(part, driver)).join(".");
}
