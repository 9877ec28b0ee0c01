/** Owns the look into a store that a run has left: the numbered messages in it. */

import { segmentBytes } from "../../src/message/mod.ts";
import { hostStore, SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";

/** Bytes of segments that are in memory at once. */
const READ_BYTES_MAX = 4 * 1024 * 1024;

/** What a pipeline's store holds of messages `{"n":NUMBER}`. */
export interface StoredNumbers {
  /** By their sequence. */
  readonly numbers: ReadonlyMap<number, number>;
  readonly checkpoint: number;
}

/** Reads every segment of a store that nobody has open. */
export async function storedNumbers(dataDir: string, pipeline: string): Promise<StoredNumbers> {
  const path = storePath(dataDir, pipeline);
  using _lock = await StoreLock.take(path);
  const store = await hostStore(new SqliteBackend(path, { durability: "process", reserveBytes: 0 }));
  const numbers = new Map<number, number>();
  try {
    for (let after = 0;;) {
      const segments = await store.readSegments(after, READ_BYTES_MAX);
      if (segments.length === 0) break;
      for (const segment of segments) {
        for (let i = 0; i < segment.count; i++) {
          numbers.set(segment.first + i, JSON.parse(new TextDecoder().decode(segmentBytes(segment, i))).n);
        }
        after = segment.first + segment.count - 1;
      }
    }
    return { numbers, checkpoint: store.start.checkpoint };
  } finally {
    await store.close();
  }
}
