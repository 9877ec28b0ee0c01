/** The entry file of a store's isolate that opens nothing and ends only when a file called "end" lies in its folder. */

import { dirname } from "node:path";
import type { FromStore, IsolateScope, ToStore } from "../../src/isolate/mod.ts";

const LOOK_EVERY_MS = 5;

// A module Worker's global scope has these two members; the compiler's library for it cannot be loaded beside ours.
const scope = self as unknown as IsolateScope<ToStore, FromStore>;

scope.onmessage = ({ data }) => {
  if (data.kind !== "open") return;
  const end = `${dirname(data.start.path)}/end`;
  const looking = setInterval(() => {
    if (!exists(end)) return;
    clearInterval(looking);
    scope.postMessage({ kind: "closed" });
  }, LOOK_EVERY_MS);
};

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return false;
  }
}
