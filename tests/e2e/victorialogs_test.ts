/** VictoriaLogs and the whole program: what was sent is what the server's own query gives. */

import assert from "node:assert/strict";
import { SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";
import { missingOf } from "../servers/installed.ts";
import { VictoriaLogsServer } from "../servers/victorialogs_server.ts";
import { testNeeding } from "../suites/needing.ts";
import { copyExample, programTest, RunningProgram, runProgram, type Subject } from "./program.ts";

/** A test for each way to start the program, with a server. */
function logsTest(
  name: string,
  fn: (subject: Subject, folder: string, server: VictoriaLogsServer) => Promise<void>,
): void {
  const missing = missingOf("victorialogs");
  if (missing !== undefined) {
    return testNeeding(name, `${missing}: run "deno run --allow-all scripts/servers.ts install"`, () => {});
  }
  programTest(name, async (subject, folder) => {
    await using server = await VictoriaLogsServer.start();
    await fn(subject, folder, server);
  });
}

logsTest(
  "example collector/victorialogs: every entry is found by the server's query",
  async (subject, folder, server) => {
    const cwd = copyExample("collector", folder);
    const logs = [...Deno.readDirSync(`${cwd}/logs`)].map(({ name }) => Deno.readTextFileSync(`${cwd}/logs/${name}`));
    const begins = /^(\d{4}-\d{2}-\d{2}) (\S+) (\w+)/gm;
    const expected = logs.flatMap((text) =>
      [...text.matchAll(begins)].map(([, day, time, level = ""]) => `${day}T${time}Z ${level.toLowerCase()}`)
    ).sort();
    const args = ["run", "--config", "victorialogs.yaml"];
    await using program = new RunningProgram(subject, args, { cwd, env: { LOGS_URL: server.url("") } });
    await program.until(
      "all entries arrived",
      async () => (await server.query("*")).length >= expected.length || undefined,
    );
    program.kill("SIGTERM");
    assert.equal((await program.finished()).code, 0);
    const rows = await server.query("*");
    // The server writes times without the zeros at their end.
    const found = rows.map((row) => `${new Date(row["_time"] ?? "").toISOString()} ${row["level"]}`);
    assert.deepEqual(found.sort(), expected);
    assert.equal(new Set(rows.map((row) => row["message_id"])).size, expected.length);
    assert.ok(rows.every((row) => row["cluster"] === "harbour-1"));
    const [error] = rows.filter((row) => row["level"] === "error");
    assert.equal(error?.["_msg"]?.split("\n\tat ").length, 5);
    const streams = new Set(rows.map((row) => row["_stream"]));
    assert.equal(streams.size, 2);
  },
);

logsTest("victorialogs: bad lines are dead letters here, and no line is lost there", async (subject, cwd, server) => {
  const texts = Array.from({ length: 200 }, (_, n) => {
    if (n % 10 === 3) return `[${n}]`;
    if (n % 10 === 7) return `{"n":${n},"ts":"soon"}`;
    if (n === 50) return `{"n":${n},"long":"${"x".repeat(2000)}"}`;
    return `{"n":${n},"ts":${1767225600000 + n},"message":"line ${n}","deep":{"er":[${n},null]}}`;
  });
  const good = texts.map((_, n) => n).filter((n) => n % 10 !== 3 && n % 10 !== 7 && n !== 50);
  await Deno.writeTextFile(`${cwd}/in.ndjson`, texts.map((text) => `${text}\n`).join(""));
  await Deno.writeTextFile(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: lines }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
sinks:
  out:
    depends_on: in
    victorialogs:
      url: "${server.url("")}"
      stream_fields: [app]
      time_field: ts
      msg_field: message
      extra_fields: { app: boat }
      account_id: 3
      project_id: 4
      max_line_bytes: 1000
`,
  );
  const { code, stdout, stderr } = await runProgram(subject, ["run", "--json", "--config", "pipeline.yaml"], { cwd });
  assert.equal(code, 1, stderr);
  assert.equal(JSON.parse(stdout).status, "partial", stdout);
  // Another tenant has nothing.
  assert.deepEqual(await server.query("*"), []);
  const rows = await server.query("app:boat", { AccountID: "3", ProjectID: "4" });
  assert.deepEqual(rows.map((row) => Number(row["n"])).sort((a, b) => a - b), good);
  for (const row of rows) {
    const n = Number(row["n"]);
    assert.equal(row["_msg"], `line ${n}`);
    assert.equal(Date.parse(row["_time"] ?? ""), 1767225600000 + n);
    assert.equal(row["deep.er"], `[${n},null]`);
  }
  assert.equal(await letterCount(cwd), texts.length - good.length);
  assert.equal((await server.metrics()).get('vl_http_errors_total{path="/insert/jsonline"}'), 0);
});

logsTest("victorialogs: a server that is down is waited for, and nothing is missing", async (subject, cwd, server) => {
  const lines = Array.from({ length: 500 }, (_, n) => `{"n":${n},"_msg":"line"}\n`);
  await Deno.writeTextFile(`${cwd}/in.ndjson`, lines.join(""));
  await Deno.writeTextFile(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: lines }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
sinks:
  out:
    depends_on: { in: { delivery: { retries: 1000, backoff: constant } } }
    victorialogs: { url: "${server.url("")}", stream_fields: [app], time_field: _time, msg_field: _msg }
`,
  );
  await server.process.stop();
  await using program = new RunningProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd });
  let said = "";
  await program.until("a write failed", () => (said = program.said).includes("tried again") || undefined);
  assert.match(said, /Connection refused|connection refused/);
  await server.process.start();
  const { code, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  assert.equal(new Set((await server.query("*")).map((row) => row["n"])).size, lines.length);
});

async function letterCount(folder: string): Promise<number> {
  const path = storePath(`${folder}/data`, "lines");
  using _lock = await StoreLock.take(path);
  const store = new SqliteBackend(path, { durability: "process" });
  try {
    return store.readDeadLetters({ limit: 1000 }).length;
  } finally {
    store.close();
  }
}
