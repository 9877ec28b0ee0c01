/** Owns what happens to a test that needs what not every machine has: it is skipped loudly, and fails in CI. */

import assert from "node:assert/strict";

/**
 * Registers a test. Where `missing` names what this machine lacks the test is skipped and says so on stderr; with
 * `CI=true` it fails instead, so that its absence cannot go unnoticed.
 */
export function testNeeding(
  name: string,
  missing: string | undefined,
  fn: (context: Deno.TestContext) => void | Promise<void>,
): void {
  const required = Deno.env.get("CI") === "true";
  if (missing !== undefined && !required) console.error(`SKIPPED: ${name}: ${missing}`);
  Deno.test({
    name,
    ignore: missing !== undefined && !required,
    sanitizeOps: true,
    sanitizeResources: true,
    async fn(context) {
      if (missing !== undefined) assert.fail(missing);
      await fn(context);
    },
  });
}
