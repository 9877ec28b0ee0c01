import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { InputTexts, readTextFile } from "./input_text.ts";

const isUsage = (error: unknown) => error instanceof EventboatError && error.code === "usage";

function texts(...chunks: Uint8Array[]): InputTexts {
  return new InputTexts(() => ReadableStream.from(chunks));
}

Deno.test("InputTexts: standard input is read whole, once", async () => {
  const input = texts(Uint8Array.of(0x22, 0xc3), Uint8Array.of(0xa9, 0x22));
  assert.equal(await input.file("-"), '"é"');
  await assert.rejects(input.file("-"), isUsage);
  await assert.rejects(texts(Uint8Array.of(0xff)).file("-"), isUsage);
  await assert.rejects(texts().file("/no/such/file"), isUsage);
});

Deno.test("InputTexts: JSON stands on the command line, or in a file", async () => {
  const input = texts(new TextEncoder().encode('{"b":2}'));
  assert.equal(await input.json(' {"a":1}'), ' {"a":1}');
  assert.equal(await input.json("[1]"), "[1]");
  assert.equal(await input.json("-"), '{"b":2}');
});

Deno.test("readTextFile: a byte order mark is no part of the text, a folder and other bytes are refused", async () => {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-text-" });
  try {
    await Deno.writeFile(`${folder}/a`, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
    await Deno.writeFile(`${folder}/b`, Uint8Array.of(0x61, 0xff));
    assert.equal(readTextFile(`${folder}/a`), "a");
    for (const path of [folder, `${folder}/b`, `${folder}/c`]) assert.throws(() => readTextFile(path), isUsage);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
