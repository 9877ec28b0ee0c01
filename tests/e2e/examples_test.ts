import assert from "node:assert/strict";
import { copyExample, freePort, jsonLines, programTest, RunningProgram, runProgram } from "./program.ts";

/** Runs a batch pipeline of an example and gives the folder of its copy. */
function verifiedStrictly(name: string, file: string): void {
  programTest(`example ${name}/${file}: passes verify --strict`, async (subject, folder) => {
    const cwd = copyExample(name, folder);
    const env = { WEBHOOK_TOKEN: "secret" };
    const { code, stdout, stderr } = await runProgram(subject, ["verify", "--config", file, "--strict"], { cwd, env });
    assert.equal(code, 0, stdout + stderr);
  });
}

for (
  const name of ["linear", "branching", "fanin", "webhook", "collector", "codecs", "dedupe", "order-lines", "db-sync"]
) {
  verifiedStrictly(name, "pipeline.yaml");
}
verifiedStrictly("fanin", "tail.yaml");
verifiedStrictly("webhook", "receiver.yaml");
verifiedStrictly("codecs", "receiver.yaml");
verifiedStrictly("collector", "victorialogs.yaml");
verifiedStrictly("postgres-to-kafka", "pipeline.yaml");
for (const file of ["pipeline.yaml", "receiver.yaml"]) verifiedStrictly("kafka-to-http", file);

programTest(
  "example linear: every order arrives once, priced, and a second run finds nothing new",
  async (subject, folder) => {
    const cwd = copyExample("linear", folder);
    const run = () => runProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd });
    const first = await run();
    assert.equal(first.code, 0, first.stderr);
    const input = jsonLines(`${cwd}/orders.ndjson`);
    const output = jsonLines(`${cwd}/out/priced.ndjson`);
    assert.deepEqual(output.map((order) => order["order_id"]), input.map((order) => order["order_id"]));
    for (const order of output) {
      const lines = order["lines"] as { quantity: number; unit_price: number }[];
      const total = lines.reduce((sum, line) => sum + line.quantity * line.unit_price, 0);
      assert.equal(order["total"], total);
      assert.equal(order["tier"], total >= 100_000 ? "vip" : "standard");
    }
    assert.equal((await run()).code, 0);
    assert.equal(jsonLines(`${cwd}/out/priced.ndjson`).length, input.length);
  },
);

programTest("example branching: routes part the payments and the large ones are copied", async (subject, folder) => {
  const cwd = copyExample("branching", folder);
  const { code, stderr } = await runProgram(subject, ["run", "--config", "pipeline.yaml", "--ephemeral"], { cwd });
  assert.equal(code, 0, stderr);
  const input = jsonLines(`${cwd}/payments.ndjson`);
  const of = (name: string) => jsonLines(`${cwd}/out/${name}.ndjson`);
  const [review, card, bank] = [of("review"), of("card"), of("bank")];
  const score = (payment: Record<string, unknown>) => (payment["risk"] as { score: number }).score;
  assert.equal(review.length + card.length + bank.length, input.length);
  assert.ok(review.length > 0 && review.every((payment) => score(payment) >= 0.8 && payment["risky"] === true));
  assert.ok(card.length > 0 && card.every((payment) => score(payment) < 0.8 && payment["method"] === "card"));
  assert.ok(bank.length > 0 && bank.every((payment) => payment["method"] !== "card"));
  assert.equal(of("large").length, input.filter((payment) => Number(payment["amount"]) >= 2000).length);
});

programTest("example fanin: batch joins the files, each in its order", async (subject, folder) => {
  const cwd = copyExample("fanin", folder);
  const { code, stderr } = await runProgram(subject, ["run", "--config", "pipeline.yaml", "--ephemeral"], { cwd });
  assert.equal(code, 0, stderr);
  const joined = jsonLines(`${cwd}/out/joined.ndjson`);
  for (const file of ["web-1.log", "web-2.log", "worker.log"]) {
    const expected = jsonLines(`${cwd}/${file}`).filter((entry) => entry["status"] !== 304);
    const found = joined.filter((entry) => String(entry["file_path"]).endsWith(`/${file}`));
    assert.deepEqual(found.map((entry) => entry["time"]), expected.map((entry) => entry["time"]), file);
  }
});

programTest("example fanin: tail follows what is appended and stops when asked", async (subject, folder) => {
  const cwd = copyExample("fanin", folder);
  const inputs = ["web-1.log", "web-2.log", "worker.log"].flatMap((file) => jsonLines(`${cwd}/${file}`));
  const expected = inputs.filter((entry) => entry["status"] !== 304).length;
  const output = `${cwd}/out/followed.ndjson`;
  await using program = new RunningProgram(subject, ["run", "--config", "tail.yaml"], { cwd });
  await program.until("all lines arrived", () => jsonLines(output).length >= expected || undefined);
  await Deno.writeTextFile(`${cwd}/worker.log`, '{"time":"later","job":"appended","ok":true}\n', { append: true });
  await program.until("the appended line arrived", () => jsonLines(output).length > expected || undefined);
  program.kill("SIGTERM");
  const { code, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  assert.equal(jsonLines(output).length, expected + 1);
});

programTest(
  "example webhook: what the receiver takes arrives, what it refuses is a dead letter",
  async (subject, folder) => {
    const cwd = copyExample("webhook", folder);
    const [port, receiverPort] = [freePort(), freePort()];
    const env = {
      WEBHOOK_TOKEN: "secret",
      LISTEN: `127.0.0.1:${port}`,
      RECEIVER_LISTEN: `127.0.0.1:${receiverPort}`,
      TRACKING_URL: `http://127.0.0.1:${receiverPort}/events`,
    };
    await using receiver = new RunningProgram(subject, ["run", "--config", "receiver.yaml"], { cwd, env });
    await using pipeline = new RunningProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd, env });
    await receiver.until("the receiver listens", () => answers(receiverPort));
    await pipeline.until("the pipeline listens", () => answers(port));
    const url = `http://127.0.0.1:${port}/hooks/parcels`;
    const body = await Deno.readTextFile(`${cwd}/deliveries.ndjson`);
    // An answer that comes before the body was read ends the connection: no request may find it in a pool.
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    const unnamed = await fetch(url, { method: "POST", body, client });
    await unnamed.body?.cancel();
    assert.equal(unnamed.status, 401);
    const accepted = await fetch(url, { method: "POST", body, client, headers: { authorization: "Bearer secret" } });
    await accepted.body?.cancel();
    assert.equal(accepted.status, 202);
    const received = () => jsonLines(`${cwd}/out/received.ndjson`);
    await pipeline.until("55 events arrived", () => received().length >= 55 || undefined);
    pipeline.kill("SIGTERM");
    assert.equal((await pipeline.finished()).code, 0);
    assert.equal(new Set(received().map((event) => event["event_id"])).size, 55);
    assert.ok(received().every((event) => event["parcel"] === undefined && typeof event["tracking"] === "string"));
    const stats = await runProgram(subject, ["store", "stats", "--config", "pipeline.yaml", "--json"], { cwd, env });
    assert.match(stats.stdout, /"dead_?[lL]etters":\s*5\b/);
  },
);

programTest("example codecs: CSV arrives as CSV and JSON by way of two binary formats", async (subject, folder) => {
  const cwd = copyExample("codecs", folder);
  const [history, alarms] = [freePort(), freePort()];
  const env = {
    HISTORY_LISTEN: `127.0.0.1:${history}`,
    ALARMS_LISTEN: `127.0.0.1:${alarms}`,
    HISTORY_URL: `http://127.0.0.1:${history}/measurements`,
    ALARMS_URL: `http://127.0.0.1:${alarms}/alarms`,
  };
  await using receiver = new RunningProgram(subject, ["run", "--config", "receiver.yaml"], { cwd, env });
  await receiver.until("the receiver listens", async () => await answers(history) && await answers(alarms));
  const { code, stderr } = await runProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd, env });
  assert.match(stderr, /column \\?"celsius\\?" must be a float, found \\?"n\/a/);
  assert.equal(code, 1, stderr);
  const lines = (file: string) => Deno.readTextFileSync(`${cwd}/${file}`).trimEnd().split("\n");
  // All but the one whose temperature is none.
  const given = lines("measurements.csv").slice(1).filter((line) => !line.includes("n/a"));
  await receiver.until("all arrived", () => lines("out/history.csv").length > given.length || undefined);
  receiver.kill("SIGTERM");
  assert.equal((await receiver.finished()).code, 0);
  const [header, ...arrived] = lines("out/history.csv");
  assert.equal(header, "sensor;sequence;celsius;state;note");
  const firstCells = (rows: readonly string[], delimiter: string) =>
    rows.map((row) => row.split(delimiter, 2).join(" ")).sort();
  assert.deepEqual(firstCells(arrived, ";"), firstCells(given, ","));
  const offline = jsonLines(`${cwd}/out/alarms.ndjson`).filter((alarm) => alarm["severity"] === "SEVERITY_CRITICAL");
  assert.equal(offline.length, given.filter((line) => line.split(",")[3] === "").length);
  assert.ok(offline.every((alarm) => BigInt(String(alarm["sequence"])) > 2n ** 53n));
});

programTest(
  "example dedupe: each reading arrives once, and one that is sent after a restart is known",
  async (subject, folder) => {
    const cwd = copyExample("dedupe", folder);
    const files = ["gateway-1", "gateway-2"].map((name) => `${cwd}/${name}.ndjson`);
    const keyOf = ({ meter, counter }: Record<string, unknown>) => `${meter}/${counter}`;
    const expected = new Set(files.flatMap(jsonLines).map(keyOf));
    const run = () => runProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd });
    for (let round = 0; round < 2; round++) {
      const { code, stderr } = await run();
      assert.equal(code, 0, stderr);
      const arrived = jsonLines(`${cwd}/out/readings.ndjson`).map(keyOf);
      assert.deepEqual([arrived.length, new Set(arrived)], [expected.size, expected]);
      const [again] = jsonLines(files[0] ?? "");
      await Deno.writeTextFile(files[0] ?? "", `${JSON.stringify(again)}\n`, { append: true });
    }
  },
);

programTest("example collector: entries keep their stack traces and know their pod", async (subject, folder) => {
  const cwd = copyExample("collector", folder);
  const logs = [...Deno.readDirSync(`${cwd}/logs`)].map(({ name }) => Deno.readTextFileSync(`${cwd}/logs/${name}`));
  const begins = /^\d{4}-\d{2}-\d{2} \S+ (\w+)/gm;
  const levels = logs.flatMap((text) => [...text.matchAll(begins)].map(([, level = ""]) => level.toLowerCase()));
  const expected = levels.filter((level) => level !== "debug").length;
  const output = `${cwd}/out/entries.ndjson`;
  await using program = new RunningProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd });
  await program.until("all entries arrived", () => jsonLines(output).length >= expected || undefined);
  program.kill("SIGTERM");
  assert.equal((await program.finished()).code, 0);
  const entries = jsonLines(output);
  assert.equal(entries.length, expected);
  const errors = entries.filter((entry) => entry["level"] === "error");
  assert.equal(errors.length, levels.filter((level) => level === "error").length);
  for (const entry of errors) assert.equal(String(entry["message"]).split("\n\tat ").length, 5);
  const pods = entries.map(({ namespace, pod }) => `${namespace}/${pod}`);
  assert.deepEqual([...new Set(pods)].sort(), ["shop/checkout-7d9c6b5f4-x2m9q", "shop/payments-5f6d8c7b9-k4w7z"]);
});

/** Whether somebody accepts connections there. */
async function answers(port: number): Promise<true | undefined> {
  try {
    using _connection = await Deno.connect({ hostname: "127.0.0.1", port });
    return true;
  } catch {
    // Not yet: the caller looks again.
    return undefined;
  }
}
