/** Owns what transforms remember across restarts: given back at the start, written with each checkpoint. */

import type { TransformMemory } from "../plugin/mod.ts";
import type { Store } from "../store/mod.ts";

/** Between a node's name and its part's: no node's name holds one, so that no source can have such a name. */
const SEPARATOR = "/";

interface NodeMemory {
  readonly node: string;
  readonly memory: TransformMemory;
}

/** The memories of one engine's transforms. */
export class NodeMemories {
  readonly #store: Store;
  readonly #memories: NodeMemory[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Gives a transform back what it remembered, and from now on writes what it remembers. */
  add(node: string, memory: TransformMemory): void {
    const { sourceStates, checkpoint } = this.#store.start;
    const prefix = node + SEPARATOR;
    const parts = [...sourceStates].filter(([name, state]) => name.startsWith(prefix) && state.length > 0)
      .map(([name, state]) => [name.slice(prefix.length), state] as const);
    memory.restore(new Map(parts), checkpoint);
    this.#memories.push({ node, memory });
  }

  /**
   * Asks the store for everything that is not durable yet, before it returns: with a checkpoint that is asked for in
   * the same turn it shares a transaction. Resolves when it is durable, and rejects as the store does.
   */
  async save(): Promise<void> {
    const asked = this.#memories.map(({ node, memory }) => {
      const { mark, parts } = memory.changes();
      const writes = [...parts].map(([part, bytes]) =>
        this.#store.setSourceState(node + SEPARATOR + part, mark, bytes)
      );
      return Promise.all(writes).then(() => memory.saved(mark));
    });
    await Promise.all(asked);
  }
}
