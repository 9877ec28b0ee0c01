import assert from "node:assert/strict";
import { systemClock } from "../../../base/mod.ts";
import { type BodyRefusal, readBody } from "./request_body.ts";
import { TimeLimits } from "./time_limits.ts";

const LIMIT_MS = 60_000;

/** A body of single bytes, each a view of the one large buffer that the next one overwrites. */
function drippedBody(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(64 * 1024);
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) return controller.close();
      buffer.fill(bytes[at++] ?? 0);
      controller.enqueue(buffer.subarray(0, 1));
    },
  }, { highWaterMark: 0 });
}

async function read(text: string, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | BodyRefusal> {
  const limits = new TimeLimits(LIMIT_MS, systemClock);
  try {
    return await readBody(
      new Request("http://127.0.0.1/", { method: "POST", body: drippedBody(text) }),
      bytesMax,
      limits,
    );
  } finally {
    await limits.close();
  }
}

Deno.test("readBody: keeps no chunk of a body of unknown length, which may be a view of a much larger buffer", async () => {
  const text = '{"id": 1}'.repeat(3_000);
  const body = await read(text, text.length);
  assert.ok(body instanceof Uint8Array);
  assert.ok(new TextDecoder().decode(body) === text, "every byte as it came");
  assert.equal(body.buffer.byteLength, text.length, "what waits holds no more than the body");
});

Deno.test("readBody: an empty body of unknown length is empty, one byte too many is refused", async () => {
  assert.deepEqual(await read("", 10), new Uint8Array(0));
  assert.equal((await read("12345678901", 10) as BodyRefusal).status, 413);
});
