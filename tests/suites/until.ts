/** Owns waiting, in a test, for something that happens by itself. */

import assert from "node:assert/strict";

/** Looks before a wait is given up: some ten seconds, as a look takes a millisecond or two. */
const LOOKS_MAX = 5_000;
const BETWEEN_LOOKS_MS = 1;

/** Waits until something holds. A test that waits in vain fails and says for what, it does not hang. */
export async function until(holds: () => boolean, what?: string): Promise<void> {
  for (let looks = 0; !holds(); looks++) {
    assert.ok(looks < LOOKS_MAX, `waited in vain for ${what ?? holds}`);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
}
