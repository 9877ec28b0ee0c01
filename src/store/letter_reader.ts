/** Owns the reading of dead letters off a store's file: chosen, in the order of their ids, a bounded page at a time. */

import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { DEAD_LETTER_PAGE_BYTES_MAX } from "./backend.ts";
import type { DeadLetterQuery } from "./contract.ts";
import { IDS_PER_STATEMENT, LETTER_COLUMNS, letterOfRow } from "./sqlite_letters.ts";
import type { StoredLetterRow } from "./stored_letter.ts";

const HEAD_COLUMNS = LETTER_COLUMNS.filter((column) => column !== "original" && column !== "bytes");
/** Rows that are read at once without their content, which bounds a row to about 30 KiB. */
const HEADS_PER_PAGE = 500;

/** How many dead letters of one node have one class. */
export interface DeadLetterCount {
  readonly node: string;
  readonly class: string;
  readonly count: number;
}

/** Reads dead letters through one connection. Throws what SQLite throws. */
export class LetterReader {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  read(query: DeadLetterQuery): StoredLetterRow[] {
    const ids = query.ids === undefined ? undefined : [...new Set(query.ids)].sort((a, b) => a - b);
    if (ids === undefined) return this.#select(query, undefined);
    const read: StoredLetterRow[] = [];
    for (let at = 0; at < ids.length && read.length < query.limit; at += IDS_PER_STATEMENT) {
      const slice = ids.slice(at, at + IDS_PER_STATEMENT);
      read.push(...this.#select({ ...query, limit: query.limit - read.length }, slice));
    }
    return read;
  }

  /** The letters that a query without a limit chooses, counted; most numerous first. */
  count(query: Omit<DeadLetterQuery, "limit" | "afterId" | "ids">): DeadLetterCount[] {
    const { where, values } = conditionsOf(query, undefined);
    const rows = this.#db.prepare(
      `SELECT node, class, count(*) AS n FROM dead_letter WHERE ${where} GROUP BY node, class ORDER BY n DESC, node, class`,
    ).all(...values);
    return rows.map((row) => ({ node: String(row["node"]), class: String(row["class"]), count: Number(row["n"]) }));
  }

  #select(query: DeadLetterQuery, ids: readonly number[] | undefined): StoredLetterRow[] {
    const { where, values } = conditionsOf(this.#begin(query), ids);
    if (query.content === false) {
      return this.#db.prepare(`SELECT id, ${HEAD_COLUMNS.join()} FROM dead_letter WHERE ${where} ORDER BY id LIMIT ?`)
        .all(...values, Math.min(query.limit, HEADS_PER_PAGE)).map(letterOfRow);
    }
    // How large they are comes first: a page of large ones must fit the heap.
    const sizes = this.#db.prepare(
      `SELECT id, length(bytes) + coalesce(length(original), 0) AS size FROM dead_letter WHERE ${where} ORDER BY id LIMIT ?`,
    ).all(...values, query.limit);
    let [count, bytes] = [0, 0];
    while (count < sizes.length && bytes <= DEAD_LETTER_PAGE_BYTES_MAX) bytes += Number(sizes[count++]?.["size"]);
    return this.#db.prepare(`SELECT id, ${LETTER_COLUMNS.join()} FROM dead_letter WHERE ${where} ORDER BY id LIMIT ?`)
      .all(...values, count).map(letterOfRow);
  }

  /** A first page begins where the first letter of the time lies: that is told by the index, not by reading up to it. */
  #begin(query: DeadLetterQuery): DeadLetterQuery {
    if (query.sinceMs === undefined || query.afterId !== undefined) return query;
    const first = this.#db.prepare("SELECT min(id) AS id FROM dead_letter WHERE time_ms >= ?").get(query.sinceMs)
      ?.["id"];
    return typeof first === "number" ? { ...query, afterId: first - 1 } : { ...query, limit: 0 };
  }
}

function conditionsOf(query: Omit<DeadLetterQuery, "limit">, ids: readonly number[] | undefined) {
  const conditions = ["id > ?"];
  const values: SQLInputValue[] = [query.afterId ?? 0];
  const require = (condition: string, ...given: readonly SQLInputValue[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  // The sign keeps the index of times out of it: pages are read in the order of ids.
  if (query.sinceMs !== undefined) require("+time_ms >= ?", query.sinceMs);
  if (query.runId !== undefined) require("run_id = ?", query.runId);
  if (query.node !== undefined) require("node = ?", query.node);
  if (query.class !== undefined) require("class = ?", query.class);
  if (ids !== undefined) require(`id IN (${ids.map(() => "?").join()})`, ...ids);
  return { where: conditions.join(" AND "), values };
}
