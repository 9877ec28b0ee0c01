/** Owns connections to MySQL and MariaDB, by `mariadb`: every value as the server's own text or bytes. */

import { Buffer } from "node:buffer";
import { deadline, raceAbort } from "../../../base/mod.ts";
import { cancelable } from "./cancelable.ts";
import type { ServerDsn } from "./dsn.ts";
import { mysqlError, NO_TLS_NUMBER } from "./mysql_error.ts";
import { isBinaryField, mysqlColumn, type MysqlField } from "./mysql_values.ts";
import type { RowPage, SqlConnection, SqlRow, SqlValue, Statement, StatementFailure } from "./sql_connection.ts";
import { canceledError, SqlError } from "./sql_error.ts";
import { type ClientTls, clientTls } from "./tls_files.ts";

const KEEP_ALIVE_DELAY_MS = 30_000;
const END_LIMIT_MS = 1_000;
/** Largest packet sent; the server's own limit is the one that counts. */
const PACKET_BYTES_MAX = 64 * 1024 * 1024;

/** The part of the client that is used. */
interface Client {
  readonly threadId: number | null;
  query(options: { readonly sql: string }, values: readonly unknown[]): Promise<unknown>;
  end(): Promise<void>;
  destroy(): void;
  on(event: "error", listener: (error: Error) => void): void;
}

interface CastField extends MysqlField {
  string(): string | null;
  buffer(): Uint8Array | null;
}

/** Connects and logs in. @throws {SqlError} */
export async function connectMysql(dsn: ServerDsn, signal: AbortSignal): Promise<SqlConnection> {
  const { mode } = dsn.tls;
  if (mode !== "off") {
    try {
      return await connectWith(dsn, clientTls(dsn.tls), signal);
    } catch (caught) {
      const isPlain = caught instanceof SqlError && caught.code === String(NO_TLS_NUMBER);
      if (mode !== "prefer" || !isPlain) throw caught;
    }
  }
  return await connectWith(dsn, false, signal);
}

async function connectWith(dsn: ServerDsn, ssl: ClientTls | false, signal: AbortSignal): Promise<SqlConnection> {
  if (signal.aborted) throw canceledError();
  return new MysqlConnection(await login(dsn, ssl, signal), dsn, ssl);
}

/** Connects and logs in. Rejects with `canceled` as soon as the signal aborts. */
async function login(dsn: ServerDsn, ssl: ClientTls | false, signal: AbortSignal): Promise<Client> {
  // Loaded when first needed: a program that knows this driver and does not use it does not pay for it.
  const { createConnection } = await import("mariadb");
  const options = {
    host: dsn.host,
    port: dsn.port,
    user: dsn.user,
    password: dsn.password,
    database: dsn.database,
    ssl,
    connectTimeout: dsn.connectTimeoutMs,
    keepAliveDelay: KEEP_ALIVE_DELAY_MS,
    maxAllowedPacket: PACKET_BYTES_MAX,
    charset: "utf8mb4",
    // A server may send its clients elsewhere, where the pipeline may not go.
    permitRedirect: false,
    rowsAsArray: true,
    metaAsArray: true,
    // Two columns of one name are told in our words.
    checkDuplicate: false,
    sessionVariables: { ...dsn.settings },
    typeCast: castExactly,
    // Values have no place in messages, and nothing is printed.
    logParam: false,
    logger: { network: undefined, query: undefined, error: undefined, warning: () => {} },
  };
  const connecting = createConnection(options as never) as unknown as Promise<Client>;
  try {
    const client = await raceAbort(connecting, signal);
    // What is lost while nobody waits is told at the next call.
    client.on("error", () => {});
    return client;
  } catch (caught) {
    // The client cannot be told to stop; what it brings too late, within its own limit, is not kept.
    connecting.then((late) => late.destroy(), () => {});
    throw signal.aborted ? canceledError() : mysqlError(caught);
  }
}

function castExactly(field: CastField): string | Uint8Array | null {
  return isBinaryField(field) ? field.buffer() : field.string();
}

class MysqlConnection implements SqlConnection {
  readonly #client: Client;
  readonly #dsn: ServerDsn;
  readonly #ssl: ClientTls | false;

  constructor(client: Client, dsn: ServerDsn, ssl: ClientTls | false) {
    this.#client = client;
    this.#dsn = dsn;
    this.#ssl = ssl;
  }

  async query(statement: Statement, signal: AbortSignal): Promise<RowPage> {
    const answer = await this.#during(signal, () => this.#send(statement));
    if (!Array.isArray(answer) || answer.length !== 2) return { columns: [], rows: [] };
    // Arrays were asked for, of rows and of columns: the client's types know only objects.
    const [rows, fields] = answer as [readonly SqlRow[], readonly MysqlField[]];
    const zone = this.#dsn.settings["time_zone"] ?? "";
    return { columns: fields.map((field) => mysqlColumn(field, zone)), rows };
  }

  /**
   * In one page: over TLS the platform's sockets know no back-pressure, so a stream of rows would fill the memory
   * whoever reads it. Callers bound the result by a LIMIT.
   */
  async *pages(statement: Statement, _pageRows: number, signal: AbortSignal): AsyncGenerator<RowPage> {
    yield await this.query(statement, signal);
  }

  async transact(statements: readonly Statement[], signal: AbortSignal): Promise<readonly StatementFailure[]> {
    await this.#during(signal, async () => {
      await this.#send({ text: "start transaction", params: [] });
      try {
        for (const statement of statements) await this.#send(statement);
      } catch (caught) {
        // The first error is the one to tell; a connection that is lost rolls back by itself.
        await this.#send({ text: "rollback", params: [] }).catch(() => {});
        throw caught;
      }
      await this.#send({ text: "commit", params: [] });
    });
    return [];
  }

  async close(): Promise<void> {
    using limit = deadline(END_LIMIT_MS, { what: "logging out" });
    // Whatever the end is, it is the end.
    await raceAbort(this.#client.end(), limit.signal).catch(() => {});
    this.#client.destroy();
  }

  #send({ text, params }: Statement): Promise<unknown> {
    return this.#client.query({ sql: text }, params.map(wireValue));
  }

  /** Waits for the server; an abort cancels what it does there, then ends the connection. */
  async #during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await cancelable(signal, {
      work: async () => {
        try {
          return await work();
        } catch (caught) {
          throw mysqlError(caught);
        }
      },
      cancel: (limit) => this.#killQuery(limit),
      end: () => this.#client.destroy(),
    });
  }

  /** Kills the query over another connection. */
  async #killQuery(signal: AbortSignal): Promise<void> {
    const other = await login(this.#dsn, this.#ssl, signal);
    try {
      await raceAbort(other.query({ sql: `kill query ${this.#client.threadId}` }, []), signal);
    } finally {
      other.destroy();
    }
  }
}

function wireValue(value: SqlValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
