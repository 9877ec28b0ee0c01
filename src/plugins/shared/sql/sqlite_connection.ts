/** Owns connections to SQLite files, by `node:sqlite`: integers as bigint, so that every digit is kept. */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import { reasonOf } from "../../../diagnostics/mod.ts";
import type { SqliteDsn } from "./dsn.ts";
import { jsonBytes, jsonNumber, jsonText } from "./json_value.ts";
import type {
  RowPage,
  SqlColumn,
  SqlConnection,
  SqlRow,
  SqlValue,
  Statement,
  StatementFailure,
} from "./sql_connection.ts";
import { canceledError, SqlError } from "./sql_error.ts";
import { sqliteError } from "./sqlite_error.ts";

/** How long a statement waits, blocking, for another process's lock; longer waits are attempts of their own. */
const BUSY_TIMEOUT_MS = 100;
/** Statements kept prepared. */
const PREPARED_MAX = 64;

/** Opens the file, which must be there. @throws {SqlError} */
export function connectSqlite(dsn: SqliteDsn, signal: AbortSignal): SqlConnection {
  if (signal.aborted) throw canceledError();
  try {
    // Opening would make an empty database of a path that was mistyped.
    if (!Deno.statSync(dsn.path).isFile) throw new SqlError("final", `${dsn.path} is no file`);
  } catch (caught) {
    if (caught instanceof SqlError) throw caught;
    const kind = caught instanceof Deno.errors.NotFound ? "connection" : "final";
    throw new SqlError(kind, `cannot open ${dsn.path}: ${reasonOf(caught)}`, { cause: caught });
  }
  try {
    return new SqliteConnection(
      new DatabaseSync(dsn.path, { readOnly: dsn.readOnly, timeout: BUSY_TIMEOUT_MS, allowExtension: false }),
    );
  } catch (caught) {
    throw sqliteError(caught);
  }
}

/** What the platform has and its types do not know yet. */
interface ArraysGiver {
  /** Rows as arrays, so that two columns may have one name. */
  setReturnArrays(on: boolean): void;
}

class SqliteConnection implements SqlConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  // deno-lint-ignore require-await -- what the database throws has to reject
  async query(statement: Statement, signal: AbortSignal): Promise<RowPage> {
    if (signal.aborted) throw canceledError();
    try {
      return this.#read(statement);
    } catch (caught) {
      throw sqliteError(caught);
    }
  }

  async *pages(statement: Statement, pageRows: number, signal: AbortSignal): AsyncGenerator<RowPage> {
    const prepared = this.#prepare(statement.text);
    const columns = columnsOf(prepared);
    let rows: SqlRow[] = [];
    try {
      for (const row of prepared.iterate(...bound(statement.params))) {
        if (signal.aborted) throw canceledError();
        rows.push(rowOf(row));
        if (rows.length < pageRows) continue;
        yield { columns, rows };
        rows = [];
      }
    } catch (caught) {
      throw sqliteError(caught);
    }
    yield { columns, rows };
  }

  // deno-lint-ignore require-await -- what the database throws has to reject
  async transact(statements: readonly Statement[], signal: AbortSignal): Promise<readonly StatementFailure[]> {
    if (signal.aborted) throw canceledError();
    const failures: StatementFailure[] = [];
    try {
      this.#database.exec("begin immediate");
      try {
        for (const [index, { text, params }] of statements.entries()) {
          try {
            this.#prepare(text).run(...bound(params));
          } catch (caught) {
            const error = sqliteError(caught);
            // Some errors end the transaction; only what undoes the one statement leaves the others standing.
            if (error.kind !== "final" || !this.#database.isTransaction) throw error;
            failures.push({ index, error });
          }
        }
        this.#database.exec("commit");
      } catch (caught) {
        if (this.#database.isTransaction) this.#database.exec("rollback");
        throw caught;
      }
    } catch (caught) {
      throw sqliteError(caught);
    }
    return failures;
  }

  close(): Promise<void> {
    this.#prepared.clear();
    this.#database.close();
    return Promise.resolve();
  }

  #read({ text, params }: Statement): RowPage {
    const prepared = this.#prepare(text);
    const rows = prepared.all(...bound(params)).map(rowOf);
    return { columns: columnsOf(prepared), rows };
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    if (this.#prepared.size >= PREPARED_MAX) this.#prepared.clear();
    let statement: StatementSync & ArraysGiver;
    try {
      statement = this.#database.prepare(text) as StatementSync & ArraysGiver;
    } catch (caught) {
      throw sqliteError(caught);
    }
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    this.#prepared.set(text, statement);
    return statement;
  }
}

/** Arrays were asked for; the platform's types know only objects. */
function rowOf(row: unknown): SqlRow {
  return row as SqlRow;
}

/** Whole numbers as bigint: a number would be stored as floating. */
function bound(params: readonly SqlValue[]): (string | number | bigint | Uint8Array | null)[] {
  return params.map((value) => {
    if (typeof value === "boolean") return value ? 1n : 0n;
    return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  });
}

function columnsOf(statement: StatementSync): readonly SqlColumn[] {
  return statement.columns().map(({ name, type }) => ({
    name,
    type: type ?? "",
    // Any column may hold any type, and numbers are equal by value.
    family: "text",
    json,
  }));
}

function json(value: SqlValue): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return jsonNumber(realText(value));
  return value instanceof Uint8Array ? jsonBytes(value) : jsonText(String(value));
}

function realText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
