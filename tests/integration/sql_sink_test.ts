/** The `sql` sink against real databases: values, updates by a key, poison, losses, what cannot be written at all. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/base/mod.ts";
import { PartialWriteError, type Sink, SinkError, testBatch } from "../../src/plugin/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { until } from "../servers/server_process.ts";
import { WeakLink } from "../servers/weak_link.ts";
import {
  liveContext,
  mariadbSubject,
  postgresSubject,
  pullAll,
  type SqlBlock,
  SqliteSubject,
  sqlSinkOf,
  type SqlSubject,
} from "../suites/sql_subjects.ts";

const never = new AbortController().signal;

/** Does something with a sink that is open. */
async function withSink<T>(subject: SqlSubject, block: SqlBlock, work: (sink: Sink) => Promise<T>): Promise<T> {
  const sink = sqlSinkOf(subject, block);
  await sink.open?.();
  try {
    return await work(sink);
  } finally {
    await sink.close();
  }
}

const write = async (sink: Sink, texts: readonly string[]) => await sink.write(testBatch(texts), never);

/** What a write failed with; messages of a partial failure by their index. */
async function failureOf(sink: Sink, texts: readonly string[]): Promise<SinkError> {
  try {
    await write(sink, texts);
  } catch (caught) {
    assert.ok(caught instanceof SinkError);
    return caught;
  }
  assert.fail("the write succeeded");
}

function failedIndexes(error: SinkError): readonly number[] {
  assert.ok(error instanceof PartialWriteError, error.message);
  return error.failures.map(({ index }) => index).sort((a, b) => a - b);
}

/** A table whose rows go out and come in again as they were. */
const KINDS: { readonly [driver in SqlSubject["driver"]]: string } = {
  postgres: "id bigint primary key, amount numeric(30,10), at timestamptz, plain timestamp, doc jsonb, raw bytea, " +
    "words text[], nums bigint[], flag boolean, ratio float8, note varchar(10), uid uuid",
  mysql: "id bigint primary key, amount decimal(30,10), at timestamp(6) null, plain datetime(6), doc json, raw blob, " +
    "flag bit(1), ratio double, note varchar(10)",
  sqlite: "id integer primary key, amount text, at text, doc text, raw blob, ratio real, note text",
};
const ROWS: { readonly [driver in SqlSubject["driver"]]: string } = {
  postgres: "(9223372036854775807, 12345678901234567890.0123456789, '2026-01-02 03:04:05.000001Z', " +
    `'2026-01-02 03:04:05.123456', '{"a": 9007199254740993, "b": [1, null, "\\u00fc"]}', '\\x00ff', ` +
    `array['a,b', null, '"'], array[9007199254740993], false, 1e300, 'grü🤗''\\', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), ` +
    "(1, null, null, null, null, null, null, null, null, null, null, null)",
  mysql: "(9223372036854775807, 12345678901234567890.0123456789, '2026-01-02 03:04:05.000001', " +
    `'2026-01-02 03:04:05.123456', '{"a":9007199254740993,"b":[1,null]}', x'00ff', b'0', 1e300, 'grü🤗''\\\\'), ` +
    "(1, null, null, null, null, null, null, null, null)",
  sqlite:
    "(9223372036854775807, '12345678901234567890.01', '2026-01-02T03:04:05.000001Z', '{\"a\": 1}', x'00ff', 1e300, " +
    "'grü🤗'), (1, null, null, null, null, null, null)",
};

type Step = (subject: SqlSubject) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "what the source gives the sink puts back, exactly": async (subject) => {
    for (const table of ["kinds", "copies"]) await subject.run(`create table ${table} (${KINDS[subject.driver]})`);
    await subject.run(`insert into kinds values ${ROWS[subject.driver]}`);
    const block = (table: string) => ({ query: `select * from ${table}`, cursor: { column: "id" } });
    const { texts } = await pullAll(subject, block("kinds"));
    const payloads = texts.map(exact);
    await withSink(
      subject,
      { table: "copies" },
      (sink) => sink.write(batchOfPayloads(texts, payloads), never) as Promise<void>,
    );
    assert.deepEqual((await pullAll(subject, block("copies"))).texts, texts);
  },

  "upsert: a row of the key is updated by the members that are there, the last of a batch wins": async (subject) => {
    await subject.run(
      "create table stock (shop int, sku varchar(10), amount int, note varchar(10), primary key (shop, sku))",
    );
    await withSink(subject, { table: "stock", mode: "upsert", key: ["shop", "sku"] }, async (sink) => {
      await write(sink, ['{"shop":1,"sku":"a","amount":1,"note":"x"}', '{"shop":1,"sku":"b","amount":2}']);
      await write(sink, [
        ...['{"shop":1,"sku":"a","amount":5}', '{"sku":"a","shop":1,"amount":6}', '{"shop":2,"sku":"a"}'],
        ...['{"shop":1,"sku":"b","note":"y"}', '{"shop":1,"sku":"b","amount":null}', '{"shop":2,"sku":"a"}'],
      ]);
      const keyless = await failureOf(sink, ['{"shop":1,"amount":9}', '{"shop":3,"sku":"c","amount":9}']);
      assert.deepEqual([failedIndexes(keyless), keyless.retryable], [[0], false]);
    });
    assert.deepEqual(await subject.rows("select * from stock order by shop, sku"), [
      ["1", "a", "6", "x"],
      ["1", "b", null, "y"],
      ["2", "a", null, null],
      ["3", "c", "9", null],
    ]);
  },

  "a message that no table takes fails alone, and for good": async (subject) => {
    await subject.run("create table strict (id int primary key, note varchar(5))");
    await withSink(subject, { table: "strict" }, async (sink) => {
      const texts = ['{"id":1}', '{"id":2,"other":1}', "[3]", '{"id":4,"note":"\\ud800"}', "{}", '{"id":6}'];
      const error = await failureOf(sink, texts);
      assert.deepEqual([failedIndexes(error), error.retryable], [[1, 2, 3, 4], false]);
      const again = await failureOf(sink, ['{"id":7}', '{"id":6}']);
      assert.equal(again.retryable, false);
    });
    const ids = (await subject.rows("select id from strict order by id")).map(([id]) => id);
    // A server refuses the whole of a transaction, and the engine halves it until the culprit is alone.
    assert.deepEqual(ids, subject.driver === "sqlite" ? ["1", "6", "7"] : ["1", "6"]);
  },

  "a column that is added later is found": async (subject) => {
    await subject.run("create table wider (id int primary key)");
    const context = liveContext();
    let skippedMs = 0;
    const clock = { ...systemClock, monotonic: () => performance.now() + skippedMs };
    const sink = sqlSinkOf(subject, { table: "wider" }, { ...context, clock });
    await sink.open?.();
    try {
      await subject.run("alter table wider add column note varchar(5)");
      assert.deepEqual(failedIndexes(await failureOf(sink, ['{"id":1,"note":"a"}'])), [0]);
      skippedMs = 10_000;
      await write(sink, ['{"id":1,"note":"a"}']);
    } finally {
      await sink.close();
    }
    assert.deepEqual(await subject.rows("select * from wider"), [["1", "a"]]);
  },

  "a statement runs for each message, with values from expressions": async (subject) => {
    await subject.run("create table counts (word varchar(20) primary key, seen int not null)");
    await subject.run("insert into counts values ('it''s', 0), (':word', 0)");
    const block = {
      statement: "update counts set seen = seen + :by where word = :word and ':word' <> word -- :no",
      bindings: { word: "payload.word", by: "int(payload.by)" },
    };
    await withSink(subject, block, async (sink) => {
      const batch = ['{"word":"it\'s","by":1}', '{"by":1}', '{"word":"it\'s","by":2}', '{"word":":word","by":9}'];
      assert.deepEqual(failedIndexes(await failureOf(sink, batch)), [1]);
    });
    assert.deepEqual(await subject.rows("select word, seen from counts order by seen"), [[":word", "0"], [
      "it's",
      "3",
    ]]);
  },

  "a table or a key that is not there keeps the engine from starting": async (subject) => {
    await subject.run("create table keyless (id int, note varchar(5))");
    const opening = async (block: SqlBlock) => await sqlSinkOf(subject, block).open?.();
    const fatal = { code: "node_failed" };
    await assert.rejects(opening({ table: "nowhere" }), fatal);
    await assert.rejects(opening({ table: "keyless", mode: "upsert", key: "id" }), fatal);
    await assert.rejects(opening({ table: "keyless", mode: "upsert", key: "other" }), fatal);
    if (subject.driver === "sqlite") await assert.rejects(opening({ table: "keyless", dsn: "nowhere.db" }), fatal);
  },
};

/** A row as the json codec decodes it: long integers as bigint. */
function exact(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (...args: [string, unknown, { source?: string }]) => unknown,
  ) => unknown;
  return parse(
    text,
    (_key, value, { source = "" }) =>
      typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
  );
}

function batchOfPayloads(texts: readonly string[], payloads: readonly unknown[]) {
  const batch = testBatch(texts);
  return { ...batch, message: (index: number) => batch.message(index).derive({ payload: payloads[index] }) };
}

async function runSteps(context: Deno.TestContext, subject: SqlSubject): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) {
    await context.step(`${subject.driver}: ${name}`, () => step(subject));
  }
}

/** A server that is cut off and comes back: the write that failed may be tried again, and then succeeds. */
async function comesBack(subject: SqlSubject, port: number): Promise<void> {
  await subject.run("create table link (id int primary key)");
  await using link = new WeakLink(port);
  const linked = { ...subject, dsn: subject.dsn.replace(`:${port}/`, `:${link.port}/`) };
  await withSink(linked, { table: "link" }, async (sink) => {
    await write(sink, ['{"id":1}']);
    await link.refuse();
    for (let i = 0; i < 2; i++) assert.equal((await failureOf(sink, ['{"id":2}'])).retryable, true);
    link.accept();
    await write(sink, ['{"id":2}']);
  });
  assert.deepEqual(await subject.rows("select id from link order by id"), [["1"], ["2"]]);
}

/** A write that is given up is cancelled on the server, and leaves nothing behind. */
async function givesUp(subject: SqlSubject, server: PostgresServer | MariadbServer, sleep: string): Promise<void> {
  await subject.run("create table given (id int primary key)");
  const block = { statement: `insert into given select :id + 0 * ${sleep}`, bindings: { id: "int(payload.id)" } };
  await withSink(subject, block, async (sink) => {
    const stop = new AbortController();
    const writing = sink.write(testBatch(['{"id":1}']), stop.signal);
    await server.untilRunning("insert into given");
    stop.abort(new Error("given up"));
    await assert.rejects(async () => await writing, /given up/);
    const isRunning = async () => (await server.runningStatements()).some((text) => text.includes("insert into given"));
    await until("the server has given up", async () => !(await isRunning()));
  });
  assert.deepEqual(await subject.rows("select id from given"), []);
}

Deno.test("sql sink: sqlite", async (context) => {
  using subject = new SqliteSubject();
  await runSteps(context, subject);
});

serverTest("sql sink: postgres", ["postgres"], async (context) => {
  await using server = await PostgresServer.start();
  const subject = postgresSubject(server);
  await runSteps(context, subject);
  await context.step("a server that comes back", () => comesBack(subject, server.port));
  await context.step(
    "a write that is given up",
    () => givesUp(subject, server, "(select 1 from (select pg_sleep(30)) s)"),
  );
  await context.step("a zero byte is refused in text, and so is text that would be cut", async () => {
    await subject.run('create schema "Odd"; create table "Odd"."T" (id int, c character(3), v varchar(3), j json)');
    await withSink(subject, { table: "Odd.T" }, async (sink) => {
      const error = await failureOf(sink, ['{"id":1,"v":"a\\u0000"}', '{"id":2,"c":"ab","v":"abc"}']);
      assert.deepEqual(failedIndexes(error), [0]);
      for (const cut of ['{"c":"abcd"}', '{"v":"abcd"}']) assert.equal((await failureOf(sink, [cut])).retryable, false);
    });
    assert.deepEqual(await subject.rows('select id, c, v from "Odd"."T"'), [["2", "ab ", "abc"]]);
  });
  await context.step("a serialization failure may be tried again", async () => {
    await subject.run("create table locked (id int primary key, n int); insert into locked values (1, 0)");
    const dsn = `${subject.dsn}?lock_timeout=200`;
    const block = { statement: "update locked set n = :n", bindings: { n: "int(payload.n)" } };
    await withSink({ ...subject, dsn }, block, async (sink) => {
      const holding = server.sql("begin; update locked set n = 1; select pg_sleep(1); commit");
      await server.untilRunning("pg_sleep(1)");
      assert.equal((await failureOf(sink, ['{"n":2}'])).retryable, true);
      await holding;
      await write(sink, ['{"n":2}']);
    });
  });
});

serverTest("sql sink: mariadb", ["mariadb"], async (context) => {
  await using server = await MariadbServer.start({ settings: { "default-time-zone": "+09:00" } });
  const subject = mariadbSubject(server);
  await runSteps(context, subject);
  await context.step("a server that comes back", () => comesBack(subject, server.port));
  await context.step("a write that is given up", () => givesUp(subject, server, "sleep(30)"));
  await context.step("text that would be cut is refused, and a date with an offset is the same moment", async () => {
    await subject.run("create table moments (at datetime(6), note varchar(3))");
    await withSink(subject, { table: "moments" }, async (sink) => {
      await write(sink, ['{"at":"2026-01-01T01:30:00.123456+05:30"}']);
      assert.equal((await failureOf(sink, ['{"note":"abcd"}'])).retryable, false);
    });
    assert.deepEqual(await subject.rows("select at from moments"), [["2025-12-31 20:00:00.123456"]]);
  });
});
