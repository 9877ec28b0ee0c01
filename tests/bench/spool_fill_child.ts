/** Fills a new store with messages that nobody has committed: DATA_DIR COUNT. */

import { idBase, systemRandom } from "../../src/base/mod.ts";
import type { Segment } from "../../src/message/mod.ts";
import { hostStore, SqliteBackend, type Store, storePath } from "../../src/store/mod.ts";
import { tell } from "./child_program.ts";
import { PIPELINE_NAME, SOURCE_NAME } from "./file_bench.ts";
import { inputLine } from "./input_lines.ts";

/** Messages of a segment, as the file source emits them. */
const SEGMENT_MESSAGES = 2000;

const encoder = new TextEncoder();

async function fill(store: Store, count: number): Promise<void> {
  for (let from = 0; from < count; from += SEGMENT_MESSAGES) {
    const segment = segmentOf(from, Math.min(count, from + SEGMENT_MESSAGES));
    const result = await store.append(segment);
    if (result.kind !== "durable") throw result.error;
  }
}

/** Lines `[from, to)` as the file source and the admission make a segment of them. */
function segmentOf(from: number, to: number): Segment {
  const ends = new Uint32Array(to - from);
  const starts = new Float64Array(to - from);
  let text = "";
  for (let i = 0; i < ends.length; i++) {
    if (i > 0) text += "\n";
    starts[i] = text.length;
    text += inputLine(from + i);
    ends[i] = text.length; // Every line is ASCII: units are bytes.
  }
  return {
    first: from + 1,
    count: ends.length,
    bytes: encoder.encode(text),
    ends,
    gap: 1,
    codec: "json",
    source: SOURCE_NAME,
    idBase: idBase(Date.now(), systemRandom),
    meta: { ingest_time: new Date().toISOString(), source: SOURCE_NAME },
    columns: { offset: starts },
  };
}

async function main([dataDir = "", count = ""]: readonly string[]): Promise<void> {
  await Deno.mkdir(dataDir, { recursive: true });
  const backend = new SqliteBackend(storePath(dataDir, PIPELINE_NAME), { durability: "process" });
  const store = await hostStore(backend);
  await fill(store, Number(count));
  await store.close();
  tell(null);
}

if (import.meta.main) await main(Deno.args);
