/** What the `sql` source does when its server goes away, and what the server sees when the source is stopped. */

import assert from "node:assert/strict";
import { CollectingEmit, type Source } from "../../src/plugin/mod.ts";
import { freePorts } from "../servers/server_process.ts";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { WeakLink } from "../servers/weak_link.ts";
import {
  liveContext,
  mariadbSubject,
  postgresSubject,
  type SqlBlock,
  sqlSourceOf,
  type SqlSubject,
} from "../suites/sql_subjects.ts";
import { until } from "../servers/server_process.ts";

const ROWS = 20_000;

/** What the two servers have in common here. */
interface Server {
  readonly port: number;
  runningStatements(): Promise<string[]>;
  untilRunning(text: string): Promise<void>;
  killSessions(): Promise<number>;
}

/** A source that runs, and what it has emitted. */
class Running implements AsyncDisposable {
  readonly collected = new CollectingEmit();
  readonly stop = new AbortController();
  readonly ended: Promise<void>;
  readonly #source: Source;

  constructor(source: Source, mode: "run" | "pull") {
    this.#source = source;
    source.init(undefined);
    const work = mode === "run" ? source.run(this.collected.emit, this.stop.signal) : undefined;
    this.ended = work ?? source.pull?.(this.collected.emit, this.stop.signal) ?? Promise.resolve();
    // Whoever waits for the end is told; a test that fails before does not care.
    this.ended.catch(() => {});
  }

  get ids(): number[] {
    return this.collected.texts.map((text) => JSON.parse(text).id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.ended.catch(() => {});
    await this.#source.close();
  }
}

/** The same database through a link that can be cut. */
function through(subject: SqlSubject, link: WeakLink, server: Server): SqlSubject {
  return { ...subject, dsn: subject.dsn.replace(`:${server.port}/`, `:${link.port}/`) };
}

async function lostInAPage(subject: SqlSubject, server: Server): Promise<void> {
  await using link = new WeakLink(server.port);
  const context = liveContext();
  const block: SqlBlock = { query: "select id, filler from numbers", pagination: { key: "id", page_size: 500 } };
  const source = sqlSourceOf(through(subject, link, server), block, context);
  link.cutAfter(700_000);
  await using running = new Running(source, "pull");
  await running.ended;
  assert.equal(new Set(running.ids).size, ROWS);
  assert.deepEqual(
    running.ids,
    Array.from({ length: ROWS }, (_, i) => i + 1),
    "goes on behind the last row that was sent",
  );
  assert.ok(link.connections >= 2);
  assert.ok(
    context.log.lines.some(({ level, fields }) => level === "warn" && !JSON.stringify(fields).includes("secret")),
  );
}

async function endedByTheServer(subject: SqlSubject, server: Server): Promise<void> {
  const source = sqlSourceOf(subject, { query: "select id from numbers", cursor: { column: "id" }, poll_every_ms: 50 });
  await using running = new Running(source, "run");
  await running.collected.untilMessages(ROWS);
  await server.killSessions();
  await subject.run(`insert into numbers values (${ROWS + 1}, 'x')`);
  await running.collected.untilMessages(ROWS + 1);
  await subject.run(`delete from numbers where id > ${ROWS}`);
  assert.equal(running.ids.length, ROWS + 1);
}

async function stopsItsQuery(subject: SqlSubject, server: Server, sleep: string): Promise<void> {
  const source = sqlSourceOf(subject, { query: `select 1 as id, ${sleep} as slept from numbers where id = 1` });
  await using running = new Running(source, "pull");
  await server.untilRunning("as slept");
  const startMs = performance.now();
  running.stop.abort();
  await running.ended;
  const stillRunning = async () => (await server.runningStatements()).some((text) => text.includes("as slept"));
  await until("the server has given up the query", async () => !(await stillRunning()));
  assert.ok(performance.now() - startMs < 5_000);
}

async function stopsBesideASilentServer(subject: SqlSubject, server: Server, sleep: string): Promise<void> {
  await using link = new WeakLink(server.port);
  const source = sqlSourceOf(through(subject, link, server), {
    query: `select 1 as id, ${sleep} as silent from numbers where id = 1`,
  });
  await using running = new Running(source, "pull");
  await server.untilRunning("as silent");
  link.stall();
  const startMs = performance.now();
  running.stop.abort();
  await running.ended;
  assert.ok(performance.now() - startMs < 10_000);
  await server.killSessions();
}

async function waitsForTheServer(subject: SqlSubject, server: Server): Promise<void> {
  const [port = 0] = freePorts(1);
  const dsn = subject.dsn.replace(`:${server.port}/`, `:${port}/`);
  const context = liveContext();
  const source = sqlSourceOf(
    { ...subject, dsn },
    { query: "select id from numbers", cursor: { column: "id" } },
    context,
  );
  await using running = new Running(source, "run");
  await context.log.untilLines(2);
  assert.ok(context.log.lines.every(({ level }) => level === "warn"));
  using listener = Deno.listen({ hostname: "127.0.0.1", port });
  const carried = carry(listener, server.port);
  await running.collected.untilMessages(ROWS);
  running.stop.abort();
  await running.ended;
  listener.close();
  await carried;
}

/** Carries every connection to the server: it is as if the server itself listened there now. */
async function carry(listener: Deno.TcpListener, port: number): Promise<void> {
  const served: Promise<unknown>[] = [];
  for await (const client of listener) {
    const server = await Deno.connect({ hostname: "127.0.0.1", port });
    served.push(Promise.allSettled([
      client.readable.pipeTo(server.writable),
      server.readable.pipeTo(client.writable),
    ]));
  }
  await Promise.all(served);
}

async function refusedLogin(subject: SqlSubject): Promise<void> {
  const dsn = subject.dsn.replace("-secret@", "-wrong%40secret@");
  const source = sqlSourceOf({ ...subject, dsn }, { query: "select 1 as one" });
  await using running = new Running(source, "run");
  await assert.rejects(running.ended, ({ code, message }: { code: string; message: string }) => {
    assert.equal(code, "source_failed");
    assert.ok(!message.includes("secret"), message);
    return true;
  });
}

async function steps(context: Deno.TestContext, subject: SqlSubject, server: Server, sleep: string): Promise<void> {
  await subject.run("create table numbers (id int primary key, filler varchar(100))");
  const values = (from: number) => Array.from({ length: 1000 }, (_, i) => `(${from + i}, '${"x".repeat(60)}')`);
  for (let from = 1; from <= ROWS; from += 1000) await subject.run(`insert into numbers values ${values(from).join()}`);
  const step = (name: string, fn: () => Promise<void>) => context.step(`${subject.driver}: ${name}`, fn);
  await step(
    "a connection that is lost in a page is made again, and no row is lost or doubled",
    () => lostInAPage(subject, server),
  );
  await step("a session that is ended by an administrator is begun again", () => endedByTheServer(subject, server));
  await step("a stopped run cancels its query on the server", () => stopsItsQuery(subject, server, sleep));
  await step(
    "a server that falls silent does not hold a stopped run",
    () => stopsBesideASilentServer(subject, server, sleep),
  );
  await step(
    "a continuous source waits for a server that is down at its start",
    () => waitsForTheServer(subject, server),
  );
  await step("a refused login ends it, without the password in the error", () => refusedLogin(subject));
}

serverTest("sql source: a postgres that goes away", ["postgres"], async (context) => {
  await using server = await PostgresServer.start();
  await steps(context, postgresSubject(server), server, "pg_sleep(30)::text");
});

serverTest("sql source: a mariadb that goes away", ["mariadb"], async (context) => {
  await using server = await MariadbServer.start();
  await steps(context, mariadbSubject(server), server, "sleep(30)");
});
