/** Owns the check that a key to update by is one: unique, by a constraint or an index of exactly its columns. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import type { SqlConnection } from "../../shared/sql/sql_connection.ts";
import { type InsertTarget, sqliteText, unnested } from "./insert_text.ts";
import type { TableColumns } from "./table_columns.ts";

/** Throws where rows of the table are not unique by the target's key. @throws {SqlError} {@linkcode EventboatError} */
export async function refuseKey(
  connection: SqlConnection,
  target: InsertTarget,
  table: TableColumns,
  signal: AbortSignal,
): Promise<void> {
  const { key, driver } = target;
  if (key.length === 0) return;
  const columns = table.all.filter(({ name }) => key.includes(name));
  if (driver === "mysql") return await refuseMysqlKey(connection, target, signal);
  // Both databases judge the key of a statement that they plan and do not let write anything.
  const text = driver === "postgres" ? unnested(target, columns, []) : {
    text: `explain ${sqliteText(target, columns)}`,
    params: columns.map(() => null),
  };
  await connection.query(text, signal);
}

/** MySQL takes any unique index that stands in the way, so that the key has to be asked for. */
async function refuseMysqlKey(connection: SqlConnection, target: InsertTarget, signal: AbortSignal): Promise<void> {
  const [name, schema] = target.table.split(".").reverse();
  const { rows } = await connection.query({
    text: "select index_name, column_name from information_schema.statistics where non_unique = 0 " +
      "and table_schema = coalesce(?, database()) and table_name = ?",
    params: [schema ?? null, name ?? ""],
  }, signal);
  const indexes = new Map<string, Set<string>>();
  for (const [index, column] of rows) {
    const columns = indexes.get(String(index)) ?? new Set();
    indexes.set(String(index), columns.add(String(column).toLowerCase()));
  }
  const wanted = target.key.map((column) => column.toLowerCase());
  const fits = (columns: Set<string>) => columns.size === wanted.length && wanted.every((each) => columns.has(each));
  if ([...indexes.values()].some(fits)) return;
  const names = target.key.join(", ");
  throw new EventboatError("node_failed", `table ${target.table} has no unique index on (${names}) to update by`);
}
