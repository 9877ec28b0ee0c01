import assert from "node:assert/strict";
import { OrderedLanes } from "./ordered_lanes.ts";

/** Lanes whose writes end when the test says so. */
function heldLanes(batchMax: number) {
  const writes: { readonly items: readonly string[]; readonly end: () => void }[] = [];
  const lanes = new OrderedLanes<string>({
    batchMax,
    deliver: (items) => new Promise((end) => void writes.push({ items, end })),
    fail: (caught) => assert.fail(String(caught)),
  });
  return { lanes, writes };
}

const turns = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

Deno.test("OrderedLanes: at most one live write holds a key, other keys pass", async () => {
  const { lanes, writes } = heldLanes(1);
  for (const [item, key] of [["a1", "a"], ["a2", "a"], ["b1", "b"]] as const) lanes.add(item, key);
  lanes.start();
  await turns();
  assert.deepEqual(writes.map((write) => write.items), [["a1"], ["b1"]]);
  writes[0]?.end();
  await turns();
  assert.deepEqual(writes.map((write) => write.items), [["a1"], ["b1"], ["a2"]]);
});

Deno.test("OrderedLanes: items of one key go in the order they came, also within one write", async () => {
  const { lanes, writes } = heldLanes(10);
  lanes.add("a1", "a");
  lanes.start();
  for (const item of ["a2", "a3"]) lanes.add(item, "a");
  writes[0]?.end();
  await turns();
  assert.deepEqual(writes.map((write) => write.items), [["a1"], ["a2", "a3"]]);
});

Deno.test("OrderedLanes: idle resolves when the last write has settled, roomy when there is room", async () => {
  const { lanes, writes } = heldLanes(1);
  lanes.add("a1", "a");
  let idle = false;
  void lanes.idle().then(() => idle = true);
  await lanes.roomy();
  await turns();
  assert.equal(idle, false);
  writes[0]?.end();
  await turns();
  assert.equal(idle, true);
});

Deno.test("OrderedLanes: what is added together goes together, in the order it came", async () => {
  const { lanes, writes } = heldLanes(4);
  for (const item of ["a1", "b1", "a2", "c1", "b2"]) lanes.add(item, item.slice(0, 1));
  await lanes.roomy();
  assert.deepEqual(writes.map((write) => write.items), [["a1", "b1", "a2", "b2"], ["c1"]]);
});

Deno.test("OrderedLanes: agrees with its rules over random histories", async () => {
  let state = 7;
  const random = (below: number) => (state = (state * 1664525 + 1013904223) >>> 0) % below;
  for (let round = 0; round < 40; round++) {
    const batchMax = 1 + random(5);
    const { lanes, writes } = heldLanes(batchMax);
    const open = new Set<number>();
    const arrived = new Map<string, number[]>();
    const look = (from: number) => {
      for (const [i, { items }] of writes.slice(from).entries()) {
        const keys = new Set(items.map((item) => item.slice(0, 1)));
        for (const other of open) {
          assert.ok(!writes[other]?.items.some((item) => keys.has(item.slice(0, 1))), "two live writes hold one key");
        }
        assert.ok(items.length <= batchMax);
        for (const item of items) {
          const before = arrived.get(item.slice(0, 1)) ?? [];
          assert.equal(Number(item.slice(1)), before.length, "an item passed an earlier one of its key");
          arrived.set(item.slice(0, 1), [...before, 1]);
        }
        open.add(from + i);
      }
      return writes.length;
    };
    const added = new Map<string, number>();
    let seen = 0;
    for (let step = 0; step < 200; step++) {
      for (let n = random(6); n > 0; n--) {
        const key = "abcdef".charAt(random(6));
        lanes.add(`${key}${added.get(key) ?? 0}`, key);
        added.set(key, (added.get(key) ?? 0) + 1);
      }
      lanes.start();
      seen = look(seen);
      const [ending] = open;
      if (ending === undefined || random(2) === 0) continue;
      open.delete(ending);
      writes[ending]?.end();
      await turns();
      seen = look(seen);
    }
    const idle = lanes.idle();
    while (open.size > 0) {
      const [ending] = open;
      open.delete(ending ?? -1);
      writes[ending ?? -1]?.end();
      await turns();
      seen = look(seen);
    }
    await idle;
    for (const [key, count] of added) assert.equal(arrived.get(key)?.length, count);
  }
});

Deno.test("OrderedLanes: the work for a key that waits long does not grow with what waits", async () => {
  const { lanes, writes } = heldLanes(1);
  const count = 200_000;
  for (let i = 0; i < count; i++) lanes.add(String(i), "k");
  lanes.start();
  // Quadratic work would take minutes here.
  for (let i = 0; i < 20_000; i++) {
    writes[i]?.end();
    await turns();
  }
  assert.deepEqual(writes.at(-1)?.items, ["20000"]);
});
