/** Owns the making of the folder a store lies in. */

import { folderOf } from "./store_path.ts";

/**
 * Makes the folder and what is missing above it, and syncs every name it made: after a power cut a folder whose name
 * was never synced is gone with all that is in it. Does nothing where the folder exists. Throws what the platform throws.
 */
export function makeStoreFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !exists(at); at = folderOf(at)) {
    missing.push(at);
    if (folderOf(at) === at) break;
  }
  if (missing.length === 0) return;
  Deno.mkdirSync(folder, { recursive: true });
  for (const made of missing) syncPath(folderOf(made));
}

/** Syncs a file or a folder. Windows has no handle for a folder, and no need of it: its journal keeps names in order. */
export function syncPath(path: string): void {
  if (Deno.build.os === "windows" && Deno.statSync(path).isDirectory) return;
  using file = Deno.openSync(path, { read: true });
  file.syncSync();
}

/** Size of a file in bytes; `undefined` where there is none. */
export function fileSize(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return undefined;
    throw caught;
  }
}

function exists(path: string): boolean {
  return fileSize(path) !== undefined;
}
