/** Owns compressed files of lines: a gzip member a batch, each of which says how long it is. */

import { crc32 } from "node:zlib";
import { readFully } from "./torn_tail.ts";

// RFC 1952. The extra field holds one subfield "EB" of 4 bytes: the length of the whole member. Other programs ignore
// it; it lets the end of the last whole member be found without inflating the file.
const HEADER_BYTES = 20;
const TRAILER_BYTES = 8;
const FLAG_EXTRA = 4;
const OS_UNKNOWN = 255;
const EXTRA_BYTES = 8;
const SUBFIELD_BYTES = 4;
const LENGTH_AT = 16;

/** Compresses a batch to one gzip member. */
export async function gzipMember(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const deflated = await new Response(
    new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")),
  ).bytes();
  const member = new Uint8Array(HEADER_BYTES + deflated.length + TRAILER_BYTES);
  const view = new DataView(member.buffer);
  member.set([0x1f, 0x8b, 8, FLAG_EXTRA, 0, 0, 0, 0, 0, OS_UNKNOWN]);
  view.setUint16(10, EXTRA_BYTES, true);
  member.set([0x45, 0x42], 12);
  view.setUint16(14, SUBFIELD_BYTES, true);
  view.setUint32(LENGTH_AT, member.length, true);
  member.set(deflated, HEADER_BYTES);
  view.setUint32(HEADER_BYTES + deflated.length, crc32(bytes), true);
  view.setUint32(HEADER_BYTES + deflated.length + 4, bytes.length, true);
  return member;
}

/**
 * Where the last whole member ends. What follows it is the rest of a member that was never finished.
 * @throws {Error} when the file begins with something this sink has not written.
 */
export async function wholeMembersEnd(file: Deno.FsFile, size: number): Promise<number> {
  const header = new Uint8Array(HEADER_BYTES);
  let at = 0;
  while (at + HEADER_BYTES <= size) {
    await readFully(file, at, header);
    if (!isOurs(header)) {
      if (at > 0) break;
      throw new Error("it begins with no gzip member that this sink wrote; choose another path or move the file away");
    }
    const length = new DataView(header.buffer).getUint32(LENGTH_AT, true);
    if (at + length > size) break;
    at += length;
  }
  return at;
}

function isOurs(header: Uint8Array): boolean {
  return header[0] === 0x1f && header[1] === 0x8b && header[2] === 8 && header[3] === FLAG_EXTRA &&
    header[12] === 0x45 && header[13] === 0x42 && header[14] === SUBFIELD_BYTES;
}
