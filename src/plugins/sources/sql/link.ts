/** Owns the connection of the source over its losses: made when needed, made anew with patience. */

import { backoffMs, slept } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import { connect } from "../../shared/sql/connect.ts";
import { type Dsn, shownDsn } from "../../shared/sql/dsn.ts";
import type { SqlConnection } from "../../shared/sql/sql_connection.ts";
import { SqlError } from "../../shared/sql/sql_error.ts";

/** Waits between two attempts, in milliseconds. */
const WAIT_MS = { kind: "exponential", baseMs: 250, maxMs: 10_000 } as const;

/** How long a run that is to end keeps trying without a row, in milliseconds. */
export const PATIENCE_MS = 60_000;

/** What is done with a connection; it calls `progressed` whenever something came of it. */
export type LinkWork<T> = (connection: SqlConnection, progressed: () => void) => Promise<T>;

/** One connection at a time to one database. */
export class Link implements AsyncDisposable {
  readonly #dsn: Dsn;
  readonly #context: PluginContext;
  /** How long to keep trying; Infinity for ever. */
  readonly #patienceMs: number;
  #connection: SqlConnection | undefined;

  constructor(dsn: Dsn, context: PluginContext, patienceMs: number) {
    this.#dsn = dsn;
    this.#context = context;
    this.#patienceMs = patienceMs;
  }

  /**
   * Does some work, again and again while it fails by the connection or by what passes. Resolves undefined when the
   * signal aborts. @throws {EventboatError} what no other attempt would help, or patience is at its end
   */
  async through<T>(work: LinkWork<T>, signal: AbortSignal): Promise<T | undefined> {
    const { clock, log, random } = this.#context;
    let [failures, sinceMs] = [0, clock.monotonic()];
    const progressed = () => {
      if (failures > 0) log.log("info", "the database answers again");
      [failures, sinceMs] = [0, clock.monotonic()];
    };
    while (!signal.aborted) {
      try {
        this.#connection ??= await connect(this.#dsn, signal);
        return await work(this.#connection, progressed);
      } catch (caught) {
        if (!(caught instanceof SqlError)) throw caught;
        if (caught.kind !== "transient") await this.#drop();
        if (signal.aborted) return undefined;
        const isLate = clock.monotonic() - sinceMs >= this.#patienceMs;
        if (caught.kind === "final" || isLate) throw this.#failure(caught);
        const waitMs = backoffMs(WAIT_MS, failures++, random);
        log.log("warn", "the database does not answer; trying again", {
          database: shownDsn(this.#dsn),
          error: caught.message,
          wait_ms: Math.round(waitMs),
        });
        await slept(clock, waitMs, signal);
      }
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  #failure(error: SqlError): EventboatError {
    const { node } = this.#context;
    const code = error.cause instanceof Error && error.cause.name === "NotCapable" ? "permission" : "source_failed";
    return new EventboatError(code, `reading from ${shownDsn(this.#dsn)}: ${error.message}`, { cause: error, node });
  }
}
