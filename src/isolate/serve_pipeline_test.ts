import assert from "node:assert/strict";

import { type FromPluginIsolate, type IsolateScope, servePipeline, type ToPluginIsolate } from "./serve_pipeline.ts";

Deno.test("servePipeline: what plugins print does not reach the standard output", () => {
  const own = { ...console };
  const scope: IsolateScope<ToPluginIsolate, FromPluginIsolate> = { onmessage: null, postMessage() {} };
  try {
    servePipeline(scope, []);
    for (const print of [console.log, console.info, console.debug]) assert.equal(print, own.error);
  } finally {
    Object.assign(console, own);
  }
});
