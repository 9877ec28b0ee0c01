/** Owns the numbers that let brokers tell a repeated batch: a producer's, and those of its records in each partition. */

import type { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import type { ProducerStamp } from "../../shared/kafka/record_batch.ts";

/** Numbers of records go around: after the largest comes 0. */
const SEQUENCES = 2 ** 31;

/** One number of a producer, and what was written under it. */
export class ProducerLife {
  readonly #producerId: number;
  readonly #epoch: number;
  readonly #sequences = new Map<number, number>();

  constructor(producerId: number, epoch: number) {
    this.#producerId = producerId;
    this.#epoch = epoch;
  }

  /** The stamp of the next batch for a partition. */
  stamp(partition: number): ProducerStamp {
    return { producerId: this.#producerId, epoch: this.#epoch, sequence: this.#sequences.get(partition) ?? 0 };
  }

  /** Takes down that the broker has a batch of so many records. */
  advance(partition: number, stamp: ProducerStamp, records: number): void {
    this.#sequences.set(partition, (stamp.sequence + records) % SEQUENCES);
  }
}

/** Gets a number when one is needed, and another when it is spoilt. */
export class Producer {
  readonly #cluster: KafkaCluster;
  #life: Promise<ProducerLife> | undefined;
  #current: ProducerLife | undefined;

  constructor(cluster: KafkaCluster) {
    this.#cluster = cluster;
  }

  /** The number to write under, got as often as it takes. @throws {EventboatError}; the signal's reason */
  async life(signal: AbortSignal): Promise<ProducerLife> {
    if (this.#current !== undefined) return this.#current;
    this.#life ??= this.#begin(signal).finally(() => this.#life = undefined);
    return await this.#life;
  }

  /** Lets go of a number under which it is not known what was written. Whoever has it still may go on with it. */
  end(life: ProducerLife): void {
    if (this.#current === life) this.#current = undefined;
  }

  async #begin(signal: AbortSignal): Promise<ProducerLife> {
    const { producerId, epoch } = await this.#cluster.persist("cannot get a producer's number", async () => {
      await this.#cluster.refresh();
      return await this.#cluster.newProducer();
    }, signal);
    return this.#current = new ProducerLife(producerId, epoch);
  }
}
