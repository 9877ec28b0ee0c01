/** Owns the measure of Kafka to Kafka through the engine, beside a bare loop of the client library. */

import { join } from "node:path";
import { missingOf } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { fillTopic } from "../suites/kafka_plugins.ts";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { ChildProgram } from "./child_program.ts";
import type { KafkaFloorEnded } from "./kafka_floor_child.ts";
import { cost, type Measurement, rate } from "./measurement.ts";
import type { PipelineEnded } from "./pipeline_child.ts";

const CORE = 0;
const RATIO_BOUND = 0.5;
const PARTITIONS = 6;
/** More says nothing new, and takes a broker that shares the machine its time. */
const MESSAGES_MAX = 400_000;
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 180_000;

/** One side's turn. */
interface Carried {
  readonly messagesPerSecond: number;
  readonly peakMb: number;
}

/** A pipeline from topic to topic and the bare loop, in turns. Without Kafka it is left out, and that is said. */
export async function kafkaBench(bench: Bench): Promise<readonly Measurement[]> {
  const missing = missingOf("kafka");
  if (missing !== undefined) {
    bench.say(`SKIPPED: kafka to kafka: ${missing}`);
    return [];
  }
  await using cluster = await KafkaCluster.start();
  const count = Math.min(bench.scale.lines, MESSAGES_MAX);
  await cluster.createTopic("in", { partitions: PARTITIONS });
  await fillTopic(cluster.brokers(), "in", { count });
  const engine: Carried[] = [];
  const floor: Carried[] = [];
  for (let turn = 1; turn <= bench.scale.turns; turn++) {
    engine.push(await carry(cluster, count, `engine-${turn}`, (to) => startEngine(bench, cluster, to)));
    floor.push(await carry(cluster, count, `floor-${turn}`, (to) => Promise.resolve(startFloor(cluster, to))));
    const [last, bare] = [engine, floor].map((carried) => Math.round(carried.at(-1)?.messagesPerSecond ?? 0));
    bench.say(`kafka, turn ${turn}: engine ${last}, bare loop ${bare} messages/s`);
  }
  const both = (key: keyof Carried) => ({
    values: engine.map((one) => one[key]),
    references: floor.map((one) => one[key]),
  });
  const name = "kafka to kafka, power";
  return [
    rate({ name, unit: "msg/s", ...both("messagesPerSecond"), bound: RATIO_BOUND }),
    cost({ name: `${name}, peak memory`, unit: "MB", ...both("peakMb") }),
  ];
}

/** A process that carries, and what it leaves behind. */
interface Carrier extends AsyncDisposable {
  readonly child: ChildProgram;
}

/** Measures from the first commit that is seen to the last: what starts once is left out on both sides. */
async function carry(
  cluster: KafkaCluster,
  count: number,
  name: string,
  start: (name: string) => Promise<Carrier>,
): Promise<Carried> {
  await cluster.createTopic(name, { partitions: PARTITIONS });
  await using carrier = await start(name);
  const endMs = performance.now() + PATIENCE_MS;
  let first: { readonly atMs: number; readonly done: number } | undefined;
  for (;;) {
    const done = (await cluster.committed(name)).reduce((sum, { offset }) => sum + offset, 0);
    const atMs = performance.now();
    if (done > 0) first ??= { atMs, done };
    if (first !== undefined && done === count) {
      carrier.child.stop();
      const { peakMb } = await carrier.child.next<PipelineEnded | KafkaFloorEnded>();
      return { messagesPerSecond: (count - first.done) / ((atMs - first.atMs) / 1000), peakMb };
    }
    if (atMs > endMs) throw new Error(`${name} carried ${done} of ${count} messages in ${PATIENCE_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function startEngine(bench: Bench, cluster: KafkaCluster, to: string): Promise<Carrier> {
  const folder = turnFolder(bench);
  const brokers = JSON.stringify(cluster.brokers());
  const config = join(folder.path, "pipeline.yaml");
  await Deno.writeTextFile(
    config,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: bench }
sources:
  in: { kafka: { brokers: ${brokers}, topics: [in], group_id: ${to}, start_at: earliest } }
sinks:
  out: { depends_on: in, kafka: { brokers: ${brokers}, topic: ${to} } }
`,
  );
  const child = new ChildProgram("pipeline_child", {
    args: [config, folder.path, "power"],
    core: CORE,
    asProgram: true,
  });
  return {
    child,
    async [Symbol.asyncDispose]() {
      await child[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function startFloor(cluster: KafkaCluster, to: string): Carrier {
  const child = new ChildProgram("kafka_floor_child", {
    args: [cluster.brokers()[0] ?? "", "in", to, to],
    core: CORE,
  });
  return { child, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}
