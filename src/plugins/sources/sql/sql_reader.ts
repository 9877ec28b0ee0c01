/** Owns the reading of rows: rounds through the result, each from behind the last row of the one before. */

import { parseDuration } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import type { EmissionWindow } from "../../shared/emission_window.ts";
import type { RowPage, SqlColumn, SqlConnection } from "../../shared/sql/sql_connection.ts";
import type { KeyTuple, Position } from "./key_tuple.ts";
import { type KeyedPage, keyedPages, nullKey, type Walk } from "./page_reader.ts";
import { rowEmissions } from "./row_emission.ts";
import { type BoundQuery, type Key, SelectText } from "./select_text.ts";
import { keyColumns, PAGE_ROWS, type SqlSourceConfig } from "./sql_config.ts";
import type { Watermark } from "./watermark.ts";

/** How long one result is read from before it is asked for anew: an open one keeps old rows from being cleared. */
const RESULT_LIFE_MS = 300_000;
/** NULL keys are looked for at the start, and then so seldom that it costs little: both bounds hold. */
const NULLS_EVERY_MS = 60_000;
const NULLS_COST_FACTOR = 100;
/** Rows of a result without a key that are read at once, where the connection cannot give them as they are asked for. */
const UNKEYED_ROWS_MAX = 100_000;

/** What a reader works with. */
export interface ReaderParts {
  readonly config: SqlSourceConfig;
  readonly query: BoundQuery;
  readonly window: EmissionWindow;
  readonly watermark: Watermark;
  readonly context: PluginContext;
}

/** A result's columns, and which of them are its key. */
interface Shape {
  readonly key: Key;
  readonly indexes: readonly number[];
}

/** Reads for the life of one source. */
export class SqlReader {
  readonly #parts: ReaderParts;
  readonly #select: SelectText;
  readonly #rows: { add(count: number): void };
  #position: Position | undefined;
  #nextSrcSeq = 1;
  #nullsDueMs = 0;

  /** `position` is where to begin; undefined at the start of the result. */
  constructor(parts: ReaderParts, position: Position | undefined) {
    this.#parts = parts;
    this.#select = new SelectText(parts.query);
    this.#rows = parts.context.meter.counter("source_rows_read_total");
    this.#position = position;
  }

  /** Reads on to the end of the result as it is now. @throws {SqlError} {@linkcode EventboatError} */
  async round(connection: SqlConnection, signal: AbortSignal, progressed: () => void): Promise<void> {
    const { config } = this.#parts;
    if (keyColumns(config).length === 0) return await this.#unkeyed(connection, signal, progressed);
    const shape = await this.#shape(connection, signal);
    progressed();
    await this.#refuseNulls(connection, shape.key, signal);
    const { clock } = this.#parts.context;
    for (let isOver = false; !isOver;) {
      const untilMs = clock.monotonic() + RESULT_LIFE_MS;
      isOver = true;
      for await (const page of keyedPages(this.#walk(connection, shape), this.#position, signal)) {
        progressed();
        await this.#send(page, shape);
        if (signal.aborted) return;
        if (clock.monotonic() < untilMs) continue;
        isOver = false;
        break;
      }
    }
  }

  #walk(connection: SqlConnection, { key, indexes }: Shape): Walk {
    const { config } = this.#parts;
    const lag = config.cursor?.lag;
    return {
      connection,
      select: this.#select,
      key,
      indexes,
      pageRows: this.#pageRows,
      lagMs: lag === undefined ? undefined : parseDuration(lag),
      streams: config.driver === "postgres",
    };
  }

  get #pageRows(): number {
    return this.#parts.config.pagination?.page_size ?? PAGE_ROWS;
  }

  /** A result that is not ordered has no place to go on from: it is read whole each time. */
  async #unkeyed(connection: SqlConnection, signal: AbortSignal, progressed: () => void): Promise<void> {
    const { query, config } = this.#parts;
    const { statement } = query;
    const isBounded = config.driver === "mysql";
    const text = isBounded
      ? `select * from (${statement.text}\n) as eventboat_rows limit ${UNKEYED_ROWS_MAX + 1}`
      : statement.text;
    for await (const page of connection.pages({ ...statement, text }, this.#pageRows, signal)) {
      progressed();
      refuseDoubles(page.columns);
      if (isBounded && page.rows.length > UNKEYED_ROWS_MAX) {
        throw new EventboatError("source_failed", `the query gives more than ${UNKEYED_ROWS_MAX} rows`, {
          hint: "name a unique key in `pagination.key`, so that they are read in pages",
        });
      }
      for (let from = 0; from < page.rows.length; from += this.#pageRows) {
        const rows = page.rows.slice(from, from + this.#pageRows);
        await this.#send({ columns: page.columns, rows, tuples: [] }, undefined);
        if (signal.aborted) return;
      }
    }
  }

  /** What the query gives: looked at anew with every round, since tables change while a pipeline runs. */
  async #shape(connection: SqlConnection, signal: AbortSignal): Promise<Shape> {
    const { columns } = await connection.query(this.#select.columns(), signal);
    refuseDoubles(columns);
    const { config, context } = this.#parts;
    const indexes = keyColumns(config).map((name) => columnIndex(columns, name));
    const key = indexes.flatMap((index) => columns[index] ?? []);
    for (const { name, type, family } of key) {
      if (family !== "unordered") continue;
      throw new EventboatError("source_failed", `column ${name} is ${type}, which no reading can go on after`);
    }
    const [first] = key;
    if (config.cursor?.lag !== undefined && first?.family !== "timestamp" && first?.family !== "timestamptz") {
      throw new EventboatError(
        "source_failed",
        `cursor.lag needs a column with date and time, and ${first?.name} is ${first?.type}`,
      );
    }
    const types = key.map(({ type }) => type);
    // SQLite's columns hold any type; what a declaration says of them decides nothing.
    const saved = this.#position?.types;
    if (config.driver !== "sqlite" && saved !== undefined && saved.join() !== types.join()) {
      context.log.log("warn", "the key's columns have another type; reading from the start", {
        was: saved.join(", "),
        now: types.join(", "),
      });
      this.#position = undefined;
    }
    return { key, indexes };
  }

  async #refuseNulls(connection: SqlConnection, key: Key, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts.context;
    const startMs = clock.monotonic();
    if (startMs < this.#nullsDueMs) return;
    const { rows } = await connection.query(this.#select.nullKeys(key), signal);
    if (rows.length > 0) throw nullKey(key);
    const endMs = clock.monotonic();
    this.#nullsDueMs = endMs + Math.max(NULLS_EVERY_MS, (endMs - startMs) * NULLS_COST_FACTOR);
  }

  async #send(page: RowPage & Pick<KeyedPage, "tuples">, shape: Shape | undefined): Promise<void> {
    const { config, context, window, watermark } = this.#parts;
    const types = shape?.key.map(({ type }) => type) ?? [];
    const cursorIndex = config.cursor === undefined ? undefined : shape?.indexes[0];
    const options = { emit: config.emit, messagesMax: context.batchMessagesMax, cursorIndex };
    let rowsBefore = 0;
    for (const { rowsThrough, ...emission } of rowEmissions(page, options)) {
      await window.room();
      const firstSrcSeq = this.#nextSrcSeq;
      this.#nextSrcSeq += emission.ends.length;
      const count = rowsThrough - rowsBefore;
      rowsBefore = rowsThrough;
      const reached = lastTuple(page.tuples, rowsThrough);
      if (reached !== undefined) {
        this.#position = { types, tuple: reached };
        // A tie that ends inside the emission lets the place be behind it only: what follows comes again.
        watermark.pass(this.#nextSrcSeq - 1, this.#position);
      }
      window.send({ ...emission, firstSrcSeq }, () => this.#rows.add(count));
    }
  }
}

/** The key of the last row up to here behind which reading may go on. */
function lastTuple(tuples: readonly (KeyTuple | undefined)[], rowsThrough: number): KeyTuple | undefined {
  for (let i = rowsThrough - 1; i >= 0; i--) if (tuples[i] !== undefined) return tuples[i];
  return undefined;
}

/** The column of that name, or the one that differs in case alone. */
function columnIndex(columns: readonly SqlColumn[], wanted: string): number {
  const exact = columns.findIndex(({ name }) => name === wanted);
  if (exact >= 0) return exact;
  const alike = columns.flatMap(({ name }, index) => name.toLowerCase() === wanted.toLowerCase() ? [index] : []);
  const [only] = alike;
  if (only !== undefined && alike.length === 1) return only;
  const names = columns.map(({ name }) => name).join(", ");
  throw new EventboatError("source_failed", `the query gives no column ${wanted}; it gives ${names}`);
}

/** An object has each name once. */
function refuseDoubles(columns: readonly SqlColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) {
      throw new EventboatError("source_failed", `the query gives two columns named ${name}`, {
        hint: "give one of them another name with AS",
      });
    }
    seen.add(name);
  }
}
