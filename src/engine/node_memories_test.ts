import assert from "node:assert/strict";
import type { MemoryChanges, TransformMemory } from "../plugin/mod.ts";
import type { Store } from "../store/mod.ts";
import { NodeMemories } from "./node_memories.ts";

/** A memory that says what it is told to, and notes what it was told. */
class TestMemory implements TransformMemory {
  changed: MemoryChanges = { mark: 0, parts: new Map() };
  restored: [string, number[]][] = [];
  readonly savedMarks: number[] = [];

  restore(parts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>, committedThrough: number): void {
    this.restored = [...parts].map(([name, bytes]) => [name, [...bytes, committedThrough]]);
  }

  changes(): MemoryChanges {
    return this.changed;
  }

  saved(mark: number): void {
    this.savedMarks.push(mark);
  }
}

function bench(states: readonly [string, number[]][] = []) {
  const asked: [string, number, number[]][] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const store: Partial<Store> = {
    start: {
      checkpoint: 40,
      lastSeq: 50,
      nextSeq: 51,
      sourceStates: new Map(states.map(([name, bytes]) => [name, Uint8Array.from(bytes)])),
    },
    setSourceState(name, mark, bytes) {
      asked.push([name, mark, [...bytes]]);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
  };
  // Nothing else is asked of the store.
  return { memories: new NodeMemories(store as Store), asked, answers };
}

Deno.test("NodeMemories: gives a node its own parts and the checkpoint, and none that was emptied", () => {
  const { memories } = bench([["once/0", [1]], ["once/1", []], ["once", [2]], ["once2/0", [3]], ["other/once/0", [4]]]);
  const memory = new TestMemory();
  memories.add("once", memory);
  assert.deepEqual(memory.restored, [["0", [1, 40]]]);
});

Deno.test("NodeMemories: asks for what has changed before it returns, and tells when all of it is durable", async () => {
  const { memories, asked, answers } = bench();
  const memory = new TestMemory();
  memories.add("once", memory);
  memory.changed = { mark: 7, parts: new Map([["0", Uint8Array.of(1)], ["3", Uint8Array.of()]]) };
  const saving = memories.save();
  assert.deepEqual(asked, [["once/0", 7, [1]], ["once/3", 7, []]]);
  answers[0]?.resolve();
  await Promise.resolve();
  assert.deepEqual(memory.savedMarks, []);
  answers[1]?.resolve();
  await saving;
  assert.deepEqual(memory.savedMarks, [7]);
});

Deno.test("NodeMemories: a write that fails is told to nobody as saved, and rejects", async () => {
  const { memories, answers } = bench();
  const memory = new TestMemory();
  memories.add("once", memory);
  memory.changed = { mark: 7, parts: new Map([["0", Uint8Array.of(1)]]) };
  const saving = memories.save();
  answers[0]?.reject(new Error("no"));
  await assert.rejects(saving, /no/);
  assert.deepEqual(memory.savedMarks, []);
});
