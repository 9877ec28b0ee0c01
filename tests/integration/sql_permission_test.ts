/** Under exactly what its block needs the `sql` source works with every driver, and under less it says what is missing. */

import assert from "node:assert/strict";
import { pipelinePermissions } from "../../src/isolate/mod.ts";
import { type Needs, Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { MariadbServer } from "../servers/mariadb_server.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import type { BoundAnswer } from "../suites/sql_bound_isolate.ts";
import { SqliteSubject } from "../suites/sql_subjects.ts";

type Block = { readonly driver: string; readonly dsn: string; readonly query: string };

function needsOf(block: Block): Needs {
  const plugin = new Registry(builtins()).get("source", "sql");
  const parsed = plugin?.definition.parse(block);
  assert.ok(parsed?.ok);
  return plugin?.needs?.(parsed.value, testContext()) ?? {};
}

async function runUnder(needs: Needs, block: Block): Promise<BoundAnswer> {
  const permissions = pipelinePermissions(needs);
  const worker = new Worker(new URL("../suites/sql_bound_isolate.ts", import.meta.url), {
    type: "module",
    deno: { permissions },
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = (event) => resolve(event.data);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(block);
    });
  } finally {
    worker.terminate();
  }
}

async function works(block: Block): Promise<void> {
  assert.deepEqual(await runUnder(needsOf(block), block), { rows: 1 });
}

async function isRefused(block: Block, without: keyof Needs): Promise<void> {
  const { [without]: _left, ...less } = needsOf(block);
  const refused = await runUnder(less, block);
  assert.ok("code" in refused && refused.code === "permission", JSON.stringify(refused));
  assert.match(refused.message, new RegExp(`${without} access`));
}

Deno.test("sql source: sqlite works under what it needs, with a write-ahead log too", async () => {
  using subject = new SqliteSubject();
  const block = { driver: "sqlite", dsn: subject.dsn, query: "select 1 as one" };
  await isRefused(block, "read");
  await subject.run("pragma journal_mode = wal");
  await works(block);
});

serverTest("sql source: postgres works under what it needs, over TLS", ["postgres"], async () => {
  await using server = await PostgresServer.start({ tls: true });
  const authority = encodeURIComponent(server.tls?.authority ?? "");
  const dsn = `${server.dsn}?sslmode=verify-full&sslrootcert=${authority}`;
  const block = { driver: "postgres", dsn, query: "select 1 as one" };
  await works(block);
  await isRefused(block, "net");
});

serverTest("sql source: mariadb works under what it needs, over TLS", ["mariadb"], async () => {
  await using server = await MariadbServer.start({ tls: true });
  const authority = encodeURIComponent(server.tls?.authority ?? "");
  const dsn = `${server.dsn}?ssl-mode=VERIFY_CA&ssl-ca=${authority}`;
  const block = { driver: "mysql", dsn, query: "select 1 as one" };
  await works(block);
  await isRefused(block, "net");
});
