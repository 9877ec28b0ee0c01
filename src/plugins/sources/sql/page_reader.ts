/** Owns the way through a result in the order of its key: pages that end where the key changes. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import type { RowPage, SqlColumn, SqlConnection, SqlRow } from "../../shared/sql/sql_connection.ts";
import { SqlError } from "../../shared/sql/sql_error.ts";
import { type KeyTuple, type Position, sameness, tupleOf, valueText } from "./key_tuple.ts";
import type { Key, SelectText } from "./select_text.ts";

/** Rows that can be sent, and the place behind them. */
export interface KeyedPage extends RowPage {
  /** Behind each row, where reading may go on there: undefined inside a tie. */
  readonly tuples: readonly (KeyTuple | undefined)[];
}

/** What a walk is made of. */
export interface Walk {
  readonly connection: SqlConnection;
  readonly select: SelectText;
  readonly key: Key;
  /** Places of the key's columns in a row. */
  readonly indexes: readonly number[];
  readonly pageRows: number;
  readonly lagMs: number | undefined;
  /** Whether the connection gives rows as they are asked for; else each page is a query of its own. */
  readonly streams: boolean;
}

/** Most bytes that rows of one key may take: they are read together. */
export const TIE_BYTES_MAX = 32 * 1024 * 1024;

/** Walks from behind a place to the end of the result, as it is now. @throws {SqlError} {@linkcode EventboatError} */
export async function* keyedPages(
  walk: Walk,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<KeyedPage> {
  yield* walk.streams ? streamed(walk, after?.tuple, signal) : stepped(walk, after?.tuple, signal);
}

/** One query whose rows are read page by page. */
async function* streamed(walk: Walk, after: KeyTuple | undefined, signal: AbortSignal): AsyncGenerator<KeyedPage> {
  const statement = walk.select.rows(walk.key, after, { lagMs: walk.lagMs });
  let columns: readonly SqlColumn[] = [];
  let held: SqlRow[] = [];
  for await (const page of walk.connection.pages(statement, walk.pageRows, signal)) {
    columns = page.columns;
    held = held.length === 0 ? [...page.rows] : held.concat(page.rows);
    for (let end = streamBorder(walk, held); end > 0; end = streamBorder(walk, held)) {
      yield keyedPage(walk, columns, held.slice(0, end));
      held = held.slice(end);
    }
    if (held.length > walk.pageRows) checkTie(walk, held);
  }
  if (held.length > 0) yield keyedPage(walk, columns, held);
}

/** Where a page ends that is full and goes on to the end of its last tie; 0 where more has to be read to tell. */
function streamBorder(walk: Walk, rows: readonly SqlRow[]): number {
  for (let i = walk.pageRows; i < rows.length; i++) {
    const verdict = sameness(tupleAt(walk, rows, i - 1), tupleAt(walk, rows, i), walk.key);
    // The connection is busy with the rows and cannot be asked: what may be a tie is read on.
    if (verdict === "different") return i;
  }
  return 0;
}

/** A query a page, each of which begins behind the one before and runs while that one is looked at. */
async function* stepped(walk: Walk, start: KeyTuple | undefined, signal: AbortSignal): AsyncGenerator<KeyedPage> {
  const ask = (after: KeyTuple | undefined, limit: number) =>
    walk.connection.query(walk.select.rows(walk.key, after, { limit, lagMs: walk.lagMs }), signal);
  const pageLimit = walk.pageRows + 1;
  let [after, limit] = [start, pageLimit];
  let next = ask(after, limit);
  try {
    for (;;) {
      const { columns, rows } = await next;
      if (rows.length > 0) checkProgress(walk, after, tupleAt(walk, rows, 0));
      if (rows.length < limit) {
        if (rows.length > 0) yield keyedPage(walk, columns, rows);
        return;
      }
      const end = await stepBorder(walk, rows, signal);
      if (end === 0) {
        checkTie(walk, rows);
        next = ask(after, limit *= 2);
        continue;
      }
      after = tupleAt(walk, rows, end - 1);
      next = ask(after, limit = pageLimit);
      // How it ends is told when it is asked for.
      next.catch(() => {});
      yield keyedPage(walk, columns, rows.slice(0, end));
    }
  } finally {
    // The connection is handed back with nothing under way; who has left does not care how that ended.
    await next.catch(() => {});
  }
}

/** Where the last tie begins, which may go on in rows to come: the database is asked where only it can say. */
async function stepBorder(walk: Walk, rows: readonly SqlRow[], signal: AbortSignal): Promise<number> {
  for (let i = rows.length - 1; i > 0; i--) {
    const [a, b] = [tupleAt(walk, rows, i - 1), tupleAt(walk, rows, i)];
    const verdict = sameness(a, b, walk.key);
    if (verdict === "different") return i;
    if (verdict === "ask") {
      const answer = await walk.connection.query(walk.select.tie(walk.key, a, b), signal);
      if (Number(answer.rows[0]?.[0]) === 0) return i;
    }
  }
  return 0;
}

/** A page whose last row ends its tie. */
function keyedPage(walk: Walk, columns: readonly SqlColumn[], rows: readonly SqlRow[]): KeyedPage {
  const tuples = rows.map((_, i): KeyTuple | undefined => {
    const tuple = tupleAt(walk, rows, i);
    const isEnd = i === rows.length - 1 || sameness(tuple, tupleAt(walk, rows, i + 1), walk.key) === "different";
    return isEnd ? tuple : undefined;
  });
  return { columns, rows, tuples };
}

function tupleAt(walk: Walk, rows: readonly SqlRow[], index: number): KeyTuple {
  const tuple = tupleOf(rows[index] ?? [], walk.indexes);
  if (tuple === undefined) throw nullKey(walk.key);
  return tuple;
}

/** The error of a row that cannot be placed. */
export function nullKey(key: Key): EventboatError {
  const names = key.map(({ name }) => name).join(", ");
  return new EventboatError("source_failed", `the query gives rows with NULL in the key (${names})`, {
    hint: "leave them out with IS NOT NULL, or put a value in their place with COALESCE",
  });
}

/** A tie has to be read whole before anything behind it, and it has to fit. */
function checkTie(walk: Walk, rows: readonly SqlRow[]): void {
  let bytes = 0;
  for (const row of rows) {
    for (const value of row) bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
  }
  if (bytes <= TIE_BYTES_MAX) return;
  const tuple = tupleAt(walk, rows, 0).map(valueText).join(", ");
  throw new EventboatError(
    "source_failed",
    `more than ${rows.length} rows have one key (${tuple}); they are read together and take over ${TIE_BYTES_MAX} bytes`,
    { hint: "add a column to `pagination.key`, so that the columns are together unique" },
  );
}

/** A key that does not come after itself would be read for ever. */
function checkProgress(walk: Walk, after: KeyTuple | undefined, first: KeyTuple): void {
  if (after === undefined || sameness(after, first, walk.key) !== "same") return;
  throw new SqlError("final", `the database finds the key (${first.map(valueText).join(", ")}) to come after itself`);
}
