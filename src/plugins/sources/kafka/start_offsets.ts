/** Owns where a partition is read from when the group has committed nothing of it, or what it committed is gone. */

import type { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import type { TopicPartition } from "./group_member.ts";

/** Where to begin. */
export type StartAt = "latest" | "earliest";

/** What the protocol calls the two ends of a log. */
const TIMESTAMPS = { latest: -1, earliest: -2 } as const;
const READ_COMMITTED = 1;

/** The offsets of one end of these partitions' logs. Rejects with trouble of the cluster. */
export async function endOffsets(
  cluster: KafkaCluster,
  partitions: readonly TopicPartition[],
  end: StartAt,
): Promise<number[]> {
  return await Promise.all(partitions.map(async ({ topic, partition }) => {
    const leader = cluster.leaderOf(topic, partition);
    if (leader === undefined) {
      await cluster.refresh();
      throw new Error(`the partition ${topic}/${partition} has no leader at the moment`);
    }
    const broker = await cluster.broker(leader);
    const asked = [{ topic, partitions: [{ partition, timestamp: TIMESTAMPS[end] }] }];
    try {
      const { responses } = await broker.listOffsets({ isolationLevel: READ_COMMITTED, topics: asked });
      return Number(responses[0]?.partitions[0]?.offset ?? 0);
    } catch (caught) {
      await cluster.refresh();
      throw caught;
    }
  }));
}
