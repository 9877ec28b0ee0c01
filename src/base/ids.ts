/** Owns message identity: UUIDv7 bases whose successors are counted, not drawn. */

import type { Random } from "./random.ts";

/** Length of a UUID in bytes. */
export const ID_BYTES = 16;

/**
 * Makes the base of a run of UUIDv7 identities (RFC 9562, 6.2 method 1): 48 bits of milliseconds, version and variant,
 * random elsewhere. The top 24 bits of the counter field are random and its low 32 bits begin at a random value below
 * 2^31, so that two thousand million successors never carry out of them.
 */
export function idBase(nowMs: number, random: Random): Uint8Array<ArrayBuffer> {
  const base = random.bytes(new Uint8Array(ID_BYTES));
  const view = new DataView(base.buffer);
  view.setUint32(0, Math.floor(nowMs / 0x10000));
  view.setUint16(4, nowMs % 0x10000);
  base[6] = 0x70 | (view.getUint8(6) & 0x0f);
  base[8] = 0x80 | (view.getUint8(8) & 0x3f);
  base[12] = view.getUint8(12) & 0x7f;
  return base;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The text of the identity `offset` places after `base`. */
export function idText(base: Uint8Array, offset: number): string {
  const view = new DataView(base.buffer, base.byteOffset, base.byteLength);
  const low = (view.getUint32(12) + offset) >>> 0;
  const hex = (byte: number) => HEX[byte] ?? "";
  const part = (from: number, to: number) => {
    let text = "";
    for (let i = from; i < to; i++) text += hex(view.getUint8(i));
    return text;
  };
  const tail = low.toString(16).padStart(8, "0");
  return `${part(0, 4)}-${part(4, 6)}-${part(6, 8)}-${part(8, 10)}-${part(10, 12)}${tail}`;
}
