/** Owns the contract of a connection to a database, whichever driver is behind it. */

import type { SqlError } from "./sql_error.ts";

/** The databases there are drivers for. `mysql` is MariaDB too. */
export const SQL_DRIVERS = ["mysql", "postgres", "sqlite"] as const;

/** A driver, as a block names it. */
export type SqlDriver = typeof SQL_DRIVERS[number];

/**
 * A value as a driver gives and takes it, exact: the database's own text where the driver has text, `bigint` or
 * `number` where the database itself stores such (SQLite), bytes for binary columns.
 */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

/** A column of a result: its name, and how its values are told. */
export interface SqlColumn {
  readonly name: string;
  /** The database's name for its type, for messages and to notice that it has changed. */
  readonly type: string;
  /** What sort of type it is, where that matters. */
  readonly family: ColumnFamily;
  /** A value as JSON text, every digit kept. Never called with null. */
  json(value: SqlValue): string;
}

/**
 * `exact`: two values are equal only if their texts are. `number`: equal by value, such as 1.0 and 1.00. `text`: the
 * database may take two texts for equal, by its collation. `unordered`: cannot be continued after a value.
 * `timestamp`, `timestamptz`: exact, and comparable to the server's clock.
 */
export type ColumnFamily = "exact" | "number" | "text" | "timestamp" | "timestamptz" | "unordered";

/** A row: a value for each column. */
export type SqlRow = readonly SqlValue[];

/** Rows with what is known of their columns. */
export interface RowPage {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly SqlRow[];
}

/** A statement with its values, in the order of its placeholders as the driver writes them. */
export interface Statement {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

/** A statement of a transaction that failed by itself while the others were committed. */
export interface StatementFailure {
  /** Which statement, from 0. */
  readonly index: number;
  readonly error: SqlError;
}

/**
 * One connection. Calls do not overlap. Every method throws a `SqlError`; after one of kind `connection` or `canceled`
 * the connection is of no more use than to be closed. An abort cancels what the server does, then ends the connection.
 */
export interface SqlConnection {
  /** Runs a statement and gives all of its rows. For results that are known to be small. */
  query(statement: Statement, signal: AbortSignal): Promise<RowPage>;
  /** Gives the rows of a result in pages of this many, read as they are asked for where the driver can. */
  pages(statement: Statement, pageRows: number, signal: AbortSignal): AsyncIterable<RowPage>;
  /**
   * Runs statements in one transaction. Where a statement can fail alone it is told and the others are committed; else
   * the first failure is thrown and nothing is.
   */
  transact(statements: readonly Statement[], signal: AbortSignal): Promise<readonly StatementFailure[]>;
  /** Ends it; never throws. */
  close(): Promise<void>;
}
