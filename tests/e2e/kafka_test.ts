import assert from "node:assert/strict";
import { missingOf, serverTest } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { fillTopic } from "../suites/kafka_plugins.ts";
import { copyExample, freePort, jsonLines, programTest, RunningProgram, runProgram, sourceProgram } from "./program.ts";

const decoder = new TextDecoder();
const KILLED_COUNT = Number(Deno.env.get("KAFKA_KILLED_COUNT") ?? 100_000);
/** Of what one of them reads, half of all in the end. */
const KILL_AFTER_SHARE = 0.2;
const FIRST_COUNT = 60;
/** How much is there to be read at the moment of the kill, at least. */
const AHEAD_COUNT = 10_000;

function mirror(brokers: readonly string[], sink: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: mirror }
sources:
  in: { kafka: { brokers: ${JSON.stringify(brokers)}, topics: [in], group_id: mirror, start_at: earliest } }
sinks:
  out:
    depends_on: [in: { when: "meta.kafka_key != 'left out'" }]
    kafka:
      brokers: ${JSON.stringify(brokers)}
      topic: ${sink}
      key: meta.kafka_key
      headers: [kafka_headers]
      compression: lz4
`;
}

/** Registers a test of the program, from source and compiled, that needs a real Kafka. */
function kafkaProgramTest(name: string, fn: Parameters<typeof programTest>[1]): void {
  const missing = missingOf("kafka");
  if (missing === undefined || Deno.env.get("CI") === "true") programTest(name, fn);
  else console.error(`SKIPPED: ${name}: ${missing}`);
}

kafkaProgramTest("kafka: a pipeline carries messages as they are, deletions too", async (subject, folder) => {
  await using cluster = await KafkaCluster.start();
  for (const topic of ["in", "out"]) await cluster.createTopic(topic, { config: { "cleanup.policy": "compact" } });
  await cluster.produce("in", [
    { key: "k", value: '{"n":12345678901234567890}', headers: [["h", "1"]], timestampMs: 1_700_000_000_000 },
    { key: "k", value: null, headers: [["why", "deleted"]], timestampMs: 1_700_000_000_001 },
    { key: "left out", value: "{}" },
    { key: "last", value: "null" },
  ], { compression: "zstd" });
  await Deno.writeTextFile(`${folder}/pipeline.yaml`, mirror(cluster.brokers(), "out"));
  const args = ["run", "--config", "pipeline.yaml", "--data-dir", "data"];
  await using program = new RunningProgram(subject, args, { cwd: folder });
  await program.until("three messages arrived", async () => (await cluster.read("out")).length >= 3 || undefined);
  program.kill("SIGTERM");
  const { code, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  const text = (bytes: Uint8Array | null) => bytes === null ? null : decoder.decode(bytes);
  const shown = (await cluster.read("out")).map(({ key, value, headers, timestampMs }) => [
    text(key),
    text(value),
    headers.map(([name, each]) => [name, text(each)]),
    timestampMs,
  ]);
  assert.deepEqual(shown.slice(0, 2), [
    ["k", '{"n":12345678901234567890}', [["h", "1"]], 1_700_000_000_000],
    ["k", null, [["why", "deleted"]], 1_700_000_000_001],
  ]);
  assert.deepEqual(shown[2]?.slice(0, 2), ["last", "null"]);
  // The one that was left out is committed too.
  assert.deepEqual((await cluster.committed("mirror")).map(({ offset }) => offset), [4]);
});

kafkaProgramTest("kafka: an address that brokers advertise must be allowed, by its name", async (subject, folder) => {
  await using cluster = await KafkaCluster.start();
  await cluster.createTopic("in");
  await cluster.createTopic("out");
  await cluster.produce("in", [{ key: "k", value: "1" }]);
  // The same broker under a name that it does not use of itself.
  const brokers = cluster.brokers().map((broker) => broker.replace("127.0.0.1", "localhost"));
  const text = mirror(brokers, "out");
  await Deno.writeTextFile(`${folder}/pipeline.yaml`, text);
  const refused = await runProgram(subject, ["run", "--json", "--config", "pipeline.yaml", "--ephemeral"], {
    cwd: folder,
  });
  assert.equal(refused.code, 1, refused.stderr);
  const { failure } = JSON.parse(refused.stdout);
  const advertised = cluster.brokers()[0] ?? "";
  assert.equal(failure.code, "permission");
  assert.ok(["in", "out"].includes(failure.node), failure.node);
  assert.ok(failure.message.includes(advertised) && failure.hint.includes("advertised"), JSON.stringify(failure));
  const allowed = text.replaceAll(
    `brokers: ${JSON.stringify(brokers)}`,
    (found) => `${found}, advertised: ["${advertised}"]`,
  )
    .replace(/^ {6}brokers: (\[.*\]), (advertised: .*)$/m, "      brokers: $1\n      $2");
  await Deno.writeTextFile(`${folder}/pipeline.yaml`, allowed);
  const args = ["run", "--config", "pipeline.yaml", "--data-dir", "data"];
  await using program = new RunningProgram(subject, args, { cwd: folder });
  await program.until("the message arrived", async () => (await cluster.read("out")).length > 0 || undefined);
  program.kill("SIGTERM");
  assert.equal((await program.finished()).code, 0);
});

kafkaProgramTest("example kafka-to-http: the shop is told of each change, in order", async (subject, folder) => {
  await using cluster = await KafkaCluster.start();
  await cluster.createTopic("shipments", { partitions: 3 });
  const cwd = copyExample("kafka-to-http", folder);
  const lines = (await Deno.readTextFile(`${cwd}/shipments.txt`)).trim().split("\n").map((line) => line.split("\t"));
  await cluster.produce("shipments", lines.map(([key = "", value = ""]) => ({ key, value })));
  const address = `127.0.0.1:${freePort()}`;
  const env = {
    KAFKA_BROKER: cluster.brokers()[0] ?? "",
    SHOP_LISTEN: address,
    SHOP_URL: `http://${address}/shipments`,
  };
  await using _shop = new RunningProgram(subject, ["run", "--config", "receiver.yaml"], { cwd, env });
  await using program = new RunningProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd, env });
  const received = () => jsonLines(`${cwd}/out/received.ndjson`);
  await program.until("three notices arrived", () => received().length >= 3 || undefined);
  program.kill("SIGTERM");
  assert.equal((await program.finished()).code, 0);
  const states = (shipment: string) =>
    received().filter((notice) => notice["shipment"] === shipment).map(({ state }) => state);
  assert.deepEqual([states("S-1"), states("S-2")], [["sent", "delivered"], ["sent"]]);
  assert.ok(received().every((notice) => notice["internal"] === undefined && typeof notice["version"] === "number"));
});

serverTest("kafka: a group of two processes loses nothing when one is killed", ["kafka"], async () => {
  await using cluster = await KafkaCluster.start({ properties: { "group.min.session.timeout.ms": "1000" } });
  await cluster.createTopic("in", { partitions: 6 });
  const folder = await Deno.makeTempDir({ prefix: "eventboat-e2e-" });
  try {
    const subject = sourceProgram("src/main.ts");
    const start = async (name: string) => {
      const config = `${folder}/${name}.yaml`;
      await Deno.writeTextFile(config, reader(cluster.brokers(), `${folder}/${name}.ndjson`));
      return new RunningProgram(subject, ["run", "--config", config, "--data-dir", `${folder}/${name}`], {
        cwd: folder,
      });
    };
    await using killed = await start("killed");
    await using survives = await start("survives");
    const count = (name: string) => lineCount(`${folder}/${name}.ndjson`);
    let written = 0;
    const fill = async (to: number) => {
      await fillTopic(cluster.brokers(), "in", { from: written, count: to - written });
      written = to;
    };
    // Both have their share before most of it is written.
    await killed.until("both read", async () => {
      await fill(written + FIRST_COUNT);
      return (count("survives") > 0 && count("killed") > 0) || undefined;
    });
    // Who reads how much is not ours to say: as long as it has not read its share there is more to read.
    await killed.until("much is read", async () => {
      if (count("killed") > KILLED_COUNT * KILL_AFTER_SHARE) return true;
      if (count("killed") + count("survives") > written - AHEAD_COUNT) await fill(written + AHEAD_COUNT);
      return undefined;
    });
    const filling = fill(Math.max(KILLED_COUNT, written + AHEAD_COUNT));
    killed.kill("SIGKILL");
    await Promise.all([killed.finished(), filling]);
    await survives.until("all is committed", async () => {
      const committed = (await cluster.committed("mirror")).reduce((sum, { offset }) => sum + offset, 0);
      return committed === written || undefined;
    });
    survives.kill("SIGTERM");
    assert.equal((await survives.finished()).code, 0);
    const seen = new Set(["killed", "survives"].flatMap((name) => numbersOf(`${folder}/${name}.ndjson`)));
    assert.equal(written - seen.size, 0, "missing");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function reader(brokers: readonly string[], path: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: reader }
sources:
  in:
    kafka:
      brokers: ${JSON.stringify(brokers)}
      topics: [in]
      group_id: mirror
      start_at: earliest
      session_timeout_ms: 3000
sinks:
  out: { depends_on: in, file: { path: ${path} } }
`;
}

/** How many lines a file has; none while it is not there. */
function lineCount(path: string): number {
  try {
    return Deno.readTextFileSync(path).split("\n").length - 1;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return 0;
    throw caught;
  }
}

function numbersOf(path: string): number[] {
  return jsonLines(path).map(({ n }) => Number(n));
}
