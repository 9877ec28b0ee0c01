/** Databases and the whole program: a pipeline of each driver, poison, kills, from source and compiled. */

import assert from "node:assert/strict";
import { missingOf, type ServerName } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { testNeeding } from "../suites/needing.ts";
import { mariadbSubject, postgresSubject, SqliteSubject, type SqlSubject } from "../suites/sql_subjects.ts";
import { jsonLines, programTest, RunningProgram, runProgram, type Subject } from "./program.ts";

const ROWS = 1_500;
const KILLS = 8;
const KILLED_ROWS = 40_000;
const MAX_IN_FLIGHT = 1_000;

function databaseTest(
  name: string,
  servers: readonly ServerName[],
  fn: (subject: Subject, folder: string) => Promise<void>,
): void {
  const missing = servers.map(missingOf).find((text) => text !== undefined);
  if (missing === undefined) return programTest(name, fn);
  testNeeding(name, `${missing}: run "deno run --allow-all scripts/servers.ts install"`, () => {});
}

interface Copying {
  readonly name: string;
  readonly from: SqlSubject;
  readonly to: SqlSubject;
  readonly upsert?: boolean;
  readonly limits?: string;
}

function pipeline({ name, from, to, upsert = false, limits = "" }: Copying): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${name} }
run: { mode: batch }
${limits}
edge_defaults: { delivery: { retries: 20, backoff: constant } }
sources:
  orders:
    sql:
      driver: ${from.driver}
      dsn: "\${FROM_DSN}"
      query: select id, note from orders
      cursor: { column: id }
      pagination: { key: id, page_size: 200 }
sinks:
  copies:
    depends_on: [orders]
    sql:
      driver: ${to.driver}
      dsn: "\${TO_DSN}"
      table: copies
      ${upsert ? "mode: upsert\n      key: id" : "mode: insert"}
  file:
    depends_on: [orders]
    file: { path: out/${name}.ndjson }
`;
}

/** Puts rows into a database: one of them is too long for the table that it will be copied to. */
async function fill(subject: SqlSubject, poison: number): Promise<void> {
  const key = subject.driver === "sqlite" ? "integer" : "bigint";
  await subject.run(`create table orders (id ${key} primary key, note varchar(20))`);
  const check = subject.driver === "sqlite" ? " check (length(note) <= 10)" : "";
  await subject.run(`create table copies (id ${key} primary key, note varchar(10)${check})`);
  const values = Array.from(
    { length: ROWS },
    (_, i) => `(${i + 1}, '${i + 1 === poison ? "far too long" : `n${i + 1}`}')`,
  );
  await subject.run(`insert into orders values ${values.join(", ")}`);
}

databaseTest(
  "sql: a pipeline of each driver copies every row, poison alone is a dead letter, a second run finds nothing new",
  ["postgres", "mariadb"],
  async (subject, folder) => {
    await using postgres = await PostgresServer.start();
    await using mariadb = await MariadbServer.start();
    using sqlite = new SqliteSubject();
    const subjects = [postgresSubject(postgres), mariadbSubject(mariadb), sqlite];
    for (const each of subjects) await fill(each, 777);
    for (const [i, from] of subjects.entries()) {
      const to = subjects[(i + 1) % subjects.length] ?? from;
      const name = `${from.driver}-to-${to.driver}`;
      await Deno.writeTextFile(`${folder}/${name}.yaml`, pipeline({ name, from, to }));
      const run = async () => {
        const args = ["run", "--json", "--config", `${name}.yaml`, "--data-dir", "data"];
        const env = { FROM_DSN: from.dsn, TO_DSN: to.dsn };
        const { stdout, stderr } = await runProgram(subject, args, { cwd: folder, env });
        assert.ok(!`${stdout}${stderr}`.includes("-secret"), "no password is told");
        return JSON.parse(stdout || "{}") as { status?: string; counts?: { dead_letters?: number } };
      };
      assert.equal((await run()).status, "partial", name);
      const ids = (await to.rows("select id from copies order by id")).map(([id]) => Number(id));
      assert.deepEqual(ids, Array.from({ length: ROWS }, (_, n) => n + 1).filter((id) => id !== 777), name);
      assert.equal(jsonLines(`${folder}/out/${name}.ndjson`).length, ROWS);
      assert.equal((await run()).status, "completed", name);
      assert.equal(jsonLines(`${folder}/out/${name}.ndjson`).length, ROWS);
    }
  },
);

databaseTest("sql: SIGKILLs lose no row, and an upsert leaves each once", ["postgres"], async (subject, folder) => {
  await using server = await PostgresServer.start();
  const database = postgresSubject(server);
  await database.run(
    `create table orders as select i::bigint as id, 'n' || i as note from generate_series(1, ${KILLED_ROWS}) i;
     alter table orders add primary key (id); create table copies (id bigint primary key, note text)`,
  );
  const limits = `limits: { max_in_flight: ${MAX_IN_FLIGHT} }`;
  await Deno.writeTextFile(
    `${folder}/killed.yaml`,
    pipeline({ name: "killed", from: database, to: database, upsert: true, limits }),
  );
  const args = ["run", "--json", "--config", "killed.yaml", "--data-dir", "data"];
  const options = { cwd: folder, env: { FROM_DSN: server.dsn, TO_DSN: server.dsn } };
  const count = async () => Number((await database.rows("select count(*) from copies"))[0]?.[0]);
  for (let kill = 0; kill < KILLS; kill++) {
    await using life = new RunningProgram(subject, args, options);
    const before = await count();
    const grown = 500 + Math.random() * 3_000;
    await life.until("rows arrived", async () => (await count()) > before + grown || undefined);
    life.kill("SIGKILL");
    await life.finished();
  }
  await using last = new RunningProgram(subject, args, options);
  const { code, stderr } = await last.finished();
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    await database.rows(
      "select count(*), count(*) filter (where c.note = o.note) from orders o left join copies c using (id)",
    ),
    [[`${KILLED_ROWS}`, `${KILLED_ROWS}`]],
  );
  const arrived = jsonLines(`${folder}/out/killed.ndjson`).map(({ id }) => id);
  assert.equal(new Set(arrived).size, KILLED_ROWS);
  const repeats = arrived.length - KILLED_ROWS;
  console.log(`${repeats} repeats after ${KILLS} kills`);
  // What was in flight comes again from the spool and from the source, and so does what its state had not reached.
  assert.ok(repeats <= KILLS * MAX_IN_FLIGHT * 3, `${repeats} repeats`);
});
