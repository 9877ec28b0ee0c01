/** Owns the segments and dead letters that the store's tests write. */

import { HeldClock, idBase, systemRandom } from "../base/mod.ts";
import type { MetaColumns, Segment } from "../message/mod.ts";
import type { DeadLetterRecord } from "./contract.ts";

const CLOCK = new HeldClock();

/** A segment of `count` messages from `first` on, each its number as text. */
export function testSegment(first: number, count = 1, changes: Partial<Segment> = {}): Segment {
  const texts = Array.from({ length: count }, (_, i) => new TextEncoder().encode(`message ${first + i}`));
  const ends = new Uint32Array(count);
  let total = 0;
  for (const [i, text] of texts.entries()) ends[i] = total += text.length;
  const bytes = new Uint8Array(total);
  for (const [i, text] of texts.entries()) bytes.set(text, (ends[i] ?? 0) - text.length);
  return {
    first,
    count,
    bytes,
    ends,
    gap: 0,
    codec: "json",
    source: "in",
    idBase: idBase(CLOCK.now(), systemRandom),
    meta: { source: "in", ingest_time: 1_000 },
    columns: {},
    ...changes,
  };
}

/** A segment whose messages are together `bytes` long. */
export function heavySegment(first: number, count: number, bytes: number): Segment {
  const each = Math.floor(bytes / count);
  const ends = Uint32Array.from({ length: count }, (_, i) => (i + 1) * each);
  return testSegment(first, count, { bytes: new Uint8Array(each * count).fill(65), ends });
}

/** Columns of every kind a store tells apart. */
export function testColumns(count: number): MetaColumns {
  const each = <T>(make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return {
    offset: each((i) => i * 180.5),
    line: Uint32Array.from({ length: count }, (_, i) => i),
    exact: each((i) => 2n ** 60n + BigInt(i)),
    path: each((i) => `logs/ä-${i}.log`),
    sparse: each((i) => i % 3 === 0 ? { n: i, exact: 9007199254740993n } : undefined),
    nothing: each(() => null),
  };
}

/** A dead letter of the sequence. */
export function testLetter(seq: number, changes: Partial<DeadLetterRecord> = {}): DeadLetterRecord {
  return {
    seq,
    node: "out",
    edge: "in->out",
    branch: "",
    messageId: `id-${seq}`,
    timeMs: 1_000 + seq,
    reason: "the server said 400",
    class: "delivery",
    attempts: 3,
    source: "in",
    bytes: new TextEncoder().encode(`letter ${seq}`),
    codec: "json",
    meta: { source: "in", exact: 2n ** 63n },
    ...changes,
  };
}
