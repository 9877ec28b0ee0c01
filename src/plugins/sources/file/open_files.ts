/** Owns the handles: how many files may be open at once, and which is closed for another. */

import type { TrackedFile } from "./tracked_file.ts";

/** Open files of one source: half of what a process may commonly have. */
const OPEN_MAX = 512;

/** The open files, the one that was used longest ago first. */
export class OpenFiles implements Disposable {
  readonly #files = new Set<TrackedFile>();

  /** Whether opening another one closes one. */
  get isFull(): boolean {
    return this.#files.size >= OPEN_MAX;
  }

  /**
   * Opens the file if it is not open, and closes another one when there are too many. Files are read by position, so
   * one that is closed loses nothing, unless it is under no name any more: such a one stays open.
   * @throws {FileReadError}
   */
  use(file: TrackedFile): void {
    if (!this.#files.has(file) && this.isFull) this.#closeOldest();
    file.open();
    this.#files.delete(file);
    this.#files.add(file);
  }

  close(file: TrackedFile): void {
    file.close();
    this.#files.delete(file);
  }

  /** All open files; closing one on the way is allowed. */
  [Symbol.iterator](): IterableIterator<TrackedFile> {
    return this.#files.values();
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) this.close(file);
  }

  #closeOldest(): void {
    let oldest: TrackedFile | undefined;
    for (const file of this.#files) {
      oldest ??= file;
      if (file.missingSinceMs === undefined) {
        oldest = file;
        break;
      }
    }
    if (oldest !== undefined) this.close(oldest);
  }
}
