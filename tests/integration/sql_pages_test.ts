/** Rows by pages from real databases: ties, NULL keys, late rows, what is remembered from run to run. */

import assert from "node:assert/strict";
import { CollectingEmit } from "../../src/plugin/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import {
  liveContext,
  mariadbSubject,
  postgresSubject,
  pullAll,
  SqliteSubject,
  sqlSourceOf,
  type SqlSubject,
} from "../suites/sql_subjects.ts";

const ids = (payloads: readonly unknown[]) => payloads.map((payload) => (payload as { id: number }).id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const TIMESTAMP = { mysql: "datetime(6)", postgres: "timestamp", sqlite: "text" } as const;
const TEXT_KEY = { mysql: "varchar(20)", postgres: "text", sqlite: "text collate nocase" } as const;

type Step = (subject: SqlSubject) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "S02: rows of one moment over the border of a page are neither lost nor repeated": async (subject) => {
    const query = "select * from ties";
    await subject.run(
      `create table ties (id int primary key, at ${TIMESTAMP[subject.driver]}, note varchar(10))`,
    );
    const values = range(1, 25).map((id) => `(${id}, '2026-03-01 10:00:00.123456', 'n')`);
    await subject.run(`insert into ties values ${values.join(", ")}, (26, '2026-03-01 10:00:00.123457', null)`);
    const keyset = { query, cursor: { column: "at" }, pagination: { key: ["at", "id"], page_size: 10 } };
    assert.deepEqual(ids((await pullAll(subject, keyset)).payloads), range(1, 26));
    for (const page_size of [1, 10, 25, 26]) {
      const tied = await pullAll(subject, { query, cursor: { column: "at" }, pagination: { key: "at", page_size } });
      assert.deepEqual(ids(tied.payloads).sort((a, b) => a - b), range(1, 26), `${page_size}`);
      const again = await pullAll(
        subject,
        { query, cursor: { column: "at" }, pagination: { key: "at", page_size } },
        tied.state,
      );
      assert.deepEqual(again.payloads, []);
    }
  },

  "S02: a run that is killed after a page goes on without losing the rest of a tie": async (subject) => {
    for (const key of ["at", ["at", "id"]]) {
      const block = { query: "select * from ties", cursor: { column: "at" }, pagination: { key, page_size: 10 } };
      const seen = new Set<number>();
      let state: Uint8Array | undefined;
      // Each life ends after its first page is committed, as by a kill.
      for (let life = 0; life < 5; life++) {
        const source = sqlSourceOf(subject, block);
        const collected = new CollectingEmit();
        await source.init(state);
        await source.pull?.(collected.emit, new AbortController().signal);
        const first = collected.emissions[0]?.ends.length ?? 0;
        for (const text of collected.texts.slice(0, first)) seen.add(JSON.parse(text).id);
        state = await source.commit(first, new AbortController().signal) ?? state;
        await source.close();
      }
      assert.deepEqual([...seen].sort((a, b) => a - b), range(1, 26));
    }
  },

  "texts that the database takes for equal are one key": async (subject) => {
    await subject.run(`create table folded (id int primary key, word ${TEXT_KEY[subject.driver]})`);
    await subject.run(
      "insert into folded values (1, 'aa'), (2, 'AA'), (3, 'aA'), (4, 'Aa'), (5, 'b'), (6, 'B'), (7, 'c')",
    );
    for (const page_size of [1, 2, 3, 5]) {
      const { payloads } = await pullAll(subject, {
        query: "select * from folded",
        pagination: { key: "word", page_size },
      });
      assert.deepEqual(ids(payloads).sort((a, b) => a - b), range(1, 7));
    }
  },

  "a NULL in the key is refused": async (subject) => {
    await subject.run(`create table nulls (id int primary key, at ${TIMESTAMP[subject.driver]})`);
    await subject.run("insert into nulls values (1, '2026-01-01 00:00:00'), (2, null)");
    const block = { query: "select * from nulls", cursor: { column: "at" }, pagination: { key: ["at", "id"] } };
    await assert.rejects(pullAll(subject, block), { code: "source_failed", message: /NULL in the key \(at, id\)/ });
    const kept = { ...block, query: "select * from nulls where at is not null" };
    assert.deepEqual(ids((await pullAll(subject, kept)).payloads), [1]);
  },

  "a second run finds what is new, a changed query begins anew": async (subject) => {
    await subject.run("create table growing (id bigint primary key, note varchar(10))");
    await subject.run("insert into growing values (1, 'a'), (2, 'b'), (9007199254740993, 'c')");
    const block = { query: "select * from growing -- all\n", cursor: { column: "id" } };
    const first = await pullAll(subject, block);
    assert.deepEqual(first.texts, ['{"id":1,"note":"a"}', '{"id":2,"note":"b"}', '{"id":9007199254740993,"note":"c"}']);
    await subject.run("insert into growing values (9007199254740994, 'd')");
    const second = await pullAll(subject, { ...block, query: "select *   from growing" }, first.state);
    assert.deepEqual(second.texts, ['{"id":9007199254740994,"note":"d"}']);
    const context = liveContext();
    const changed = { ...block, query: "select id from growing where id < :top", args: { top: 3 } };
    assert.deepEqual(ids((await pullAll(subject, changed, second.state, context)).payloads), [1, 2]);
    assert.ok(context.log.lines.some(({ level }) => level === "warn"));
    const other = { query: "select * from growing", cursor: { column: "note" }, pagination: { key: ["note", "id"] } };
    assert.equal((await pullAll(subject, other, second.state)).payloads.length, 4);
  },

  "without a cursor every run reads everything, by pages or whole": async (subject) => {
    for (const pagination of [{ key: "id", page_size: 2 }, undefined]) {
      const block = {
        query: "select * from growing where id < 3",
        ...(pagination === undefined ? {} : { pagination }),
      };
      const first = await pullAll(subject, block);
      assert.deepEqual(ids(first.payloads), [1, 2]);
      assert.equal(first.state, undefined);
      assert.deepEqual(ids((await pullAll(subject, block, first.state)).payloads), [1, 2]);
    }
  },

  "emit: page makes a message a page": async (subject) => {
    const block = { query: "select id from ties", pagination: { key: "id", page_size: 10 }, emit: "page" };
    const { payloads } = await pullAll(subject, block);
    assert.deepEqual(payloads.map((rows) => ids(rows as unknown[])), [range(1, 10), range(11, 20), range(21, 26)]);
  },

  "a continuous source polls from the watermark on": async (subject) => {
    await subject.run("create table polled (id int primary key)");
    const source = sqlSourceOf(subject, {
      query: "select * from polled",
      cursor: { column: "id" },
      poll_every_ms: 20,
    });
    const collected = new CollectingEmit();
    const stop = new AbortController();
    await source.init(undefined);
    const running = source.run(collected.emit, stop.signal);
    try {
      for (let id = 1; id <= 3; id++) {
        await subject.run(`insert into polled values (${id})`);
        await collected.untilMessages(id);
      }
    } finally {
      stop.abort();
      await running;
      await source.close();
    }
    assert.deepEqual(collected.texts, ['{"id":1}', '{"id":2}', '{"id":3}']);
    assert.deepEqual(collected.messages.map(({ meta }) => meta["sql_cursor"]), ["1", "2", "3"]);
  },

  "what cannot be read is told by name": async (subject) => {
    const failing = async (block: Record<string, unknown>, message: RegExp) =>
      await assert.rejects(pullAll(subject, block as never), { code: "source_failed", message });
    await failing({ query: "select id from ties", cursor: { column: "at" } }, /no column at; it gives id/);
    await failing({ query: "select * from nowhere", cursor: { column: "id" } }, /nowhere/);
    await failing({ query: "select id, id from ties" }, /two columns named id|Duplicate column name 'id'/);
  },
};

async function runSteps(context: Deno.TestContext, subject: SqlSubject): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) {
    await context.step(`${subject.driver}: ${name}`, () => step(subject));
  }
}

Deno.test("sql source: pages of sqlite", async (context) => {
  using subject = new SqliteSubject();
  await runSteps(context, subject);
});

serverTest("sql source: pages of postgres", ["postgres"], async (context) => {
  await using server = await PostgresServer.start();
  const subject = postgresSubject(server);
  await runSteps(context, subject);
  await context.step(
    "S03: a row that is committed late is not passed by where the lag is long enough",
    () => late(subject, server),
  );
  await context.step(
    "S03: rows in the order of their transactions are not passed by either",
    () => byTransaction(subject, server),
  );
  await context.step("a lag needs a column with date and time", async () => {
    const block = { query: "select * from growing", cursor: { column: "id", lag: "1s" } };
    await assert.rejects(pullAll(subject, block), { code: "source_failed", message: /date and time/ });
  });
});

serverTest("sql source: pages of mariadb", ["mariadb"], async (context) => {
  await using server = await MariadbServer.start({ settings: { "default-time-zone": "+09:00" } });
  const subject = mariadbSubject(server);
  await runSteps(context, subject);
  await context.step("cursor.lag holds young rows back, by the server's clock in the server's zone", async () => {
    for (const type of ["datetime(6)", "timestamp(6)"]) {
      await subject.run(`create or replace table lagging (id int primary key, at ${type} not null default now(6))`);
      await subject.run("insert into lagging values (1, now(6) - interval 1 hour), (2, default)");
      const block = { query: "select * from lagging", cursor: { column: "at", lag: "10m" } };
      assert.deepEqual(ids((await pullAll(subject, block)).payloads), [1], type);
    }
  });
});

/** Two sessions: the one that began first commits last. */
async function late(subject: SqlSubject, server: PostgresServer): Promise<void> {
  await subject.run("create table late (id serial primary key, at timestamptz not null default clock_timestamp())");
  const slow = server.sql("begin; insert into late default values; select pg_sleep(1.5); commit");
  await server.untilRunning("pg_sleep(1.5)");
  await subject.run("insert into late default values");
  const block = { query: "select * from late", pagination: { key: ["at", "id"] } };
  const hasty = { ...block, cursor: { column: "at" } };
  const patient = { ...block, cursor: { column: "at", lag: "2500ms" } };
  const [hastyFirst, patientFirst] = [await pullAll(subject, hasty), await pullAll(subject, patient)];
  await slow;
  assert.deepEqual(ids(hastyFirst.payloads), [2]);
  assert.deepEqual(ids(patientFirst.payloads), []);
  // Without a lag the row is behind the watermark before it can be seen: that is what the lag is for.
  assert.deepEqual(ids((await pullAll(subject, hasty, hastyFirst.state)).payloads), []);
  await server.sql("select pg_sleep(2)");
  assert.deepEqual(ids((await pullAll(subject, patient, patientFirst.state)).payloads), [1, 2]);
}

/** As {@linkcode late}, by the number of the transaction, of which none under way can still precede what is read. */
async function byTransaction(subject: SqlSubject, server: PostgresServer): Promise<void> {
  await subject.run("create table told (id serial primary key, xid xid8 not null default pg_current_xact_id())");
  const slow = server.sql("begin; insert into told default values; select pg_sleep(1); commit");
  await server.untilRunning("pg_sleep(1)");
  await subject.run("insert into told default values");
  const block = {
    query: "select * from told where xid < pg_snapshot_xmin(pg_current_snapshot())",
    cursor: { column: "xid" },
    pagination: { key: ["xid", "id"], page_size: 1 },
  };
  const first = await pullAll(subject, block);
  assert.deepEqual(ids(first.payloads), []);
  await slow;
  const second = await pullAll(subject, block, first.state);
  assert.deepEqual(ids(second.payloads), [1, 2]);
  assert.deepEqual(ids((await pullAll(subject, block, second.state)).payloads), []);
}
