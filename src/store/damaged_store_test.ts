import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Segment } from "../message/mod.ts";
import { checkStore } from "./check_store.ts";
import { storeStats } from "./offline_store.ts";
import { salvageStore } from "./salvage_store.ts";
import { copySegment, packSegments, unpackSegments } from "./segment_pack.ts";
import { SqliteBackend } from "./sqlite_backend.ts";
import { PAGE_BYTES } from "./sqlite_schema.ts";
import { storePath, walPath } from "./store_path.ts";
import { storeLetter } from "./stored_letter.ts";
import type { StoredSegment } from "./stored_segment.ts";
import { heavySegment, testColumns, testLetter } from "./test_segments.ts";

const SEGMENTS = 24;
const MESSAGES = 100;
const CHECKPOINT = 550;

/** A store in a folder of its own, with what was put into it. */
class DamagedStore implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync();
  readonly path = storePath(this.folder, "orders");
  readonly into = storePath(this.folder, "saved");
  readonly segments: readonly Segment[] = Array.from(
    { length: SEGMENTS },
    (_, i) => heavySegment(i * MESSAGES + 1, MESSAGES, 60_000 + i),
  ).map((segment) => ({ ...segment, columns: testColumns(MESSAGES) }));

  /** Fills the store; `keepLog` leaves it as a killed process would, with everything in the log. */
  constructor(keepLog = false) {
    const backend = this.open();
    for (const segment of this.segments) {
      const segments = unpackSegments(packSegments([copySegment(segment)]));
      backend.commit({ segments, checkpoint: 0, lastVoid: 0, states: [] });
    }
    const states = [{ source: "in", state: Uint8Array.of(7, 7) }];
    backend.commit({ segments: [], checkpoint: CHECKPOINT, lastVoid: 30, states });
    backend.writeDeadLetters([5, 700].map((seq) => storeLetter(testLetter(seq))), 0);
    const files = keepLog ? [this.path, walPath(this.path)] : [];
    for (const file of files) Deno.copyFileSync(file, `${file}.killed`);
    backend.close();
    for (const file of files) Deno.renameSync(`${file}.killed`, file);
  }

  open(): SqliteBackend {
    return new SqliteBackend(this.path, { durability: "process", reserveBytes: 0 });
  }

  overwrite(at: number, bytes: number): void {
    using file = Deno.openSync(this.path, { write: true });
    file.seekSync(at, Deno.SeekMode.Start);
    file.writeSync(crypto.getRandomValues(new Uint8Array(bytes)));
  }

  errors(path = this.path): string[] {
    return checkStore(path).filter(({ severity }) => severity === "error").map(({ what }) => what);
  }

  /** Salvages, and asserts that the original is untouched and everything saved is as it was. */
  async salvage() {
    const before = this.#files();
    const report = await salvageStore(this.path, this.into);
    assert.deepEqual(this.#files(), before);
    assert.deepEqual(this.errors(this.into).filter((what) => !what.includes("are missing")), []);
    const saved = new SqliteBackend(this.into, { durability: "power", reserveBytes: 0 });
    try {
      const segments = saved.readSegments(0, 1e9);
      assert.equal(segments.length, report.segments);
      const originals = new Map(this.segments.map((segment) => [segment.first, segment]));
      for (const segment of segments) assert.deepEqual(segment, this.#stored(originals.get(segment.first)));
      return { report, start: saved.start, letters: saved.readDeadLetters({ limit: 99 }).map(({ seq }) => seq) };
    } finally {
      saved.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }

  #stored(segment: Segment | undefined): StoredSegment | undefined {
    const [stored] = segment === undefined ? [] : unpackSegments(packSegments([copySegment(segment)]));
    return stored;
  }

  #files(): Record<string, string> {
    const names = [...Deno.readDirSync(`${this.folder}/stores`)].map(({ name }) => name).sort();
    const originals = names.filter((name) => name.startsWith("orders") && !name.endsWith(".lock"));
    return Object.fromEntries(originals.map((name) => {
      const bytes = Deno.readFileSync(`${this.folder}/stores/${name}`);
      return [name, `${bytes.length} ${bytes.reduce((sum, byte) => (sum * 31 + byte) | 0, 0)}`];
    }));
  }
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, sanitizeOps: true, sanitizeResources: true, fn });
}

function pages(path: string, table: string, kind: string): number[] {
  using db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ?").all(table, kind);
  return rows.map((row) => Number(row["pageno"]));
}

function rootPage(path: string, table: string): number {
  using db = new DatabaseSync(path, { readOnly: true });
  return Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table)?.["rootpage"]);
}

test("checkStore: a whole store has no findings, and a salvage of it saves everything", async () => {
  await using store = new DamagedStore();
  assert.deepEqual(checkStore(store.path), []);
  const { report, start, letters } = await store.salvage();
  assert.deepEqual([report.segments, report.messages, report.uncommitted], [24, 2400, 1850]);
  assert.deepEqual([report.lost, report.notes, report.messagesLost, report.lossKnown], [[], [], 0, true]);
  assert.deepEqual([start.checkpoint, start.lastSeq, start.nextSeq], [550, 2400, 2401]);
  assert.deepEqual([...start.sourceStates], [["in", Uint8Array.of(7, 7)]]);
  assert.deepEqual(letters, [5, 700]);
});

test("salvageStore: a file that was cut in the middle of a page gives what lies before the cut", async () => {
  await using store = new DamagedStore();
  Deno.truncateSync(store.path, Math.floor(Deno.statSync(store.path).size * 0.6) + 17);
  assert.throws(() => store.open(), { code: "store_corrupt" });
  assert.notDeepEqual(store.errors(), []);
  const { report } = await store.salvage();
  assert.ok(report.segments >= 8 && report.segments < SEGMENTS, `${report.segments} segments`);
  assert.equal(report.checkpoint, CHECKPOINT);
  assert.ok(report.messagesLost > 0);
});

test("salvageStore: a page of a segment that holds garbage costs that segment", async () => {
  await using store = new DamagedStore();
  const blobs = pages(store.path, "segment", "overflow");
  store.overwrite((blobs[Math.floor(blobs.length / 2)] ?? 0) * PAGE_BYTES - PAGE_BYTES, PAGE_BYTES);
  const backend = store.open();
  assert.throws(() => backend.readSegments(0, 1e9), { code: "store_corrupt" });
  backend.close();
  assert.ok(store.errors().some((what) => what.includes("is damaged")), store.errors().join());
  const { report, letters } = await store.salvage();
  assert.equal(report.segments, SEGMENTS - 1);
  assert.deepEqual(letters, [5, 700]);
});

test("salvageStore: lost messages beyond the checkpoint are listed, delivered ones are not", async () => {
  await using store = new DamagedStore();
  {
    using db = new DatabaseSync(store.path);
    db.exec("UPDATE segment SET bytes = zeroblob(length(bytes)) WHERE first IN (101, 501, 1001)");
  }
  const { report } = await store.salvage();
  assert.deepEqual(report.lost.map(({ from, to }) => [from, to]), [[551, 600], [1001, 1100]]);
  assert.deepEqual([report.messagesLost, report.lossKnown], [150, true]);
  assert.equal(report.segments, SEGMENTS - 3);
});

test("salvageStore: where nothing can be read, it claims to know of no loss", async () => {
  await using store = new DamagedStore();
  const bytes = Deno.statSync(store.path).size;
  for (let at = 0; at < bytes; at += PAGE_BYTES) store.overwrite(at, PAGE_BYTES);
  const { report } = await store.salvage();
  assert.deepEqual([report.messages, report.messagesLost, report.lossKnown], [0, 0, false]);
});

test("salvageStore: a file without its header, or without its first page, gives everything", async () => {
  for (const bytes of [100, PAGE_BYTES]) {
    await using store = new DamagedStore();
    store.overwrite(0, bytes);
    assert.throws(() => store.open(), { code: "store_corrupt" });
    assert.notDeepEqual(store.errors(), []);
    const { report, start, letters } = await store.salvage();
    assert.deepEqual([report.segments, report.lost, start.checkpoint, start.nextSeq], [24, [], 550, 2401]);
    assert.deepEqual([...start.sourceStates], [["in", Uint8Array.of(7, 7)]]);
    assert.deepEqual(letters, [5, 700]);
  }
});

test("salvageStore: a broken tree of rows is passed by", async () => {
  for (const table of ["segment", "dead_letter", "meta"]) {
    await using store = new DamagedStore();
    store.overwrite((rootPage(store.path, table) - 1) * PAGE_BYTES, PAGE_BYTES);
    assert.notDeepEqual(store.errors(), []);
    const { report, letters } = await store.salvage();
    assert.equal(report.segments, SEGMENTS, table);
    assert.equal(report.checkpoint, table === "meta" ? 0 : CHECKPOINT);
    assert.deepEqual(letters, table === "dead_letter" ? [] : [5, 700]);
    assert.notDeepEqual(report.notes, []);
  }
});

test("salvageStore: what a killed process left in the log is saved, also where the file is empty or gone", async () => {
  const damages = [
    (_: DamagedStore) => {},
    (store: DamagedStore) => store.overwrite(0, 100),
    (store: DamagedStore) => Deno.truncateSync(store.path, 0),
    (store: DamagedStore) => Deno.removeSync(store.path),
  ];
  for (const [i, damage] of damages.entries()) {
    await using store = new DamagedStore(true);
    const logged = Math.floor(Deno.statSync(walPath(store.path)).size / 100_000);
    assert.ok(logged > 1);
    damage(store);
    // The log holds the first page too, so that a damaged header does no harm.
    if (i > 1) assert.throws(() => store.open(), { code: "store_corrupt" });
    const { report } = await store.salvage();
    assert.ok(report.segments >= (i < 2 ? SEGMENTS : 1), `${i}: ${report.segments} segments`);
  }
});

test("StoreVersion: a store of a newer program is refused by everyone and stays as it is", async () => {
  await using store = new DamagedStore();
  {
    using db = new DatabaseSync(store.path);
    db.exec("UPDATE meta SET value = 99 WHERE key = 'schema_version'");
  }
  for (const use of [() => store.open(), () => checkStore(store.path), () => storeStats(store.path)]) {
    assert.throws(use, { code: "store_version" });
  }
  await assert.rejects(salvageStore(store.path, store.into), { code: "store_version" });
  assert.equal([...Deno.readDirSync(`${store.folder}/stores`)].some(({ name }) => name.startsWith("saved")), false);
});

test("checkStore: a file of another program, an empty one and a missing one are told apart", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const other = `${folder}/other.db`;
    {
      using db = new DatabaseSync(other);
      db.exec("CREATE TABLE customers (id INTEGER)");
    }
    assert.throws(() => new SqliteBackend(other, { durability: "power" }), { code: "store_corrupt" });
    assert.equal(checkStore(other).length, 1);
    await Deno.writeTextFile(`${folder}/text.db`, "this is no database, however long it is".repeat(100));
    assert.throws(() => new SqliteBackend(`${folder}/text.db`, { durability: "power" }), { code: "store_corrupt" });
    assert.equal(checkStore(`${folder}/text.db`).length, 1);
    assert.throws(() => checkStore(`${folder}/none.db`), { code: "store_open" });
    assert.throws(() => storeStats(`${folder}/none.db`), { code: "store_open" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

test("checkStore: overlapping segments and sequences that nobody accounts for are found", async () => {
  await using store = new DamagedStore();
  {
    using db = new DatabaseSync(store.path);
    db.exec("DELETE FROM segment WHERE first = 1201; UPDATE segment SET first = 1350 WHERE first = 1401");
  }
  const errors = store.errors();
  assert.ok(errors.some((what) => what.includes("1201 to 1300 are missing")), errors.join("\n"));
  assert.ok(errors.some((what) => what.includes("overlaps one that ends at 1400")), errors.join("\n"));
});

test("storeStats: a store can be looked at while it is being written", async () => {
  await using store = new DamagedStore();
  const backend = store.open();
  try {
    const stats = storeStats(store.path);
    assert.deepEqual([stats.segments, stats.messages, stats.uncommitted, stats.deadLetters], [24, 2400, 1850, 2]);
    assert.deepEqual(checkStore(store.path), []);
  } finally {
    backend.close();
  }
});
