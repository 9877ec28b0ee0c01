/** Owns the reading of compressed files. */

import { createGunzip, createZstdDecompress } from "node:zlib";
import { ZstdFrames } from "../../shared/zstd_frames.ts";
import { Inflater } from "./inflater.ts";

/** A format that can be read. */
export type CompressionFormat = "gzip" | "zstd";

/** Compressed bytes read at once. */
const READ_BYTES = 64 * 1024;
/** Compressed bytes given to the decompressor at once: gzip makes at most a thousandfold of them. */
const GZIP_SLICE_BYTES = 16 * 1024;

/** The format of a file by its name's extension. */
export function formatByName(path: string): CompressionFormat | undefined {
  if (/\.(?:gz|gzip)$/i.test(path)) return "gzip";
  return /\.(?:zst|zstd)$/i.test(path) ? "zstd" : undefined;
}

/**
 * Decompresses a file chunk by chunk; members or frames that follow one another are one text.
 * @throws the platform's error where the file cannot be read; an `Error` where its data is damaged or cut off
 */
export async function* decompressFile(path: string, format: CompressionFormat): AsyncGenerator<Uint8Array> {
  using handle = await Deno.open(path, { read: true });
  if (format === "gzip") yield* gunzip(chunksOf(handle));
  else yield* unzstd(chunksOf(handle));
}

async function* chunksOf(handle: Deno.FsFile): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(READ_BYTES);
    const count = await handle.read(chunk);
    if (count === null) return;
    yield chunk.subarray(0, count);
  }
}

async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Not the platform's DecompressionStream: it fails on a second member.
  using inflater = new Inflater(createGunzip());
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    for (let at = 0; at < chunk.length; at += GZIP_SLICE_BYTES) {
      yield* await inflater.write(chunk.subarray(at, at + GZIP_SLICE_BYTES));
    }
  }
  if (!isEmpty) yield* await inflater.end();
}

async function* unzstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  let inflater: Inflater | undefined;
  try {
    for await (const chunk of chunks) {
      for (const piece of frames.push(chunk)) {
        if (piece.kind === "data") {
          inflater ??= new Inflater(createZstdDecompress());
          yield* await inflater.write(piece.bytes);
          continue;
        }
        if (inflater !== undefined) yield* await inflater.end();
        inflater?.[Symbol.dispose]();
        inflater = undefined;
      }
    }
    frames.end();
  } finally {
    inflater?.[Symbol.dispose]();
  }
}
