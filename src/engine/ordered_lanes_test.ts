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
  await turns();
  assert.deepEqual(writes.map((write) => write.items), [["a1"], ["b1"]]);
  writes[0]?.end();
  await turns();
  assert.deepEqual(writes.map((write) => write.items), [["a1"], ["b1"], ["a2"]]);
});

Deno.test("OrderedLanes: items of one key go in the order they came, also within one write", async () => {
  const { lanes, writes } = heldLanes(10);
  lanes.add("a1", "a");
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
