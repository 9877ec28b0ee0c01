import assert from "node:assert/strict";
import { serverTest } from "./installed.ts";
import { MariadbServer } from "./mariadb_server.ts";

serverTest("MariadbServer: answers with TLS on, keeps its data over a stop, ends sessions", ["mariadb"], async () => {
  await using server = await MariadbServer.start({ tls: true, settings: { "default-time-zone": "+09:00" } });
  await server.sql("create table orders (id bigint, note text); insert into orders values (9007199254740993, null)");
  assert.deepEqual(await server.sql(`select id, note, '', '<a>&"\n' from orders; select @@time_zone, @@have_ssl`), [
    ["9007199254740993", null, "", '<a>&"\n'],
    ["+09:00", "YES"],
  ]);
  await assert.rejects(server.sql("select * from nowhere"));
  await server.process.stop();
  assert.equal(server.process.running, false);
  await server.process.start();
  assert.deepEqual(await server.sql("select count(*) from orders"), [["1"]]);
  const asleep = assert.rejects(server.sql("select sleep(60)"));
  await server.untilRunning("sleep(60)");
  assert.equal(await server.killSessions(), 1);
  await asleep;
});
