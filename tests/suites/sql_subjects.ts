/** Owns the databases that tests of the `sql` source and sink run against, each behind the same few calls. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../src/base/mod.ts";
import type { Data } from "../../src/base/mod.ts";
import {
  CollectingEmit,
  type PluginContext,
  Registry,
  type Sink,
  type Source,
  type TestContext,
  testContext,
} from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import type { MariadbServer } from "../servers/mariadb_server.ts";
import type { PostgresServer } from "../servers/postgres_server.ts";

/** A block of the source or the sink. */
export type SqlBlock = { readonly [key: string]: Data };

/** A database, whichever it is. */
export interface SqlSubject {
  readonly driver: "mysql" | "postgres" | "sqlite";
  readonly dsn: string;
  /** Runs statements. */
  run(statements: string): Promise<void>;
  /** The rows of a query, each value as text. */
  rows(query: string): Promise<readonly (readonly (string | null)[])[]>;
}

/** A server's database. */
export function postgresSubject(server: PostgresServer): SqlSubject {
  const rows = (query: string) => server.sql(query);
  return { driver: "postgres", dsn: server.dsn, rows, run: async (statements) => void await server.sql(statements) };
}

/** A server's database. */
export function mariadbSubject(server: MariadbServer): SqlSubject {
  const rows = (query: string) => server.sql(query);
  return { driver: "mysql", dsn: server.dsn, rows, run: async (statements) => void await server.sql(statements) };
}

/** A file in a folder of its own, gone when its scope ends. */
export class SqliteSubject implements SqlSubject, Disposable {
  readonly driver = "sqlite";
  readonly dsn: string;
  readonly #folder: string;

  constructor() {
    this.#folder = Deno.makeTempDirSync({ prefix: "eventboat-sqlite-" });
    this.dsn = `${this.#folder}/test.db`;
    this.#open().close();
  }

  run(statements: string): Promise<void> {
    const database = this.#open();
    database.exec(statements);
    database.close();
    return Promise.resolve();
  }

  rows(query: string): Promise<readonly (readonly (string | null)[])[]> {
    const database = this.#open();
    const statement = database.prepare(query);
    statement.setReadBigInts(true);
    const rows = statement.all().map((row) =>
      Object.values(row).map((value) =>
        value === null ? null : value instanceof Uint8Array ? value.toHex() : `${value}`
      )
    );
    database.close();
    return Promise.resolve(rows);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#folder, { recursive: true });
  }

  #open(): DatabaseSync {
    return new DatabaseSync(this.dsn, { timeout: 5_000 });
  }
}

/** A context whose time passes, for what talks to a real server. */
export function liveContext(): TestContext {
  // What is asked of a held clock only, nobody asks here.
  return { ...testContext(), clock: systemClock as TestContext["clock"] };
}

/** Makes the source. */
export function sqlSourceOf(subject: SqlSubject, block: SqlBlock, context: PluginContext = liveContext()): Source {
  const plugin = new Registry(builtins()).get("source", "sql");
  const parsed = plugin?.definition.parse({ driver: subject.driver, dsn: subject.dsn, ...block });
  assert.ok(plugin !== undefined && parsed?.ok, JSON.stringify(parsed));
  assert.deepEqual(plugin.check?.(parsed.value, context), []);
  return plugin.create(parsed.value, context);
}

/** Makes the sink. */
export function sqlSinkOf(subject: SqlSubject, block: SqlBlock, context: PluginContext = liveContext()): Sink {
  const plugin = new Registry(builtins()).get("sink", "sql");
  const parsed = plugin?.definition.parse({ driver: subject.driver, dsn: subject.dsn, ...block });
  assert.ok(plugin !== undefined && parsed?.ok, JSON.stringify(parsed));
  assert.deepEqual(plugin.check?.(parsed.value, context), []);
  return plugin.create(parsed.value, context);
}

/** What one run to the end gave. */
export interface Pulled {
  readonly texts: readonly string[];
  readonly payloads: readonly unknown[];
  /** The state once everything is committed. */
  readonly state: Uint8Array | undefined;
  readonly emissions: number;
}

/** Runs a source to its end, and commits everything. */
export async function pullAll(
  subject: SqlSubject,
  block: SqlBlock,
  state?: Uint8Array,
  context: PluginContext = liveContext(),
): Promise<Pulled> {
  const source = sqlSourceOf(subject, block, context);
  const collected = new CollectingEmit();
  const { signal } = new AbortController();
  await source.init(state);
  try {
    await source.pull?.(collected.emit, signal);
    const { texts, messages, emissions } = collected;
    const committed = await source.commit(messages.length, signal);
    return {
      texts,
      payloads: texts.map((text) => JSON.parse(text)),
      state: committed ?? state,
      emissions: emissions.length,
    };
  } finally {
    await source.close();
  }
}
