import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { copySegment, packSegments, unpackSegments } from "./segment_pack.ts";
import { SqliteBackend } from "./sqlite_backend.ts";
import { testSegment } from "./test_segments.ts";

const LATER_MS = 1_001;
const NO_MARKS = { checkpoint: 0, lastVoid: 0, states: [] };

/** A store that holds one message, in a folder of its own. */
async function withStore(
  fn: (folder: string, backend: SqliteBackend, clock: HeldClock, told: readonly string[]) => Promise<void>,
) {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-presence-" });
  const clock = new HeldClock();
  const told: string[] = [];
  const log = { log: (level: string) => void told.push(level) };
  const backend = new SqliteBackend(`${folder}/s.db`, { durability: "process", reserveBytes: 0, clock, log });
  try {
    append(backend, 1);
    await clock.advance(LATER_MS);
    append(backend, 2);
    await fn(folder, backend, clock, told);
  } finally {
    backend.close();
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

function append(backend: SqliteBackend, seq: number): void {
  backend.commit({ ...NO_MARKS, segments: unpackSegments(packSegments([copySegment(testSegment(seq))])) });
}

const LOSSES: { readonly [what: string]: (folder: string) => void } = {
  "the store's file is deleted": (folder) => Deno.removeSync(`${folder}/s.db`),
  "its log is deleted": (folder) => Deno.removeSync(`${folder}/s.db-wal`),
  "another file takes its place": (folder) => {
    Deno.writeTextFileSync(`${folder}/other`, "");
    Deno.renameSync(`${folder}/other`, `${folder}/s.db`);
  },
  "its folder is gone": (folder) => Deno.removeSync(folder, { recursive: true }),
};

for (const [what, lose] of Object.entries(LOSSES)) {
  Deno.test({
    name: `SqliteBackend: once ${what}, nothing more is accepted, and what was can still be committed`,
    ignore: Deno.build.os === "windows", // It lets nobody delete an open file.
    fn: () =>
      withStore(async (folder, backend, clock, told) => {
        lose(folder);
        await clock.advance(LATER_MS);
        assert.throws(() => append(backend, 3), { code: "store_write", message: /was deleted or moved away/ });
        assert.throws(() => append(backend, 3), { code: "store_write" });
        assert.deepEqual(told, ["error"]);
        backend.commit({ ...NO_MARKS, segments: [], checkpoint: 2 });
      }),
  });
}

Deno.test("SqliteBackend: a store whose files stay where they are takes one message after the other", () =>
  withStore(async (_folder, backend, clock) => {
    for (let seq = 3; seq < 8; seq++) {
      await clock.advance(LATER_MS);
      append(backend, seq);
    }
    assert.equal(backend.stats().segments, 7);
  }));
