/** Owns the test of a disk without room: case D04, and what a store promises there. */

import assert from "node:assert/strict";
import { HeldClock } from "../../src/base/mod.ts";
import { checkStore, hostStore, SqliteBackend, type StoreClient, StoreLock, storePath } from "../../src/store/mod.ts";
import { isNumbered, NUMBERED_MESSAGES, numberedSegment } from "./numbered_segment.ts";
import { diskTest, type SmallDisk } from "./small_disk.ts";

/** Longer than the store waits before it looks for room again. */
const LOOK_AGAIN_MS = 1_100;
/** More segments than any of these disks holds. */
const SEGMENTS_MAX = 400;

/** One life of a store on a small disk. */
class Life implements AsyncDisposable {
  readonly clock: HeldClock;
  readonly store: StoreClient;
  readonly #path: string;

  private constructor(path: string, clock: HeldClock, store: StoreClient) {
    this.#path = path;
    this.clock = clock;
    this.store = store;
  }

  static async begin(disk: SmallDisk): Promise<Life> {
    const path = storePath(disk.folder, "orders");
    const clock = new HeldClock();
    return new Life(path, clock, await hostStore(new SqliteBackend(path, { durability: "power", clock })));
  }

  /** Appends from `first` on until the disk is full; answers the first sequence that was refused. */
  async fill(first: number): Promise<number> {
    for (let i = 0; i < SEGMENTS_MAX; i++, first += NUMBERED_MESSAGES) {
      const result = await this.store.append(numberedSegment(first));
      if (result.kind === "durable") continue;
      assert.equal(result.error.code, "store_full");
      assert.equal(result.kind, "refused");
      return first;
    }
    return assert.fail("the disk never became full");
  }

  /** Asserts that exactly the sequences from `from` to before `to` are stored, each as it was. */
  async holds(from: number, to: number): Promise<void> {
    for (let after = from - 1; after < to - 1;) {
      const [segment] = await this.store.readSegments(after, 0);
      assert.ok(segment !== undefined && segment.first === after + 1 && isNumbered(segment), `after ${after}`);
      after = segment.first + segment.count - 1;
    }
    assert.equal((await this.store.readSegments(to - 1, 0)).length, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    assert.deepEqual(checkStore(this.#path).filter(({ what }) => !what.includes("are missing")), []);
  }
}

diskTest(
  "full disk: intake is refused, nothing accepted is lost, and it goes on by itself once messages are committed",
  24,
  async (disk) => {
    await using life = await Life.begin(disk);
    let first = 1;
    for (let round = 0; round < 4; round++) {
      const refused = await life.fill(first);
      assert.ok(refused - first > 20 * NUMBERED_MESSAGES, `round ${round}: only ${refused - first} messages fit`);
      await life.holds(first, refused);
      // What makes room can still be written, step by step, and so can what must not be lost.
      await life.store.setSourceState("in", round, new Uint8Array(1_000));
      await life.store.writeDeadLetters([letter(first)]);
      await life.store.setCheckpoint(first + NUMBERED_MESSAGES - 1);
      await life.store.setCheckpoint(refused - 1);
      await life.clock.advance(LOOK_AGAIN_MS);
      first = refused + NUMBERED_MESSAGES;
    }
    assert.equal((await life.store.append(numberedSegment(first))).kind, "durable");
    assert.equal((await life.store.readDeadLetters({ limit: 9 })).length, 4);
  },
);

diskTest("full disk: intake goes on by itself once the disk is larger, with nothing committed", 24, async (disk) => {
  await using life = await Life.begin(disk);
  const refused = await life.fill(1);
  await disk.remount("size=48m");
  await life.clock.advance(LOOK_AGAIN_MS);
  await life.holds(1, refused);
  const next = refused + NUMBERED_MESSAGES;
  assert.equal((await life.store.append(numberedSegment(next))).kind, "durable");
});

diskTest(
  "full disk: a neighbour that takes the last byte makes every write fail and harms none that was accepted",
  40,
  async (disk) => {
    const path = storePath(disk.folder, "orders");
    let refused = 0;
    {
      await using life = await Life.begin(disk);
      assert.equal((await life.store.append(numberedSegment(1))).kind, "durable");
      disk.fill("neighbour");
      refused = await life.fill(NUMBERED_MESSAGES + 1);
      // The store gave its reserve up, and the neighbour takes that too.
      disk.fill("neighbour-2");
      const failures = new Set<string>();
      for (let i = 0; i < 400; i++) {
        await life.store.writeDeadLetters([{ ...letter(i + 1), bytes: new Uint8Array(30_000) }]).catch((error) =>
          failures.add(error.code)
        );
      }
      assert.deepEqual([...failures], ["store_full"]);
      await life.holds(1, refused);
    }
    {
      await using life = await Life.begin(disk);
      await life.holds(1, refused);
      assert.equal((await life.store.append(numberedSegment(refused + NUMBERED_MESSAGES))).kind, "refused");
      await Deno.remove(`${disk.folder}/neighbour`);
      await Deno.remove(`${disk.folder}/neighbour-2`);
      await life.clock.advance(LOOK_AGAIN_MS);
      assert.equal((await life.store.append(numberedSegment(refused + 2 * NUMBERED_MESSAGES))).kind, "durable");
    }
    assert.ok((await Deno.stat(`${path}.reserve`)).size > 0);
  },
);

diskTest("full disk: a store cannot be made there, and says why", 16, async (disk) => {
  const path = storePath(disk.folder, "orders");
  {
    using _lock = await StoreLock.take(path);
    disk.fill("neighbour");
    assert.throws(() => new SqliteBackend(path, { durability: "power" }), { code: "store_full" });
  }
  await Deno.remove(`${disk.folder}/neighbour`);
  new SqliteBackend(path, { durability: "power" }).close();
});

diskTest("read-only disk: opening, locking and making a store each say so", 40, async (disk) => {
  const path = storePath(disk.folder, "orders");
  new SqliteBackend(path, { durability: "power" }).close();
  await disk.remount("ro");
  assert.throws(() => new SqliteBackend(path, { durability: "power" }), { code: "store_readonly" });
  assert.throws(() => new SqliteBackend(storePath(disk.folder, "other"), { durability: "power" }), {
    code: "store_readonly",
  });
  await assert.rejects(StoreLock.take(storePath(disk.folder, "other")), { code: "store_readonly" });
  await disk.remount("rw");
});

function letter(seq: number) {
  return {
    seq,
    node: "out",
    edge: "in->out",
    branch: "",
    messageId: `id-${seq}`,
    timeMs: 1_000,
    reason: "the server said 400",
    class: "delivery",
    attempts: 1,
    source: "in",
    bytes: new Uint8Array(100),
    codec: "raw",
    meta: {},
  } as const;
}
