/** Owns the choice of the driver for an address. */

import type { Dsn } from "./dsn.ts";
import { connectMysql } from "./mysql_connection.ts";
import { connectPostgres } from "./postgres_connection.ts";
import type { SqlConnection } from "./sql_connection.ts";
import { connectSqlite } from "./sqlite_connection.ts";

/** Connects to a database. @throws {SqlError} */
export async function connect(dsn: Dsn, signal: AbortSignal): Promise<SqlConnection> {
  if (dsn.driver === "sqlite") return connectSqlite(dsn, signal);
  return await (dsn.driver === "postgres" ? connectPostgres(dsn, signal) : connectMysql(dsn, signal));
}
