import assert from "node:assert/strict";
import { systemClock } from "../../src/base/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { until } from "../servers/server_process.ts";
import { GroupBook, GroupReader } from "../suites/group_reader.ts";
import { fillTopic } from "../suites/kafka_plugins.ts";

const SESSION_MS = 3_000;
const PARTITIONS = 6;
/** Lets sessions be short, so that the test is. */
const SHORT_SESSIONS = { "group.min.session.timeout.ms": "1000" };
const READ_COUNT = 100_000;
const JOINS = 4;
const STAY_MS = 1_500;

serverTest("kafka: a group keeps what it reads", ["kafka"], async (context) => {
  await using cluster = await KafkaCluster.start({ properties: SHORT_SESSIONS });
  await context.step("a sink slower than the session loses no partition", () => keepsPartitions(cluster));
  await context.step(
    "members that come and go lose nothing, and what they share is drained first",
    () => comeAndGo(cluster),
  );
  await context.step(
    "a member that is stuck when partitions move makes repetitions, and no loss",
    () => stuckMember(cluster),
  );
  await context.step(
    "a member that is stopped has committed all, and the next goes on behind it",
    () => goesOn(cluster),
  );
});

async function keepsPartitions(cluster: KafkaCluster): Promise<void> {
  const [topic, group] = ["slow", "slow"];
  await cluster.createTopic(topic, { partitions: 2 });
  await fillTopic(cluster.brokers(), topic, { count: 5_000 });
  const book = new GroupBook();
  await using reader = new GroupReader({ cluster, topic, group, book, sessionTimeoutMs: SESSION_MS });
  reader.isStuck = true;
  await systemClock.sleep(3 * SESSION_MS);
  assert.deepEqual(await cluster.committed(group), []);
  reader.isStuck = false;
  await until("all messages came", () => Promise.resolve(book.distinct === 5_000));
  await until("all are committed", async () => sum(await cluster.committed(group)) === 5_000);
  assert.deepEqual([reader.joins, book.repeated], [1, 0]);
}

async function comeAndGo(cluster: KafkaCluster): Promise<void> {
  const [topic, group] = ["shared", "shared"];
  await cluster.createTopic(topic, { partitions: PARTITIONS });
  await fillTopic(cluster.brokers(), topic, { count: READ_COUNT });
  const book = new GroupBook();
  const options = { cluster, topic, group, book, sessionTimeoutMs: SESSION_MS, perSecond: 15_000 };
  {
    await using stays = new GroupReader(options);
    for (let i = 0; i < JOINS; i++) {
      await using comes = new GroupReader(options);
      await until("both have joined", () => Promise.resolve(comes.joins > 0));
      for (let ms = 0; ms < STAY_MS; ms += 100) {
        await systemClock.sleep(100);
        await book.checkOffsets(cluster, group);
      }
    }
    await until("all messages came", () => Promise.resolve(book.distinct === READ_COUNT));
    assert.ok(stays.joins >= JOINS, `the member that stays joined ${stays.joins} times`);
  }
  assert.equal(sum(await cluster.committed(group)), READ_COUNT);
  // What cannot be drained in time comes again; it is bounded by what may be under way.
  assert.ok(book.repeated <= READ_COUNT / 10, String(book.repeated));
}

async function stuckMember(cluster: KafkaCluster): Promise<void> {
  const [topic, group, count] = ["stuck", "stuck", 20_000];
  await cluster.createTopic(topic, { partitions: PARTITIONS });
  await fillTopic(cluster.brokers(), topic, { count: count });
  const book = new GroupBook();
  const options = { cluster, topic, group, book, sessionTimeoutMs: SESSION_MS };
  await using stuck = new GroupReader(options);
  stuck.isStuck = true;
  await until("messages came", () => Promise.resolve(book.distinct > 0));
  await using comes = new GroupReader(options);
  await until("both have joined", () => Promise.resolve(comes.joins > 0 && stuck.joins > 1));
  stuck.isStuck = false;
  await until("all messages came", () => Promise.resolve(book.distinct === count));
  await until("all are committed", async () => sum(await cluster.committed(group)) === count);
  await book.checkOffsets(cluster, group);
  // No more than what the stuck member had under way.
  assert.ok(book.repeated <= 4_000 + PARTITIONS * 2_000, String(book.repeated));
}

async function goesOn(cluster: KafkaCluster): Promise<void> {
  const [topic, group] = ["ends", "ends"];
  await cluster.createTopic(topic, { partitions: 1 });
  await fillTopic(cluster.brokers(), topic, { count: 100 });
  const book = new GroupBook();
  {
    await using _ = new GroupReader({ cluster, topic, group, book, sessionTimeoutMs: SESSION_MS });
    await until("all messages came", () => Promise.resolve(book.distinct === 100));
  }
  // A member that was stopped has committed everything, so nothing comes again.
  await fillTopic(cluster.brokers(), topic, { from: 100, count: 100 });
  await using _ = new GroupReader({ cluster, topic, group, book, sessionTimeoutMs: SESSION_MS });
  await until("the rest came", () => Promise.resolve(book.distinct === 200));
  assert.equal(book.repeated, 0);
}

function sum(commits: readonly { readonly offset: number }[]): number {
  return commits.reduce((total, { offset }) => total + offset, 0);
}
