/** Owns the starting of an isolate's Worker. */

import type { IsolatePermissions } from "./permissions.ts";

/** A module Worker with exactly these permissions. */
export function startWorker(entry: URL, name: string, permissions: IsolatePermissions): Worker {
  return new Worker(entry, { type: "module", name, deno: { permissions } });
}
