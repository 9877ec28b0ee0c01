import assert from "node:assert/strict";
import { testBatch, testContext } from "../../../plugin/mod.ts";
import { debugSinkTo } from "./mod.ts";

Deno.test("debug: writes one line a message, behind its prefix, whatever the message holds", async () => {
  const written: string[] = [];
  const plugin = debugSinkTo((bytes) => written.push(new TextDecoder().decode(bytes)));
  const sink = plugin.create({ prefix: "out: " }, testContext());
  await sink.write(testBatch(['{"a":1}', "two\r\nlines"]), new AbortController().signal);
  assert.deepEqual(written, ['out: {"a":1}\nout: two\\r\\nlines\n']);
});
