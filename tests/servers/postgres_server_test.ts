import assert from "node:assert/strict";
import { serverTest } from "./installed.ts";
import { PostgresServer } from "./postgres_server.ts";

serverTest("PostgresServer: answers over TLS, keeps its data over a stop, ends sessions", ["postgres"], async () => {
  await using server = await PostgresServer.start({ tls: true, settings: { timezone: "Asia/Tokyo" } });
  await server.sql("create table orders (id bigint, note text); insert into orders values (9007199254740993, null)");
  assert.deepEqual(await server.sql("select id, note, '' from orders; show timezone"), [
    ["9007199254740993", null, ""],
    ["Asia/Tokyo"],
  ]);
  assert.deepEqual(await server.sql("show ssl"), [["on"]]);
  await assert.rejects(server.sql("select * from nowhere"));
  await server.process.stop();
  assert.equal(server.process.running, false);
  await server.process.start();
  assert.deepEqual(await server.sql("select count(*) from orders"), [["1"]]);
  const asleep = assert.rejects(server.sql("select pg_sleep(60)"));
  await server.untilRunning("sleep(60)");
  assert.equal(await server.killSessions(), 1);
  await asleep;
});
