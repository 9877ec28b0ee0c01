import assert from "node:assert/strict";
import { byteOrderMark, Charset } from "./charset.ts";

function utf16(text: string, order: "le" | "be"): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), order === "le");
  return bytes;
}

Deno.test("Charset: knows the web's labels, and none whose lines hang together", () => {
  assert.equal(Charset.of("latin1")?.name, "windows-1252");
  assert.equal(Charset.of("UTF-16")?.name, "utf-16le");
  assert.equal(Charset.of("iso-2022-jp"), undefined);
  assert.equal(Charset.of("klingon"), undefined);
});

Deno.test("Charset: finds the newline among code units of two bytes", () => {
  for (const order of ["le", "be"] as const) {
    const charset = new Charset(`utf-16${order}`);
    // U+0A05 and U+050A hold the newline's byte, and so does the border of U+000A's neighbours.
    const bytes = utf16("\u0a05\u050a\u0a00x\ny\n", order);
    assert.equal(charset.newline(bytes, 0), 8);
    assert.equal(charset.newline(bytes, 10), 12);
    assert.equal(charset.newline(bytes.subarray(0, 9), 0), -1);
    // The newline's two bytes, but across the border of two units.
    assert.equal(charset.newline(utf16(order === "le" ? "\u0a05\u0100" : "\u0100\u0a05", order), 0), -1);
  }
});

Deno.test("Charset: a cut leaves whole characters", () => {
  const charset = new Charset("utf-16be");
  const bytes = utf16("a😀b", "be");
  assert.equal(charset.cut(bytes, 0, 4), 2);
  assert.equal(charset.cut(bytes, 0, 6), 6);
  assert.equal(charset.cut(bytes, 0, 7), 6);
});

Deno.test("Charset: what cannot be decoded becomes a replacement character and the rest is kept", () => {
  assert.equal(new Charset("utf-16le").decode(Uint8Array.of(0x00, 0xd8, 0x61, 0x00)), "\ufffda");
  assert.equal(new Charset("shift_jis").decode(Uint8Array.of(0x81, 0x61, 0x20)).at(-1), " ");
});

Deno.test("byteOrderMark: tells three encodings by their first bytes", () => {
  assert.deepEqual(byteOrderMark(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), 0), { label: "utf-8", length: 3 });
  assert.deepEqual(byteOrderMark(Uint8Array.of(0xff, 0xfe), 0), { label: "utf-16le", length: 2 });
  assert.deepEqual(byteOrderMark(Uint8Array.of(0xfe, 0xff), 0), { label: "utf-16be", length: 2 });
  assert.equal(byteOrderMark(Uint8Array.of(0xef, 0xbb), 0), undefined);
});
