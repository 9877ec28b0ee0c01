import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { DiskReserve } from "./disk_reserve.ts";

const BYTES = 3_000_000;
/** Longer than the least time between two tries. */
const LATER_MS = 1_001;

async function inFolder(fn: (folder: string, clock: HeldClock) => Promise<void> | void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await fn(folder, new HeldClock());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const size = (path: string) => Deno.statSync(path).size;

Deno.test("DiskReserve: it is taken once, and an earlier one is taken as it is", () =>
  inFolder((folder, clock) => {
    const path = `${folder}/x.reserve`;
    for (let life = 0; life < 2; life++) {
      const reserve = new DiskReserve(path, BYTES, clock);
      reserve.take();
      assert.equal(reserve.held, true);
      assert.equal(size(path), BYTES);
    }
  }));

Deno.test("DiskReserve: once released it is looked for again after a second, not before", () =>
  inFolder(async (folder, clock) => {
    const path = `${folder}/x.reserve`;
    const reserve = new DiskReserve(path, BYTES, clock);
    reserve.take();
    reserve.release();
    assert.throws(() => size(path), Deno.errors.NotFound);
    assert.deepEqual([reserve.held, reserve.regain()], [false, false]);
    await clock.advance(LATER_MS);
    assert.equal(reserve.regain(), true);
    assert.equal(size(path), BYTES);
  }));

Deno.test("DiskReserve: where it cannot be written there is none, and nothing half done stays", () =>
  inFolder(async (folder, clock) => {
    const path = `${folder}/missing/x.reserve`;
    const reserve = new DiskReserve(path, BYTES, clock);
    reserve.take();
    assert.equal(reserve.held, false);
    await clock.advance(LATER_MS);
    assert.equal(reserve.regain(), false);
    await Deno.mkdir(`${folder}/missing`);
    assert.equal(reserve.regain(), false);
    await clock.advance(LATER_MS);
    assert.equal(reserve.regain(), true);
  }));

Deno.test("DiskReserve: a reserve of no size is always held and makes no file", () =>
  inFolder((folder, clock) => {
    const path = `${folder}/x.reserve`;
    const reserve = new DiskReserve(path, 0, clock);
    reserve.take();
    assert.equal(reserve.held, true);
    assert.throws(() => size(path), Deno.errors.NotFound);
  }));
