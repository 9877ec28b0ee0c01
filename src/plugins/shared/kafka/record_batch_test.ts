import assert from "node:assert/strict";
import { crc32c } from "./crc32c.ts";
import { type OutRecord, readBatches, RecordBatchError, writeBatch } from "./record_batch.ts";

const RECORD: OutRecord = {
  key: new TextEncoder().encode("k"),
  value: null,
  headers: [{ name: "h", value: null }],
  timestampMs: 1_700_000_000_000,
};
const STAMP = { producerId: 5_000_000_000, epoch: 3, sequence: 9 };

Deno.test("crc32c: gives the check value of its definition", () => {
  assert.equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(0)), 0);
});

Deno.test("writeBatch: readBatches finds the head again, and leaves out a batch that is cut off", async () => {
  const later = { ...RECORD, timestampMs: RECORD.timestampMs + 5_000_000_000 };
  const batch = await writeBatch([RECORD, later, { ...RECORD, timestampMs: 1 }], "none", STAMP);
  const found = [...readBatches(Uint8Array.from([...batch, ...batch.subarray(0, batch.length - 1)]))];
  assert.equal(found.length, 1);
  const { packed, ...head } = found[0] ?? assert.fail();
  assert.ok(packed.length > 0);
  assert.deepEqual(head, {
    baseOffset: 0,
    lastOffset: 2,
    baseTimestampMs: RECORD.timestampMs,
    appendTimestampMs: undefined,
    producerId: STAMP.producerId,
    isTransactional: false,
    isControl: false,
    codec: 0,
    count: 3,
  });
});

Deno.test("readBatches: a byte that was altered is found by the checksum", async () => {
  const batch = await writeBatch([RECORD], "none", STAMP);
  for (const at of [22, 40, batch.length - 1]) {
    const altered = batch.slice();
    altered[at] = (altered[at] ?? 0) ^ 1;
    assert.throws(() => [...readBatches(altered)], RecordBatchError);
  }
});

Deno.test("readBatches: a message format that is too old is refused", async () => {
  const batch = await writeBatch([RECORD], "none", STAMP);
  batch[16] = 1;
  assert.throws(() => [...readBatches(batch)], RecordBatchError);
});
