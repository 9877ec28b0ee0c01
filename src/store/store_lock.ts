/** Owns the lock that makes a process the only writer of a store. */

import { EventboatError } from "../diagnostics/mod.ts";
import { makeStoreFolder } from "./store_folder.ts";
import { storeFailure } from "./store_failure.ts";
import { folderOf, lockPath } from "./store_path.ts";

/**
 * An exclusive lock on `<store>.lock`. It is held until it is disposed of; the kernel releases it when the process
 * dies, however that happens. The file is never deleted: a process that waits for it might hold the deleted one.
 */
export class StoreLock implements Disposable {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Locks the store at `path`, whose folder is made where it is missing. Does not wait. Rejects with `store_locked`
   * when another process writes the store, with `store_lock_unsupported` where files cannot be locked, with
   * `store_readonly`, `store_full`, `permission` or `store_open` when the lock's file cannot be opened.
   */
  static async take(path: string): Promise<StoreLock> {
    const file = await openLockFile(path);
    let locked: boolean;
    try {
      locked = await file.tryLock(true);
    } catch (caught) {
      file.close();
      throw new EventboatError(
        "store_lock_unsupported",
        `the file ${lockPath(path)} cannot be locked, so nothing keeps a second process from writing the store`,
        { cause: caught, hint: "Put storage.data_dir on a local disk, or use --ephemeral." },
      );
    }
    if (locked) return new StoreLock(file);
    file.close();
    throw new EventboatError("store_locked", `the store ${path} is being written by another process`, {
      hint: "Ask the running Eventboat through its admin API or its MCP server, or stop it first.",
    });
  }

  [Symbol.dispose](): void {
    // Closing releases the lock.
    this.#file.close();
  }
}

async function openLockFile(path: string): Promise<Deno.FsFile> {
  try {
    makeStoreFolder(folderOf(path));
    return await Deno.open(lockPath(path), { read: true, write: true, create: true });
  } catch (caught) {
    throw storeFailure(caught, "open", path);
  }
}
