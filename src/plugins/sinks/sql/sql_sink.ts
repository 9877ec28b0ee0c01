/** Owns the built-in sink `sql`: messages as rows of a table, or as runs of a statement. */

import { OneAtATime } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import {
  type PartialFailure,
  PartialWriteError,
  type PluginContext,
  type Sink,
  type SinkBatch,
  SinkError,
  type SinkPlugin,
} from "../../../plugin/mod.ts";
import { connect } from "../../shared/sql/connect.ts";
import { type Dsn, shownDsn } from "../../shared/sql/dsn.ts";
import { DsnError } from "../../shared/sql/dsn_error.ts";
import { needsOfDsn, readDsn } from "../../shared/sql/fields.ts";
import type { SqlConnection } from "../../shared/sql/sql_connection.ts";
import { SqlError } from "../../shared/sql/sql_error.ts";
import { type BatchStatements, BoundStatement, tableStatements, UnknownColumn } from "./batch_statements.ts";
import type { InsertTarget } from "./insert_text.ts";
import { bindingReads, checkSink, sinkKey, type SqlSinkConfig, sqlSinkDefinition } from "./sql_sink_config.ts";
import { describeTable, type TableColumns } from "./table_columns.ts";
import { refuseKey } from "./upsert_key.ts";

/** Most messages an adaptive batch holds: one transaction for all of them. */
const BATCH_MESSAGES_MAX = 500;
/** A table is looked at again for a column that it did not have, but no sooner than after so many milliseconds. */
const DESCRIBE_AGAIN_MS = 10_000;

/** Writes messages into a database, a transaction a batch. */
export const sqlSink: SinkPlugin<typeof sqlSinkDefinition.schema> = {
  kind: "sink",
  name: "sql",
  version: 1,
  summary: "Writes messages to PostgreSQL, MySQL, MariaDB or SQLite: as rows of a table, or by a statement each.",
  capabilities: [],
  definition: sqlSinkDefinition,
  check: checkSink,
  constantsRead: (config) => bindingReads(config, "constants"),
  parametersRead: (config) => bindingReads(config, "parameters"),
  needs: needsOfDsn,
  maxBatch: () => BATCH_MESSAGES_MAX,
  create: (config, context) => new SqlSink(config, context),
};

/** A table as it was last looked at. */
interface Described {
  readonly columns: TableColumns;
  readonly target: InsertTarget;
  readonly atMs: number;
}

class SqlSink implements Sink {
  readonly #config: SqlSinkConfig;
  readonly #context: PluginContext;
  readonly #dsn: Dsn;
  readonly #statement: BoundStatement | undefined;
  #connection: SqlConnection | undefined;
  #described: Described | undefined;
  /** A write that timed out may still be on its way when the next is asked for. */
  readonly #turns = new OneAtATime();

  constructor(config: SqlSinkConfig, context: PluginContext) {
    const dsn = readDsn(config, context);
    if (dsn instanceof DsnError) {
      throw new EventboatError("config_invalid", `dsn ${dsn.message}`, { node: context.node });
    }
    this.#config = config;
    this.#context = context;
    this.#dsn = dsn;
    if (config.statement !== undefined) this.#statement = new BoundStatement(config, config.statement, context);
  }

  /** A table that is not there, or a login that is refused, is told at once; a server that is down may come up. */
  async open(): Promise<void> {
    const { signal } = new AbortController();
    try {
      await this.#ready(signal);
    } catch (caught) {
      if (!(caught instanceof SqlError) || caught.kind === "final" || this.#isMissing(caught)) {
        throw this.#failure(caught);
      }
      await this.#drop();
      this.#context.log.log("warn", "the database does not answer; writes will try again", {
        database: shownDsn(this.#dsn),
        error: caught.message,
      });
    }
  }

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    await this.#turns.run(signal, async () => {
      const connection = await this.#attempt(signal, () => this.#ready(signal), "connect");
      const parts = await this.#attempt(signal, () => this.#statementsOf(batch, connection, signal), "write");
      const { statements, messages } = parts;
      const failures: PartialFailure[] = [...parts.failures];
      if (statements.length > 0) {
        const failed = await this.#attempt(signal, () => connection.transact(statements, signal), "write");
        for (const { index, error } of failed) {
          const told = this.#sinkError(error, false);
          for (const message of messages[index] ?? []) failures.push({ index: message, error: told });
        }
      }
      if (failures.length === 0) return;
      const first = failures[0]?.error.message ?? "";
      throw new PartialWriteError(`${failures.length} of ${batch.size} messages were not written: ${first}`, failures);
    });
  }

  async close(): Promise<void> {
    await this.#turns.run(undefined, () => this.#drop());
  }

  /** A connection, and a table that has been looked at. */
  async #ready(signal: AbortSignal): Promise<SqlConnection> {
    const connection = this.#connection ??= await connect(this.#dsn, signal);
    const { table } = this.#config;
    if (table !== undefined) this.#described ??= await this.#describe(connection, table, signal);
    return connection;
  }

  async #describe(connection: SqlConnection, table: string, signal: AbortSignal): Promise<Described> {
    const { driver } = this.#config;
    const columns = await describeTable(connection, driver, table, signal);
    const key = sinkKey(this.#config).map((name) => {
      const column = columns.find(name);
      if (column === undefined) throw new EventboatError("node_failed", `table ${table} has no column ${name}`);
      return column.name;
    });
    const target = { driver, table, key };
    await refuseKey(connection, target, columns, signal);
    return { columns, target, atMs: this.#context.clock.monotonic() };
  }

  async #statementsOf(batch: SinkBatch, connection: SqlConnection, signal: AbortSignal): Promise<BatchStatements> {
    const { table } = this.#config;
    const described = this.#described;
    if (this.#statement !== undefined) return this.#statement.statements(batch);
    if (described === undefined || table === undefined) return { statements: [], messages: [], failures: [] };
    const parts = tableStatements(batch, described.target, described.columns);
    const isUnknown = parts.failures.some(({ error }) => error.cause instanceof UnknownColumn);
    if (!isUnknown || this.#context.clock.monotonic() - described.atMs < DESCRIBE_AGAIN_MS) return parts;
    const again = this.#described = await this.#describe(connection, table, signal);
    return tableStatements(batch, again.target, again.columns);
  }

  /** Does a part of a write; what goes wrong is told as the engine wants it, and a lost connection is let go. */
  async #attempt<T>(signal: AbortSignal, work: () => Promise<T>, part: "connect" | "write"): Promise<T> {
    try {
      return await work();
    } catch (caught) {
      if (!(caught instanceof SqlError)) throw caught;
      if (caught.kind === "connection" || caught.kind === "canceled") await this.#drop();
      if (signal.aborted) throw signal.reason;
      // A login that is refused says nothing of the messages: it may be in order again at the next attempt.
      throw this.#sinkError(caught, part === "connect" || caught.kind !== "final");
    }
  }

  #sinkError(error: SqlError, retryable: boolean): SinkError {
    const denied = error.cause instanceof Error && error.cause.name === "NotCapable";
    return new SinkError(`cannot write to ${shownDsn(this.#dsn)}: ${error.message}`, {
      cause: error,
      retryable: retryable && !denied,
    });
  }

  /** A file that is not there is a mistyped path rather than a server that will come up. */
  #isMissing(error: SqlError): boolean {
    return this.#dsn.driver === "sqlite" && error.kind === "connection";
  }

  #failure(caught: unknown): EventboatError {
    const { node } = this.#context;
    if (!(caught instanceof SqlError)) return EventboatError.from(caught, "node_failed", { node });
    const denied = caught.cause instanceof Error && caught.cause.name === "NotCapable";
    const message = `cannot write to ${shownDsn(this.#dsn)}: ${caught.message}`;
    return new EventboatError(denied ? "permission" : "node_failed", message, { cause: caught, node });
  }

  async #drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }
}
