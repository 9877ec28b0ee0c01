/** Owns the checksum of batches of records: CRC-32C (Castagnoli). */

const POLYNOMIAL = 0x82f63b78;
const SLICES = 8;
const TABLE_SIZE = 256;

/** Eight tables, one behind the other: eight bytes are taken at a time. */
const TABLES: Uint32Array = makeTables();

/** The checksum, as an unsigned number. */
export function crc32c(bytes: Uint8Array): number {
  const t = TABLES;
  let crc = 0xffffffff;
  let i = 0;
  // Each index is a byte, so every look-up is within its table, and every position within the bytes.
  for (const end = bytes.length - 7; i < end; i += 8) {
    const low = crc ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    crc = t[1792 + (low & 0xff)]! ^ t[1536 + ((low >>> 8) & 0xff)]! ^ t[1280 + ((low >>> 16) & 0xff)]! ^
      t[1024 + (low >>> 24)]! ^ t[768 + bytes[i + 4]!]! ^ t[512 + bytes[i + 5]!]! ^ t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t[(crc ^ bytes[i]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

function makeTables(): Uint32Array {
  const tables = new Uint32Array(SLICES * TABLE_SIZE);
  for (let i = 0; i < TABLE_SIZE; i++) {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[i] = value;
  }
  for (let slice = 1; slice < SLICES; slice++) {
    for (let i = 0; i < TABLE_SIZE; i++) {
      const before = tables[(slice - 1) * TABLE_SIZE + i] ?? 0;
      tables[slice * TABLE_SIZE + i] = (before >>> 8) ^ (tables[before & 0xff] ?? 0);
    }
  }
  return tables;
}
