import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { SqliteBackend } from "./sqlite_backend.ts";
import { type Migration, MIGRATIONS } from "./sqlite_schema.ts";
import { storePath } from "./store_path.ts";
import { copySegment, packSegments, unpackSegments } from "./segment_pack.ts";
import { testSegment } from "./test_segments.ts";

const NEXT: Migration = (db) => db.exec("ALTER TABLE segment ADD COLUMN note TEXT; CREATE TABLE extra (id INTEGER)");

function inFolder(fn: (path: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    fn(storePath(folder, "orders"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function open(path: string, migrations: readonly Migration[]): SqliteBackend {
  return new SqliteBackend(path, { durability: "process", reserveBytes: 0, migrations });
}

/** Makes a store of today's schema with one segment. */
function make(path: string): void {
  const backend = open(path, MIGRATIONS);
  const segments = unpackSegments(packSegments([copySegment(testSegment(1))]));
  backend.commit({ segments, checkpoint: 0, lastVoid: 0, states: [] });
  backend.close();
}

Deno.test("migrate: an older store is brought to the newest version and keeps what it holds", () => {
  inFolder((path) => {
    make(path);
    const backend = open(path, [...MIGRATIONS, NEXT]);
    assert.equal(backend.stats().schemaVersion, MIGRATIONS.length + 1);
    assert.equal(backend.readSegments(0, 1).length, 1);
    backend.close();
    assert.throws(() => open(path, MIGRATIONS), { code: "store_version" });
  });
});

Deno.test("migrate: a step that fails leaves the store as it was", () => {
  inFolder((path) => {
    make(path);
    const broken: Migration = (db) => {
      NEXT(db);
      db.exec("SELECT * FROM nowhere");
    };
    assert.throws(() => open(path, [...MIGRATIONS, broken]));
    const backend = open(path, MIGRATIONS);
    assert.equal(backend.stats().schemaVersion, MIGRATIONS.length);
    backend.close();
    using db = new DatabaseSync(path, { readOnly: true });
    assert.deepEqual(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'extra'").all(), []);
  });
});

Deno.test("SqliteBackend: the file stays small however much passes through it", () => {
  inFolder((path) => {
    const backend = new SqliteBackend(path, { durability: "process", reserveBytes: 0 });
    const bytes = new Uint8Array(400_000);
    let largest = 0;
    for (let seq = 1; seq <= 200; seq++) {
      const segment = testSegment(seq, 1, { bytes, ends: Uint32Array.of(bytes.length) });
      backend.commit({
        segments: unpackSegments(packSegments([copySegment(segment)])),
        checkpoint: 0,
        lastVoid: 0,
        states: [],
      });
      if (seq % 5 === 0) backend.trim(seq - 5);
      backend.maintain();
      largest = Math.max(largest, backend.stats().fileBytes);
    }
    backend.close();
    assert.ok(largest < 16 * 1024 * 1024, `${largest} bytes at most`);
  });
});

Deno.test("SqliteBackend: a large backlog that was worked off gives its room back to the disk", () => {
  inFolder((path) => {
    const backend = new SqliteBackend(path, { durability: "process", reserveBytes: 0 });
    const bytes = new Uint8Array(4_000_000);
    for (let seq = 1; seq <= 40; seq++) {
      const segment = testSegment(seq, 1, { bytes, ends: Uint32Array.of(bytes.length) });
      backend.commit({
        segments: unpackSegments(packSegments([copySegment(segment)])),
        checkpoint: 0,
        lastVoid: 0,
        states: [],
      });
      backend.maintain();
    }
    const before = backend.stats().fileBytes;
    for (let seq = 1; seq <= 40; seq++) {
      backend.trim(seq);
      backend.maintain();
    }
    const after = backend.stats().fileBytes;
    backend.close();
    assert.ok(before > 150e6 && after < before * 0.6, `${before} bytes before, ${after} after`);
  });
});
