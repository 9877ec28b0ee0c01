import assert from "node:assert/strict";
import type { Message } from "../../../message/mod.ts";
import { testContext, testMessage, TransformError } from "../../../plugin/mod.ts";
import { splitTransform } from "./mod.ts";

const never = new AbortController().signal;

async function split(payload: unknown, block: { path?: string } = {}): Promise<readonly Message[]> {
  const transform = splitTransform.create(block, testContext());
  const result = await transform.apply(testMessage(payload, { meta: { message_id: "m", region: "eu" } }), never);
  assert.ok(Array.isArray(result));
  return result;
}

Deno.test("split: gives one message an element, told apart by id and branch, with the meta of the whole", async () => {
  const messages = await split([{ a: 1 }, 2, null]);
  assert.deepEqual(messages.map(({ payload }) => payload), [{ a: 1 }, 2, null]);
  assert.deepEqual(messages.map(({ id }) => id), ["m/0", "m/1", "m/2"]);
  assert.deepEqual(messages.map(({ branch }) => branch), ["0", "1", "2"]);
  assert.ok(messages.every(({ meta, payloadChanged }) => meta["region"] === "eu" && payloadChanged));
});

Deno.test("split: of an empty list nothing is left", async () => {
  assert.deepEqual(await split([]), []);
});

Deno.test("split: finds the list by its path, through lists too", async () => {
  const messages = await split({ pages: [{ rows: [1, 2] }] }, { path: "pages.0.rows" });
  assert.deepEqual(messages.map(({ payload }) => payload), [1, 2]);
});

for (const [payload, path] of [[{ a: 1 }, undefined], ["text", undefined], [{ a: 1 }, "a"], [{}, "a.b"]] as const) {
  Deno.test(`split: ${JSON.stringify(payload)} at ${path ?? "the top"} is a failure that no retry helps`, async () => {
    await assert.rejects(
      split(payload, path === undefined ? {} : { path }),
      (error) => error instanceof TransformError && error.kind === "runtime" && !error.retryable,
    );
  });
}
