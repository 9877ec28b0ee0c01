import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { pipedLines } from "./piped_lines.ts";

const encoder = new TextEncoder();

function linesOf(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const bytes = chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return Array.fromAsync(pipedLines(ReadableStream.from(bytes)));
}

Deno.test("pipedLines: lines across chunks, the last one with or without its end", async () => {
  assert.deepEqual(await linesOf("a\nb", "c\r\n", "\nd"), ["a", "bc", "", "d"]);
  assert.deepEqual(await linesOf("a\n"), ["a"]);
  assert.deepEqual(await linesOf(), []);
  const emoji = encoder.encode("x🤗\n");
  assert.deepEqual(await linesOf(emoji.slice(0, 3), emoji.slice(3)), ["x🤗"]);
});

Deno.test("pipedLines: bytes that are no text are wrong usage", async () => {
  for (const bytes of [Uint8Array.of(0x61, 0xff, 0x0a), Uint8Array.of(0xf0, 0x9f)]) {
    await assert.rejects(linesOf(bytes), (error) => error instanceof EventboatError && error.code === "usage");
  }
});
