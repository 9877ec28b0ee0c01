import assert from "node:assert/strict";
import type {
  ColumnFamily,
  RowPage,
  SqlColumn,
  SqlConnection,
  SqlRow,
  Statement,
} from "../../shared/sql/sql_connection.ts";
import type { Position } from "./key_tuple.ts";
import { keyedPages, TIE_BYTES_MAX, type Walk } from "./page_reader.ts";
import { SelectText } from "./select_text.ts";

const never = new AbortController().signal;
const column = (name: string, family: ColumnFamily): SqlColumn => ({ name, type: "text", family, json: String });
const COLUMNS = [column("k", "exact"), column("v", "exact")];
const LIMIT_REGEXP = / limit (\d+)$/;

/** A database with these rows, in the order of their key, and what it was asked. */
class FakeConnection implements SqlConnection {
  readonly asked: Statement[] = [];
  readonly #rows: readonly SqlRow[];

  constructor(rows: readonly SqlRow[]) {
    this.#rows = rows;
  }

  query(statement: Statement): Promise<RowPage> {
    this.asked.push(statement);
    const after = statement.params[0];
    const behind = this.#rows.filter(([k]) => after === undefined || String(k) > String(after));
    const limit = Number(LIMIT_REGEXP.exec(statement.text)?.[1] ?? Infinity);
    return Promise.resolve({ columns: COLUMNS, rows: behind.slice(0, limit) });
  }

  async *pages(statement: Statement, pageRows: number): AsyncGenerator<RowPage> {
    const { rows } = await this.query(statement);
    for (let from = 0; from < rows.length; from += pageRows) {
      yield { columns: COLUMNS, rows: rows.slice(from, from + pageRows) };
    }
  }

  transact(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function walkOf(connection: SqlConnection, streams: boolean, pageRows: number): Walk {
  const statement = { text: "select * from t", params: [] };
  const select = new SelectText({ driver: streams ? "postgres" : "sqlite", statement });
  return { connection, select, key: COLUMNS.slice(0, 1), indexes: [0], pageRows, lagMs: undefined, streams };
}

async function read(rows: readonly SqlRow[], streams: boolean, pageRows: number, after?: Position) {
  const pages: string[] = [];
  const ends: string[] = [];
  for await (const page of keyedPages(walkOf(new FakeConnection(rows), streams, pageRows), after, never)) {
    pages.push(page.rows.map(([, v]) => v).join(""));
    ends.push(page.tuples.map((tuple) => tuple === undefined ? "-" : String(tuple[0])).join(""));
  }
  return { pages, ends };
}

/** One row a letter: the key is the letter, the value its place. */
const rowsOf = (keys: string): SqlRow[] => [...keys].map((key, i) => [key, String(i)]);

for (const streams of [true, false]) {
  const way = streams ? "one query" : "a query a page";

  Deno.test(`keyedPages by ${way}: every row once, whatever the ties and the pages`, async () => {
    for (const keys of ["", "a", "abcdef", "aaaabbbbcc", "abbbbbbbbc", "aabbccddee", "zzzzzzzz"]) {
      for (const pageRows of [1, 2, 3, 4, 10, 20]) {
        const { pages } = await read(rowsOf(keys), streams, pageRows);
        assert.equal(pages.join(""), [...keys].map((_, i) => i).join(""), `${keys} ${pageRows}`);
        assert.ok(pages.every((page) => page !== ""));
      }
    }
  });

  Deno.test(`keyedPages by ${way}: only the last row of a tie may be gone on behind`, async () => {
    const { pages, ends } = await read(rowsOf("abbc"), streams, 10);
    assert.deepEqual([pages, ends], [["0123"], ["a-bc"]]);
  });

  Deno.test(`keyedPages by ${way}: goes on behind a place`, async () => {
    const { pages } = await read(rowsOf("abcd"), streams, 2, { types: ["text"], tuple: ["b"] });
    assert.deepEqual(pages.join(""), "23");
  });

  Deno.test(`keyedPages by ${way}: a tie that does not fit is told, a NULL too`, async () => {
    const large = "x".repeat(TIE_BYTES_MAX / 8);
    const tie: SqlRow[] = Array.from({ length: 20 }, () => ["a", large]);
    await assert.rejects(read(tie, streams, 2), { code: "source_failed", message: /one key \(a\)/ });
    await assert.rejects(read([["a", "0"], [null, "1"]], streams, 5), {
      code: "source_failed",
      message: /NULL in the key/,
    });
  });
}

Deno.test("keyedPages: a key that comes after itself is no way forward", async () => {
  const connection = new FakeConnection(rowsOf("aaa"));
  const walk = walkOf(connection, false, 1);
  connection.query = () => Promise.resolve({ columns: COLUMNS, rows: rowsOf("ab") });
  const reading = async () => {
    for await (const _ of keyedPages(walk, undefined, never)) { /* each page is the same */ }
  };
  await assert.rejects(reading, { kind: "final", message: /\(a\) to come after itself/ });
});
