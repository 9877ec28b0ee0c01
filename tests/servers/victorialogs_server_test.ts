import assert from "node:assert/strict";
import { serverTest } from "./installed.ts";
import { VictoriaLogsServer } from "./victorialogs_server.ts";

serverTest("VictoriaLogsServer: finds what it was sent, also after a stop", ["victorialogs"], async () => {
  await using server = await VictoriaLogsServer.start();
  const line = JSON.stringify({ _time: "2026-01-02T03:04:05.123456789Z", _msg: "boat left", harbour: "Bergen", n: 7 });
  const response = await fetch(server.url("/insert/jsonline?_stream_fields=harbour"), {
    method: "POST",
    headers: { "content-type": "application/stream+json" },
    body: `${line}\n`,
  });
  await response.body?.cancel();
  assert.equal(response.status, 200);
  const [row] = await server.query("harbour:Bergen");
  assert.equal(row?.["_msg"], "boat left");
  assert.equal(row?.["_time"], "2026-01-02T03:04:05.123456789Z");
  assert.equal(row?.["n"], "7");
  assert.equal((await server.metrics()).get('vl_rows_ingested_total{type="jsonline"}'), 1);
  await server.process.stop();
  await server.process.start();
  assert.equal((await server.query("*")).length, 1);
});

serverTest("VictoriaLogsServer: asks for the login, over TLS", ["victorialogs"], async () => {
  await using server = await VictoriaLogsServer.start({ tls: true, login: { user: "boat", password: "secret" } });
  assert.deepEqual(await server.query("*"), []);
  await assert.rejects(fetch(server.url("/health")), TypeError);
});
