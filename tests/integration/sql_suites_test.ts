/** The `sql` source and sink in the suites of their kinds, on SQLite and on real servers. */

import assert from "node:assert/strict";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { sinkSuite, type SinkTrial } from "../suites/sink_suite.ts";
import { type Register, sourceSuite, type SourceTrial } from "../suites/source_suite.ts";
import {
  mariadbSubject,
  postgresSubject,
  SqliteSubject,
  sqlSinkOf,
  sqlSourceOf,
  type SqlSubject,
} from "../suites/sql_subjects.ts";

const NUMBER_REGEXP = /^\d+$/;
const SERIAL = {
  mysql: "bigint auto_increment primary key",
  postgres: "bigserial primary key",
  sqlite: "integer primary key autoincrement",
} as const;

/** Registers both suites for a database; each trial has a table of its own. */
function suites(name: string, subject: () => SqlSubject, register?: Register): void {
  const meta = new Registry(builtins()).get("source", "sql")?.meta;
  let tables = 0;
  const newTable = async (columns: string) => {
    const table = `suite_${++tables}`;
    await subject().run(`create table ${table} (seq ${SERIAL[subject().driver]}, ${columns})`);
    return table;
  };
  sourceSuite(
    name,
    async (): Promise<SourceTrial> => {
      const table = await newTable("n int");
      const block = { query: `select * from ${table}`, cursor: { column: "seq" }, poll_every_ms: 20 };
      return {
        source: sqlSourceOf(subject(), block),
        feed: () => subject().run(`insert into ${table} (n) values (1)`),
        [Symbol.asyncDispose]: () => subject().run(`drop table ${table}`),
      };
    },
    meta,
    register,
  );
  for (const block of [undefined, { bindings: { n: "string(payload.n)" } }]) {
    sinkSuite(
      `${name} by ${block === undefined ? "table" : "statement"}`,
      async (): Promise<SinkTrial> => {
        const table = await newTable("n text");
        const target = block === undefined
          ? { table }
          : { ...block, statement: `insert into ${table} (n) values (:n)` };
        return {
          sink: sqlSinkOf(subject(), target),
          arrived: async () =>
            (await subject().rows(`select n from ${table} order by seq`)).map(([n]) =>
              `{"n":${NUMBER_REGEXP.test(n ?? "") ? n : JSON.stringify(n)}}`
            ),
          break: () => subject().run(`alter table ${table} rename to ${table}_away`),
          mend: () => subject().run(`alter table ${table}_away rename to ${table}`),
          [Symbol.asyncDispose]: () => subject().run(`drop table ${table}`),
        };
      },
      true,
      register,
    );
  }
}

/** Runs the suites as steps of one test. */
async function stepsOf(context: Deno.TestContext, subject: SqlSubject): Promise<void> {
  const cases: [title: string, fn: () => Promise<void>][] = [];
  suites(subject.driver, () => subject, (title, fn) => void cases.push([title, fn]));
  assert.ok(cases.length > 15);
  for (const [title, fn] of cases) await context.step(title, fn);
}

Deno.test("sql: source and sink on sqlite do what every source and sink must", async (context) => {
  using subject = new SqliteSubject();
  await stepsOf(context, subject);
});

serverTest("sql: source and sink on postgres do what every source and sink must", ["postgres"], async (context) => {
  await using server = await PostgresServer.start();
  await stepsOf(context, postgresSubject(server));
});

serverTest("sql: source and sink on mariadb do what every source and sink must", ["mariadb"], async (context) => {
  await using server = await MariadbServer.start();
  await stepsOf(context, mariadbSubject(server));
});
