/** How much memory a long result takes: as much as a page, however slow the reader is, over TLS too. */

import assert from "node:assert/strict";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { measuredPull } from "../suites/sql_pull_process.ts";
import { mariadbSubject, postgresSubject, type SqlSubject } from "../suites/sql_subjects.ts";

/** A fifth of the million that the promise is about: what piles up by the row shows as well. */
const ROWS = 200_000;
const ROW_BYTES = 200;
/** The process without a row takes about 60. */
const PEAK_BYTES_MAX = 150 * 1024 * 1024;

const BLOCK = { query: "select * from long", cursor: { column: "id" } };

async function fits(subject: SqlSubject, query = BLOCK.query): Promise<void> {
  const { rows, peakBytes } = await measuredPull(subject, { ...BLOCK, query });
  console.log(`${subject.driver}: ${rows} rows, ${(peakBytes / 2 ** 20).toFixed(0)} MiB at most`);
  assert.equal(rows, ROWS);
  assert.ok(peakBytes <= PEAK_BYTES_MAX, `${peakBytes} bytes`);
}

serverTest("sql source: memory of a long result of postgres", ["postgres"], async (context) => {
  await using server = await PostgresServer.start({ tls: true });
  const subject = postgresSubject(server);
  await subject.run(
    `create table long as select i as id, repeat('x', ${ROW_BYTES}) as filler from generate_series(1, ${ROWS}) i`,
  );
  await subject.run("alter table long add primary key (id)");
  await context.step("over a plain connection", () => fits({ ...subject, dsn: `${subject.dsn}?sslmode=disable` }));
  const authority = encodeURIComponent(server.tls?.authority ?? "");
  const tls = { ...subject, dsn: `${subject.dsn}?sslmode=verify-full&sslrootcert=${authority}` };
  await context.step("over TLS", () => fits(tls));
});

serverTest("sql source: memory of a long result of mariadb", ["mariadb"], async (context) => {
  await using server = await MariadbServer.start({ tls: true });
  const subject = mariadbSubject(server);
  await subject.run("create table `long` (id int primary key, filler text)");
  await subject.run(`insert into \`long\` select seq, repeat('x', ${ROW_BYTES}) from seq_1_to_${ROWS}`);
  const authority = encodeURIComponent(server.tls?.authority ?? "");
  const tls = { ...subject, dsn: `${subject.dsn}?ssl-mode=VERIFY_CA&ssl-ca=${authority}` };
  await context.step("over TLS", () => fits(tls, "select * from `long`"));
});
