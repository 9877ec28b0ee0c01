/** Values of real databases: every digit, every microsecond, in whatever zone this process and the server are. */

import assert from "node:assert/strict";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { mariadbSubject, postgresSubject, pullAll, SqliteSubject, type SqlSubject } from "../suites/sql_subjects.ts";
import { textsInZone } from "../suites/sql_pull_process.ts";

const ZONES = ["Europe/Paris", "America/St_Johns", "Pacific/Kiritimati"] as const;

/** The members of one row, each as its JSON text. */
async function rowOf(subject: SqlSubject, query: string): Promise<string> {
  const { texts } = await pullAll(subject, { query });
  assert.equal(texts.length, 1);
  return texts[0] ?? "";
}

/** Compares a row with the members it should have, as text: a parsed number would hide a lost digit. */
async function expectRow(subject: SqlSubject, query: string, members: Readonly<Record<string, string>>): Promise<void> {
  const wanted = Object.entries(members).map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",");
  assert.equal(await rowOf(subject, query), `{${wanted}}`);
}

/** Rows a microsecond apart are read one by one, each behind the one before, in any zone. */
async function zones(subject: SqlSubject, type: string, expected: (micro: string) => string): Promise<void> {
  await subject.run(`create table moments (at ${type} not null, primary key (at))`);
  const micros = Array.from({ length: 9 }, (_, i) => `12345${i + 1}`);
  // An hour that is doubled or left out somewhere.
  const moment = (micro: string) => `2026-10-25 02:30:00.${micro}`;
  await subject.run(`insert into moments values ${micros.map((micro) => `('${moment(micro)}')`).join(", ")}`);
  const block = {
    query: "select * from moments where at >= :from",
    args: { from: "2026-10-25 02:30:00" },
    cursor: { column: "at" },
    pagination: { key: "at", page_size: 1 },
  };
  const wanted = micros.map((micro) => `{"at":"${expected(micro)}"}`);
  const found = await Promise.all(ZONES.map((zone) => textsInZone(subject, block, zone)));
  for (const texts of found) assert.deepEqual(texts, wanted);
}

serverTest("sql source: values of postgres", ["postgres"], async (context) => {
  await using server = await PostgresServer.start({ settings: { timezone: "Asia/Kolkata", datestyle: "German" } });
  const subject = postgresSubject(server);
  const row = (members: Readonly<Record<string, readonly [sql: string, json: string]>>) => {
    const query = `select ${Object.entries(members).map(([name, [sql]]) => `${sql} as ${name}`).join(", ")}`;
    return expectRow(
      subject,
      query,
      Object.fromEntries(Object.entries(members).map(([name, [, json]]) => [name, json])),
    );
  };
  await context.step("numbers keep every digit", () =>
    row({
      big: ["9223372036854775807::bigint", "9223372036854775807"],
      small: ["(-32768)::smallint", "-32768"],
      amount: ["12345678901234567890.01234567890::numeric", '"12345678901234567890.01234567890"'],
      whole: ["7::numeric(20,0)", '"7"'],
      nan: ["'NaN'::numeric", '"NaN"'],
      third: ["0.1::float8 + 0.2::float8", "0.30000000000000004"],
      tiny: ["5e-324::float8", "5e-324"],
      single: ["0.1::float4", "0.1"],
      endless: ["'-Infinity'::float8", '"-Infinity"'],
    }));
  await context.step("moments keep microseconds and their offset", () =>
    row({
      plain: ["timestamp '2026-01-02 03:04:05.123456'", '"2026-01-02T03:04:05.123456"'],
      zoned: ["timestamptz '2026-01-02 03:04:05.000001Z'", '"2026-01-02T08:34:05.000001+05:30"'],
      day: ["date '2026-02-03'", '"2026-02-03"'],
      clock: ["time '23:59:59.999999'", '"23:59:59.999999"'],
      never: ["'infinity'::timestamp", '"infinity"'],
      late: ["timestamp '294276-12-31 23:59:59.999999'", '"294276-12-31T23:59:59.999999"'],
      before: ["timestamp '0044-03-15 12:00:00 BC'", '"0044-03-15 12:00:00 BC"'],
    }));
  await context.step("JSON, bytes, lists and all else", async () => {
    await subject.run("create type mood as enum ('glad', 'sad')");
    await row({
      doc: [
        `'{"a":9007199254740993,"b":[1.10,18446744073709551615]}'::json`,
        '{"a":9007199254740993,"b":[1.10,18446744073709551615]}',
      ],
      docb: [`'{"a":9007199254740993}'::jsonb`, '{"a": 9007199254740993}'],
      bytes: ["'\\x00ff10'::bytea", '"AP8Q"'],
      yes: ["true", "true"],
      none: ["null::int", "null"],
      list: ["array[[1,2],[3,null]]::bigint[]", "[[1,2],[3,null]]"],
      words: [`array['a,b','"','NULL',null,'','\\']`, '["a,b","\\"","NULL",null,"","\\\\"]'],
      docs: [`array['{"a":9007199254740993}'::jsonb]`, '[{"a": 9007199254740993}]'],
      uuid: ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
      mood: ["'sad'::mood", '"sad"'],
      text: ["U&'gr\\00FC\\+01F917'", '"grü🤗"'],
    });
  });
  await context.step("placeholders stand for values, and nothing that looks like one is", async () => {
    const query = `select :n::int + 1 as n, ':no' as quoted, 'a'::text as cast_, $$:no$$ as dollars, "x:y" -- :no
      from (select 1 as "x:y" /* :no /* :no */ */) s where :word = 'it''s'`;
    const { texts } = await pullAll(subject, { query, args: { n: 41, word: "it's" } });
    assert.deepEqual(texts, ['{"n":42,"quoted":":no","cast_":"a","dollars":":no","x:y":1}']);
  });
  await context.step(
    "a zone changes nothing: timestamp",
    () => zones(subject, "timestamp", (micro) => `2026-10-25T02:30:00.${micro}`),
  );
  await context.step("a zone changes nothing: timestamptz", async () => {
    await subject.run("drop table moments");
    await zones(subject, "timestamptz", (micro) => `2026-10-25T02:30:00.${micro}+05:30`);
  });
});

serverTest("sql source: values of mariadb", ["mariadb"], async (context) => {
  await using server = await MariadbServer.start({ settings: { "default-time-zone": "-03:30" } });
  const subject = mariadbSubject(server);
  await context.step("numbers, moments, JSON and bytes", async () => {
    await subject.run(`create table kinds (big bigint unsigned, amount decimal(30,10), single float, twice double,
      plain datetime(6), zoned timestamp(6) null, day date, clock time(6), doc json, bytes blob, few varbinary(3), flag bit(1),
      bits bit(64), word varchar(20) character set latin1, mood enum('glad','sad'), yes boolean, none int)`);
    await subject.run(
      `set time_zone = '+00:00'; insert into kinds values (18446744073709551615, '12345678901234567890.0123456789', 0.1,
      0.30000000000000004, '2026-01-02 03:04:05.123456', '2026-01-02 03:04:05.000001', '2026-02-03', '-838:59:59.000001',
      '{"a":9007199254740993,"b":[1.10]}', x'00ff10', x'ff', b'1', x'ffffffffffffffff', 'grüße', 'sad', true, null)`,
    );
    await expectRow(subject, "select * from kinds", {
      big: "18446744073709551615",
      amount: '"12345678901234567890.0123456789"',
      single: "0.1",
      twice: "0.30000000000000004",
      plain: '"2026-01-02T03:04:05.123456"',
      zoned: '"2026-01-02T03:04:05.000001Z"',
      day: '"2026-02-03"',
      clock: '"-838:59:59.000001"',
      doc: '{"a":9007199254740993,"b":[1.10]}',
      bytes: '"AP8Q"',
      few: '"/w=="',
      flag: "true",
      bits: "18446744073709551615",
      word: '"grüße"',
      mood: '"sad"',
      yes: "1",
      none: "null",
    });
  });
  await context.step("keys beyond 2^53 and long decimals are gone on after", async () => {
    await subject.run("create table fine (id bigint unsigned primary key, amount decimal(30,10) unique)");
    const values = Array.from({ length: 9 }, (_, i) => `(1844674407370955160${i}, 12345678901234567890.012345678${i})`);
    await subject.run(`insert into fine values ${values.join(", ")}`);
    for (const key of ["id", "amount"]) {
      const { texts } = await pullAll(subject, { query: "select * from fine", pagination: { key, page_size: 1 } });
      const digits = Array.from({ length: 9 }, (_, i) => {
        return `{"id":1844674407370955160${i},"amount":"12345678901234567890.012345678${i}"}`;
      });
      assert.deepEqual(texts, digits, key);
    }
  });
  await context.step(
    "a zone changes nothing: datetime",
    () => zones(subject, "datetime(6)", (micro) => `2026-10-25T02:30:00.${micro}`),
  );
  await context.step("a column that no comparison finds again is refused as a key", async () => {
    const block = { query: "select single from kinds", cursor: { column: "single" } };
    await assert.rejects(pullAll(subject, block), { code: "source_failed", message: /single is float/ });
  });
});

Deno.test("sql source: values of sqlite", async (context) => {
  using subject = new SqliteSubject();
  await context.step("each value by its own type", () =>
    expectRow(
      subject,
      "select 9223372036854775807 as big, 0.1 + 0.2 as third, 1e999 as endless, x'00ff10' as bytes, 'grü🤗' as word, " +
        "null as none, 5.0 as whole",
      {
        big: "9223372036854775807",
        third: "0.30000000000000004",
        endless: '"Infinity"',
        bytes: '"AP8Q"',
        word: '"grü🤗"',
        none: "null",
        whole: "5",
      },
    ));
  await context.step("a column of several types is read in the database's order", async () => {
    await subject.run("create table mixed (k)");
    await subject.run("insert into mixed values (2), ('b'), (1.5), (x'00'), ('B'), (9007199254740993), (x'01'), (-1)");
    for (const page_size of [1, 3]) {
      const { texts } = await pullAll(subject, { query: "select k from mixed", pagination: { key: "k", page_size } });
      assert.deepEqual(texts.map((text) => text.slice(5, -1)), [
        ...["-1", "1.5", "2", "9007199254740993"],
        ...['"B"', '"b"', '"AA=="', '"AQ=="'],
      ]);
    }
  });
  await context.step("a zone changes nothing", () => zones(subject, "text", (micro) => `2026-10-25 02:30:00.${micro}`));
});
