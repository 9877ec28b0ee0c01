/** Owns the membership of a consumer group: joining, the share of the partitions, signs of life, committed offsets. */

import type { Buffer } from "node:buffer";
import { raceAbort } from "../../../base/mod.ts";
import type { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import { asBuffer, type KafkajsBroker } from "../../shared/kafka/kafkajs_parts.ts";
import { WireReader } from "../../shared/kafka/wire_reader.ts";
import { WireWriter } from "../../shared/kafka/wire_writer.ts";

/** The assignor that all clients of the classic protocol know by this name. */
const ASSIGNOR = "roundrobin";
const SUBSCRIPTION_VERSION = 0;
/** The group has been formed anew without this member, or this member is unknown to it. */
const LOST_TYPES: ReadonlySet<string> = new Set(["ILLEGAL_GENERATION", "UNKNOWN_MEMBER_ID", "FENCED_INSTANCE_ID"]);
const REBALANCE_TYPE = "REBALANCE_IN_PROGRESS";
const NO_OFFSET = -1;

/** A partition by name. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** A partition and an offset in it. */
export interface PartitionOffset extends TopicPartition {
  readonly offset: number;
}

/** How a {@linkcode GroupMember} takes part. */
export interface MemberOptions {
  readonly cluster: KafkaCluster;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
}

/** Whether this member is still part of the group as it was formed last. */
export type Standing =
  | "member"
  /** The group is being formed anew: finish, and join again. */
  | "rebalance"
  /** The partitions are somebody else's by now. */
  | "lost";

/** One member. */
export class GroupMember {
  readonly #options: MemberOptions;
  #coordinator: KafkajsBroker | undefined;
  #memberId = "";
  #generation = -1;
  #isLeader = false;
  #counts = new Map<string, number>();

  constructor(options: MemberOptions) {
    this.#options = options;
  }

  /** Number of the group's present form; counts up. */
  get generation(): number {
    return this.#generation;
  }

  /** Joins the group and waits for this member's share. Rejects with trouble of the cluster or the signal's reason. */
  async join(signal: AbortSignal): Promise<TopicPartition[]> {
    const { groupId, topics, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    try {
      const coordinator = await raceAbort(this.#findCoordinator(), signal);
      const joined = await raceAbort(
        coordinator.joinGroup({
          groupId,
          sessionTimeout: sessionTimeoutMs,
          rebalanceTimeout: rebalanceTimeoutMs,
          memberId: this.#memberId,
          groupProtocols: [{ name: ASSIGNOR, metadata: subscription(topics) }],
        }),
        signal,
      );
      this.#memberId = joined.memberId;
      this.#generation = joined.generationId;
      this.#isLeader = joined.leaderId === joined.memberId;
      const groupAssignment = this.#isLeader ? await this.#assign(joined.members) : [];
      const { memberAssignment } = await raceAbort(
        coordinator.syncGroup({
          groupId,
          generationId: this.#generation,
          memberId: this.#memberId,
          groupAssignment,
        }),
        signal,
      );
      return readAssignment(memberAssignment).filter(({ topic }) => topics.includes(topic));
    } catch (caught) {
      this.#judge(caught);
      throw caught;
    }
  }

  /** Says that this member lives, and hears whether it still belongs. Rejects with trouble of the cluster. */
  async heartbeat(): Promise<Standing> {
    return await this.#asMember(async (coordinator) => {
      await coordinator.heartbeat({
        groupId: this.#options.groupId,
        groupGenerationId: this.#generation,
        memberId: this.#memberId,
      });
    });
  }

  /** Tells the group how far partitions are committed. Rejects with trouble of the cluster. */
  async commit(offsets: readonly PartitionOffset[]): Promise<Standing> {
    if (offsets.length === 0) return "member";
    const topics = [...Map.groupBy(offsets, ({ topic }) => topic)].map(([topic, of]) => ({
      topic,
      partitions: of.map(({ partition, offset }) => ({ partition, offset: String(offset) })),
    }));
    return await this.#asMember(async (coordinator) => {
      await coordinator.offsetCommit({
        groupId: this.#options.groupId,
        groupGenerationId: this.#generation,
        memberId: this.#memberId,
        topics,
      });
    });
  }

  /** What the group has committed of these partitions; undefined where nothing. Rejects with trouble of the cluster. */
  async committed(partitions: readonly TopicPartition[]): Promise<(number | undefined)[]> {
    const topics = [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, of]) => ({
      topic,
      partitions: of.map(({ partition }) => ({ partition })),
    }));
    try {
      const coordinator = await this.#findCoordinator();
      const { responses } = await coordinator.offsetFetch({ groupId: this.#options.groupId, topics });
      const known = new Map(
        responses.flatMap(({ topic, partitions: of }) =>
          of.map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)] as const)
        ),
      );
      return partitions.map(({ topic, partition }) => {
        const offset = known.get(`${topic}/${partition}`) ?? NO_OFFSET;
        return offset < 0 ? undefined : offset;
      });
    } catch (caught) {
      this.#judge(caught);
      throw caught;
    }
  }

  /** Whether this member shared out the partitions, and there are more or fewer of them by now. */
  hasOtherPartitions(): boolean {
    const { cluster, topics } = this.#options;
    return this.#isLeader && topics.some((topic) => cluster.partitionsOf(topic).length !== this.#counts.get(topic));
  }

  /** Leaves, so that the others need not wait for the session's end. Never rejects. */
  async leave(): Promise<void> {
    const coordinator = this.#coordinator;
    if (coordinator === undefined || this.#memberId === "") return;
    const memberId = this.#memberId;
    this.#memberId = "";
    // Who does not hear of it finds out when the session ends.
    await coordinator.leaveGroup({ groupId: this.#options.groupId, memberId }).catch(() => {});
  }

  async #asMember(ask: (coordinator: KafkajsBroker) => Promise<void>): Promise<Standing> {
    try {
      await ask(await this.#findCoordinator());
      return "member";
    } catch (caught) {
      const standing = this.#judge(caught);
      if (standing === "member") throw caught;
      return standing;
    }
  }

  /** What trouble says of this member; where it says nothing of it, the coordinator is looked for anew. */
  #judge(caught: unknown): Standing {
    const { type } = this.#options.cluster.trouble(caught);
    if (type === REBALANCE_TYPE) return "rebalance";
    if (LOST_TYPES.has(type)) {
      if (type !== "ILLEGAL_GENERATION") this.#memberId = "";
      return "lost";
    }
    this.#coordinator = undefined;
    return "member";
  }

  async #findCoordinator(): Promise<KafkajsBroker> {
    const { cluster, groupId } = this.#options;
    return this.#coordinator ??= await cluster.coordinator(groupId);
  }

  /** Deals the partitions out to the members, one after the other. */
  async #assign(
    members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[],
  ): Promise<{ readonly memberId: string; readonly memberAssignment: Buffer }[]> {
    const { cluster, topics } = this.#options;
    await cluster.refresh();
    const wishes = members.map(({ memberId, memberMetadata }) => ({
      memberId,
      topics: new Set(readSubscription(memberMetadata)),
      share: new Map<string, number[]>(),
    })).sort((a, b) => a.memberId < b.memberId ? -1 : 1);
    const known = new Set(topics);
    this.#counts = new Map(topics.map((topic) => [topic, cluster.partitionsOf(topic).length]));
    let turn = 0;
    for (const topic of [...known].sort()) {
      const takers = wishes.filter((member) => member.topics.has(topic));
      for (const partition of cluster.partitionsOf(topic)) {
        const share = takers[turn++ % takers.length]?.share;
        if (share === undefined) continue;
        const mine = share.get(topic) ?? [];
        mine.push(partition);
        share.set(topic, mine);
      }
    }
    return wishes.map(({ memberId, share }) => ({ memberId, memberAssignment: assignment(share) }));
  }
}

function subscription(topics: readonly string[]): Buffer {
  const writer = new WireWriter();
  writer.int16(SUBSCRIPTION_VERSION).array(topics, (topic) => writer.text(topic)).int32(0);
  return asBuffer(writer.bytes);
}

function readSubscription(bytes: Uint8Array): string[] {
  const reader = new WireReader(bytes);
  reader.skip(2);
  return reader.array((each) => each.text() ?? "");
}

function assignment(share: ReadonlyMap<string, readonly number[]>): Buffer {
  const writer = new WireWriter();
  writer.int16(SUBSCRIPTION_VERSION).array([...share], ([topic, partitions]) => {
    writer.text(topic).array(partitions, (partition) => writer.int32(partition));
  }).int32(0);
  return asBuffer(writer.bytes);
}

function readAssignment(bytes: Uint8Array): TopicPartition[] {
  if (bytes.length === 0) return [];
  const reader = new WireReader(bytes);
  reader.skip(2);
  return reader.array((each) => {
    const topic = each.text() ?? "";
    return each.array((one) => ({ topic, partition: one.int32() }));
  }).flat();
}
