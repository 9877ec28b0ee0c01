/** Owns the test of a store whose machine loses its power: case D01, in both durabilities. */

import assert from "node:assert/strict";
import { checkStore, hostStore, SqliteBackend, storePath } from "../../src/store/mod.ts";
import { canLosePower, LossyDisk } from "./lossy_disk.ts";
import { isNumbered, numberedSegment } from "./numbered_segment.ts";

/** Segments that the writer would write, more than it gets to. */
const SEGMENTS = 400;
/** At which acknowledged segment each round's power is cut. */
const CUTS = [1, 2, 7, 38, 90];

/** Writes until a number of segments is acknowledged, cuts the power, and answers every segment that was acknowledged. */
async function writeUntilCut(disk: LossyDisk, path: string, durability: string, cut: number): Promise<number[]> {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const child = [new URL("store_child.ts", import.meta.url).pathname, path, durability, String(SEGMENTS)];
  const writer = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "--config", config, ...child],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const durable: number[] = [];
  let isCut = false;
  let rest = "";
  for await (const chunk of writer.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { first, kind } = JSON.parse(line);
      // A sync that the cut overtakes may be told to have succeeded: what was promised is what was answered before.
      if (kind === "durable" && !isCut) durable.push(first);
    }
    if (isCut || durable.length < cut) continue;
    isCut = true;
    disk.cutPower();
  }
  await writer.status;
  assert.ok(isCut, "the writer ended before its power was cut");
  return durable;
}

function powerTest(name: string, fn: (disk: LossyDisk) => Promise<void>): void {
  const possible = canLosePower();
  const required = Deno.env.get("CI") === "true";
  if (!possible && !required) console.error(`SKIPPED: ${name}: losing power needs root, mkfs.ext4 and loop devices`);
  Deno.test({
    name,
    ignore: !possible && !required,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      await using disk = await LossyDisk.make();
      await fn(disk);
    },
  });
}

/** The first sequences of the segments that are there after the power came back; each must be as it was written. */
async function after(path: string): Promise<number[]> {
  assert.deepEqual(checkStore(path), []);
  const store = await hostStore(new SqliteBackend(path, { durability: "power", reserveBytes: 0 }));
  try {
    const segments = await store.readSegments(0, 1e9);
    assert.ok(segments.every(isNumbered));
    return segments.map(({ first }) => first);
  } finally {
    await store.close();
  }
}

powerTest("power loss: with `power` every acknowledged segment is there afterwards", async (disk) => {
  for (const cut of CUTS) {
    const path = storePath(`${disk.folder}/${cut}`, "orders");
    const durable = await writeUntilCut(disk, path, "power", cut);
    await disk.restart();
    assert.deepEqual((await after(path)).slice(0, durable.length), durable);
  }
});

powerTest("power loss: with `process` the store is whole and opens", async (disk) => {
  const path = storePath(disk.folder, "orders");
  // Made and synced before, as a store is that has been running for a while.
  new SqliteBackend(path, { durability: "power", reserveBytes: 0 }).close();
  for (const cut of CUTS) {
    await writeUntilCut(disk, path, "process", cut);
    await disk.restart();
    await after(path);
  }
});

powerTest("power loss: a store that is switched to `power` is synced before it starts", async (disk) => {
  const path = storePath(disk.folder, "orders");
  const store = await hostStore(new SqliteBackend(path, { durability: "process", reserveBytes: 0 }));
  for (const first of [1, 101, 201]) await store.append(numberedSegment(first));
  // As a killed process leaves it: everything in a log that nobody has synced.
  for (const end of ["", "-wal"]) await Deno.copyFile(`${path}${end}`, `${path}.killed${end}`);
  await store.close();
  const killed = new SqliteBackend(`${path}.killed`, { durability: "power", reserveBytes: 0 });
  disk.cutPower();
  try {
    killed.close();
  } catch {
    // The disk is gone.
  }
  await disk.restart();
  assert.deepEqual(await after(`${path}.killed`), [1, 101, 201]);
});
