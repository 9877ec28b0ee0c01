/** Owns the reading of a write-ahead log without SQLite, for a database that SQLite refuses to open. */

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The first word of a log; its last bit tells the byte order of the checksums. */
const LOG_MAGIC = 0x377f0682;
const BIG_ENDIAN_BIT = 1;

/**
 * Writes the pages of every committed transaction of the log into the database file, as recovery would. Frames are
 * believed as long as their salts and checksums are right; what follows the last commit is left out. Answers how many
 * pages were written.
 */
export function applyLog(databasePath: string, logPath: string, pageBytes: number): number {
  using log = Deno.openSync(logPath, { read: true });
  using database = Deno.openSync(databasePath, { write: true });
  const header = read(log, LOG_HEADER_BYTES);
  if (header === undefined) return 0;
  const view = new DataView(header.buffer);
  const magic = view.getUint32(0);
  if ((magic & ~BIG_ENDIAN_BIT) >>> 0 !== LOG_MAGIC || view.getUint32(8) !== pageBytes) return 0;
  const sum = new LogSum((magic & BIG_ENDIAN_BIT) === 0);
  sum.add(header.subarray(0, LOG_HEADER_BYTES - 8));
  if (!sum.matches(view, LOG_HEADER_BYTES - 8)) return 0;
  const salts = [view.getUint32(16), view.getUint32(20)];
  let pending: { number: number; page: Uint8Array }[] = [];
  let written = 0;
  for (;;) {
    const frame = read(log, FRAME_HEADER_BYTES + pageBytes);
    if (frame === undefined) return written;
    const fields = new DataView(frame.buffer);
    if (fields.getUint32(8) !== salts[0] || fields.getUint32(12) !== salts[1]) return written;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER_BYTES));
    if (!sum.matches(fields, 16)) return written;
    pending.push({ number: fields.getUint32(0), page: frame.subarray(FRAME_HEADER_BYTES) });
    const commits = fields.getUint32(4) !== 0;
    if (!commits) continue;
    for (const { number, page } of pending) {
      database.seekSync((number - 1) * pageBytes, Deno.SeekMode.Start);
      writeAll(database, page);
    }
    written += pending.length;
    pending = [];
  }
}

/** The running checksum of a log. */
class LogSum {
  readonly #littleEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  add(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      this.#first = (this.#first + view.getUint32(at, this.#littleEndian) + this.#second) >>> 0;
      this.#second = (this.#second + view.getUint32(at + 4, this.#littleEndian) + this.#first) >>> 0;
    }
  }

  matches(view: DataView, at: number): boolean {
    return view.getUint32(at) === this.#first && view.getUint32(at + 4) === this.#second;
  }
}

function read(file: Deno.FsFile, bytes: number): Uint8Array<ArrayBuffer> | undefined {
  const buffer = new Uint8Array(bytes);
  for (let at = 0; at < bytes;) {
    const count = file.readSync(buffer.subarray(at));
    if (count === null) return undefined;
    at += count;
  }
  return buffer;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}
