/** Owns what a crash leaves at the end of a file of lines: finding it and setting it aside. */

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Where the last whole line ends: the file's size when it ends in a newline, 0 when it holds none. */
export async function wholeLinesEnd(file: Deno.FsFile, size: number): Promise<number> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const part = chunk.subarray(0, end - start);
    await readFully(file, start, part);
    const newline = part.lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

/**
 * Moves what lies beyond `end` to the end of the file at `tornPath`, with a newline after it, and cuts it off. It is
 * safe in the other file before it is cut off here.
 */
export async function setAside(file: Deno.FsFile, size: number, end: number, tornPath: string): Promise<void> {
  {
    using torn = await Deno.open(tornPath, { write: true, append: true, create: true });
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let at = end; at < size;) {
      const part = chunk.subarray(0, Math.min(CHUNK_BYTES, size - at));
      await readFully(file, at, part);
      await writeFully(torn, part);
      at += part.length;
    }
    await writeFully(torn, Uint8Array.of(NEWLINE));
    await torn.sync();
  }
  await file.truncate(end);
  await file.sync();
}

/** Fills `into` from the file, beginning at `position`. @throws {Error} when the file ends before. */
export async function readFully(file: Deno.FsFile, position: number, into: Uint8Array): Promise<void> {
  await file.seek(position, Deno.SeekMode.Start);
  for (let filled = 0; filled < into.length;) {
    const read = await file.read(into.subarray(filled));
    if (read === null) throw new Deno.errors.UnexpectedEof(`the file ended at byte ${position + filled}`);
    filled += read;
  }
}

/** Writes all of it: the platform may take less at a time. */
export async function writeFully(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let written = await file.write(bytes);
  while (written < bytes.length) written += await file.write(bytes.subarray(written));
}
