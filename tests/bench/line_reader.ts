/** Owns the plainest reading of lines from a file, for the floors. */

const NEWLINE = 10;
const CHUNK_BYTES = 256 * 1024;

/** Reads a file's lines in batches. */
export class LineReader {
  readonly #file: Deno.FsFile;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  #view: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** The next lines, at most `count`, each a copy of its own; undefined at the end. */
  next(count: number): Uint8Array<ArrayBuffer>[] | undefined {
    const lines: Uint8Array<ArrayBuffer>[] = [];
    while (lines.length < count) {
      const end = this.#view.indexOf(NEWLINE, this.#at);
      if (end >= 0) {
        lines.push(this.#view.slice(this.#at, end) as Uint8Array<ArrayBuffer>); // A slice has a buffer of its own.
        this.#at = end + 1;
      } else if (!this.#fill()) break;
    }
    return lines.length === 0 ? undefined : lines;
  }

  #fill(): boolean {
    const read = this.#file.readSync(this.#chunk);
    if (read === null) return false;
    const tail = this.#view.subarray(this.#at);
    const joined = new Uint8Array(tail.length + read);
    joined.set(tail);
    joined.set(this.#chunk.subarray(0, read), tail.length);
    this.#view = joined;
    this.#at = 0;
    return true;
  }
}
