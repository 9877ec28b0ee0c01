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
    if (locked) {
      writeHolder(file, `${Deno.pid}\n`);
      return new StoreLock(file);
    }
    const holder = readHolder(file);
    file.close();
    const who = holder === undefined ? "another process" : `process ${holder}`;
    throw new EventboatError("store_locked", `the store ${path} is being written by ${who}`, {
      hint:
        `Stop ${holder === undefined ? "that process" : `process ${holder}`}, or give this one a --data-dir of its ` +
        "own; a running Eventboat is asked through its admin API or its MCP server.",
    });
  }

  [Symbol.dispose](): void {
    writeHolder(this.#file, "");
    // Closing releases the lock.
    this.#file.close();
  }
}

/** Process ids are short; whatever is longer is none. */
const HOLDER_BYTES_MAX = 16;
const HOLDER_REGEXP = /^\d+$/;

/** Says in the lock's file who holds it. The lock holds without that: a full disk is no reason to give it up. */
function writeHolder(file: Deno.FsFile, text: string): void {
  try {
    file.truncateSync(0);
    file.seekSync(0, Deno.SeekMode.Start);
    file.writeSync(new TextEncoder().encode(text));
  } catch {
    // The error that names the lock's holder names none then.
  }
}

/** The id of the process that holds the lock; undefined where it did not say, or the platform locks readers out too. */
function readHolder(file: Deno.FsFile): string | undefined {
  try {
    const bytes = new Uint8Array(HOLDER_BYTES_MAX);
    const text = new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes) ?? 0)).trim();
    return HOLDER_REGEXP.test(text) ? text : undefined;
  } catch {
    return undefined;
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
