/** Owns connections to PostgreSQL, by `pg`: every value as the server's own text, results read by a cursor. */

import { cancelable } from "./cancelable.ts";
import type { ServerDsn } from "./dsn.ts";
import { postgresError } from "./postgres_error.ts";
import { postgresColumn } from "./postgres_values.ts";
import type { RowPage, SqlColumn, SqlConnection, SqlValue, Statement, StatementFailure } from "./sql_connection.ts";
import { canceledError, SqlError } from "./sql_error.ts";
import { type ClientTls, clientTls } from "./tls_files.ts";

/** A request to cancel, of the protocol: its length, its code, the session's process and secret. */
const CANCEL_BYTES = 16;
const CANCEL_CODE = 80_877_102;
/** How long a polite end may take. */
const END_LIMIT_MS = 1_000;
const KEEP_ALIVE_DELAY_MS = 30_000;

/** Settings that every session has: values are read as these make the server write them. */
const SETTINGS = { datestyle: "ISO", bytea_output: "hex", extra_float_digits: "1" };
const SETTING_SPECIAL_REGEXP = /[\\\s]/g;

/** The part of the client that is used. */
interface Client {
  binary: boolean;
  /** Whether statements are sent before those in front of them are answered. */
  pipeline: boolean;
  readonly connectionParameters: { replication: string | undefined };
  readonly connection: { readonly stream: { destroy(): void } };
  readonly processID: number | null;
  readonly secretKey: number | null;
  connect(): Promise<unknown>;
  query(query: QueryConfig): Promise<Result>;
  query(cursor: Cursor): Cursor;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): void;
}

interface QueryConfig {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly rowMode: "array";
  readonly types: typeof TEXT_TYPES;
}

interface Result {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

interface Cursor {
  read(rows: number, done: (error: Error | undefined, rows: Result["rows"], result: Result) => void): void;
  close(): Promise<void>;
}

/** Rows as a cursor gives them. */
interface CursorPage {
  readonly rows: Result["rows"];
  readonly result: Result;
}

type ClientClass = new (options: object) => Client;
type CursorClass = new (
  text: string,
  values: readonly unknown[],
  options: { rowMode: "array"; types: typeof TEXT_TYPES },
) => Cursor;

/** Lets every value pass as the text it came as. */
const TEXT_TYPES = { getTypeParser: () => (text: string) => text };

/** Connects and logs in. @throws {SqlError} */
export async function connectPostgres(dsn: ServerDsn, signal: AbortSignal): Promise<SqlConnection> {
  // Loaded when first needed: a program that knows this driver and does not use it does not pay for it.
  const [{ default: pg }, { default: cursor }] = await Promise.all([import("pg"), import("pg-cursor")]);
  const classes = { client: pg.Client as unknown as ClientClass, cursor: cursor as unknown as CursorClass };
  const { mode } = dsn.tls;
  if (mode !== "off") {
    try {
      return await connectWith(classes, dsn, clientTls(dsn.tls), signal);
    } catch (caught) {
      // An error without a code is the client's own: the server takes no TLS. What it said itself has one.
      if (mode !== "prefer" || signal.aborted || !(caught instanceof SqlError) || caught.code !== undefined) {
        throw caught;
      }
    }
  }
  return await connectWith(classes, dsn, false, signal);
}

async function connectWith(
  classes: { readonly client: ClientClass; readonly cursor: CursorClass },
  dsn: ServerDsn,
  ssl: ClientTls | false,
  signal: AbortSignal,
): Promise<SqlConnection> {
  if (signal.aborted) throw canceledError();
  const client = new classes.client(clientOptions(dsn, ssl));
  client.binary = false;
  client.connectionParameters.replication = undefined;
  const connection = new PostgresConnection(client, classes.cursor, dsn);
  const stop = () => client.connection.stream.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
  } catch (caught) {
    stop();
    if (signal.aborted) throw canceledError();
    throw postgresError(caught);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return connection;
}

/**
 * Everything is said, so that the client asks the environment for nothing: its isolate may not read it. `binary` and
 * `replication` have no value that says "no" and stops it from asking; both are taken back before anything is sent.
 */
function clientOptions(dsn: ServerDsn, ssl: ClientTls | false): object {
  const settings = Object.entries({ ...SETTINGS, ...dsn.settings });
  return {
    host: dsn.host,
    port: dsn.port,
    user: dsn.user,
    password: () => dsn.password,
    database: dsn.database,
    ssl,
    sslnegotiation: "postgres",
    client_encoding: "UTF8",
    application_name: dsn.applicationName,
    options: settings.map(([name, value]) => `-c ${name}=${value.replace(SETTING_SPECIAL_REGEXP, "\\$&")}`).join(" "),
    connectionTimeoutMillis: dsn.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    binary: true,
    replication: "no",
  };
}

class PostgresConnection implements SqlConnection {
  readonly #client: Client;
  readonly #cursor: CursorClass;
  readonly #dsn: ServerDsn;
  #lost: Error | undefined;

  constructor(client: Client, cursor: CursorClass, dsn: ServerDsn) {
    this.#client = client;
    this.#cursor = cursor;
    this.#dsn = dsn;
    // Whoever waits for an answer is told of the loss; with nobody waiting it is told at the next call.
    client.on("error", (error) => this.#lost = error);
  }

  async query({ text, params }: Statement, signal: AbortSignal): Promise<RowPage> {
    const result = await this.#during(signal, () => this.#send(text, params));
    return { columns: columnsOf(result), rows: result.rows };
  }

  async *pages({ text, params }: Statement, pageRows: number, signal: AbortSignal): AsyncGenerator<RowPage> {
    const cursor = this.#client.query(
      new this.#cursor(text, params.map(wireValue), { rowMode: "array", types: TEXT_TYPES }),
    );
    const read = () => this.#during(signal, () => readCursor(cursor, pageRows));
    let columns: readonly SqlColumn[] | undefined;
    let next: Promise<CursorPage> | undefined = read();
    try {
      while (next !== undefined) {
        const { rows, result }: CursorPage = await next;
        columns ??= columnsOf(result);
        // The server works on the next page while this one is looked at; how it ends is told when it is asked for.
        next = rows.length === pageRows ? read() : undefined;
        next?.catch(() => {});
        yield { columns, rows };
      }
    } finally {
      await this.#leave(cursor, next, signal);
    }
  }

  async transact(statements: readonly Statement[], signal: AbortSignal): Promise<readonly StatementFailure[]> {
    await this.#during(signal, async () => {
      const first = await this.#sendAll([{ text: "begin", params: [] }, ...statements]);
      if (first !== undefined) {
        // The first error is the one to tell; a connection that is lost rolls back by itself.
        await this.#send("rollback", []).catch(() => {});
        throw first.error;
      }
      await this.#send("commit", []);
    });
    return [];
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.#client.connection.stream.destroy(), END_LIMIT_MS);
    // Whatever the end is, it is the end.
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  /**
   * Sends statements without waiting for the answers in between, and gives the first error. Only inside a transaction:
   * after an error the server refuses what follows.
   */
  async #sendAll(statements: readonly Statement[]): Promise<{ readonly error: unknown } | undefined> {
    this.#client.pipeline = true;
    try {
      const answers = await Promise.allSettled(statements.map(({ text, params }) => this.#send(text, params)));
      for (const answer of answers) if (answer.status === "rejected") return { error: answer.reason };
      return undefined;
    } finally {
      // A cursor cannot share the connection with statements on their way.
      this.#client.pipeline = false;
    }
  }

  /** Closes a cursor that was left with rows to come, where the connection is in order. */
  async #leave(cursor: Cursor, next: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
    const isSound = await next?.then(() => true, () => false);
    // Where it cannot be closed the connection is not in order either, which the next call tells.
    if (isSound === true && this.#lost === undefined) await this.#during(signal, () => cursor.close()).catch(() => {});
  }

  #send(text: string, params: readonly SqlValue[]): Promise<Result> {
    const values = params.map(wireValue);
    return this.#client.query({
      text,
      rowMode: "array",
      types: TEXT_TYPES,
      ...(values.length === 0 ? {} : { values }),
    });
  }

  /** Waits for the server; an abort cancels what it does there, then ends the connection. */
  async #during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { processID, secretKey, connection } = this.#client;
    return await cancelable(signal, {
      work: async () => {
        if (this.#lost !== undefined) throw postgresError(this.#lost);
        try {
          return await work();
        } catch (caught) {
          throw postgresError(caught);
        }
      },
      cancel: async (limit) => {
        if (processID !== null && secretKey !== null) await requestCancel(this.#dsn, processID, secretKey, limit);
      },
      end: () => connection.stream.destroy(),
    });
  }
}

/** Asks the server, over another connection, to stop what that process of its does. */
async function requestCancel(
  { host, port }: ServerDsn,
  processId: number,
  secret: number,
  signal: AbortSignal,
): Promise<void> {
  const request = new DataView(new ArrayBuffer(CANCEL_BYTES));
  for (const [at, value] of [CANCEL_BYTES, CANCEL_CODE, processId, secret].entries()) request.setInt32(at * 4, value);
  using connection = await Deno.connect({ hostname: host, port, signal });
  const close = () => connection.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    await connection.write(new Uint8Array(request.buffer));
    // The server closes when it has passed the request on.
    await connection.read(new Uint8Array(1));
  } finally {
    signal.removeEventListener("abort", close);
  }
}

function readCursor(cursor: Cursor, rows: number): Promise<CursorPage> {
  return new Promise((resolve, reject) => {
    cursor.read(rows, (error, read, result) => error ? reject(error) : resolve({ rows: read, result }));
  });
}

function columnsOf({ fields }: Result): readonly SqlColumn[] {
  return fields.map(({ name, dataTypeID }) => postgresColumn(name, dataTypeID));
}

/** A value as the text the server reads: it knows the type itself. */
function wireValue(value: SqlValue): unknown {
  if (value === null) return null;
  return value instanceof Uint8Array ? `\\x${value.toHex()}` : String(value);
}
