/** The floor of Kafka to Kafka: a bare loop of kafkajs that consumes batches and produces them: BROKER IN OUT GROUP. Stops on SIGTERM. */

import { Kafka, logLevel } from "kafkajs/index.js";
import { peakMemoryMb, tell } from "./child_program.ts";

/** Printed at the end. */
export interface KafkaFloorEnded {
  readonly peakMb: number;
}

/** Partitions that are worked on at once: as many as there are. */
const CONCURRENCY = 6;

/** What the library hands over of a batch; its own types lie beside a file that is not imported. */
interface BatchPayload {
  readonly batch: {
    readonly partition: number;
    readonly messages: readonly { key: unknown; value: unknown; headers: unknown; timestamp: string }[];
    lastOffset(): string;
  };
  commitOffsetsIfNecessary(offsets: object): Promise<void>;
}

async function main([broker = "", from = "", to = "", groupId = ""]: readonly string[]): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  Deno.addSignalListener("SIGTERM", () => stopped.resolve());
  const kafka = new Kafka({ brokers: [broker], clientId: "floor", logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  const consumer = kafka.consumer({ groupId });
  await Promise.all([producer.connect(), consumer.connect()]);
  await consumer.subscribe({ topics: [from], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: true,
    partitionsConsumedConcurrently: CONCURRENCY,
    async eachBatch({ batch, commitOffsetsIfNecessary }: BatchPayload) {
      const messages = batch.messages.map(({ key, value, headers, timestamp }) => ({ key, value, headers, timestamp }));
      await producer.send({ topic: to, messages });
      const offset = String(BigInt(batch.lastOffset()) + 1n);
      await commitOffsetsIfNecessary({
        topics: [{ topic: from, partitions: [{ partition: batch.partition, offset }] }],
      });
    },
  });
  await stopped.promise;
  await consumer.disconnect();
  await producer.disconnect();
  tell({ peakMb: peakMemoryMb() } satisfies KafkaFloorEnded);
}

if (import.meta.main) {
  await main(Deno.args);
  Deno.exit(0);
}
