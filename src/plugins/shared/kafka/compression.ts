/** Owns how batches of records are compressed: the codecs of the protocol, each bounded in what it may unpack. */

import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { gunzipSync, gzip, zstdCompress, zstdDecompressSync } from "node:zlib";
import { reasonOf } from "../../../diagnostics/mod.ts";
import { zstdFrames } from "../zstd_frames.ts";
import { lz4Frame, lz4Unframe } from "./lz4_frame.ts";
import { snappyStream, unsnappy } from "./snappy.ts";

/** The codecs; the place of each is its number in the protocol. */
export const COMPRESSIONS = ["none", "gzip", "snappy", "lz4", "zstd"] as const;

/** Name of a codec. */
export type Compression = typeof COMPRESSIONS[number];

/** Most bytes that one batch of records may unpack to: far beyond what brokers take, and no bomb. */
export const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

const packGzip = promisify(gzip);
const packZstd = promisify(zstdCompress);

/** Records that cannot be unpacked. The message says why, to follow a colon. */
export class CompressionError extends Error {
  override readonly name = "CompressionError";
}

/** Packs records. */
export async function compress(bytes: Uint8Array<ArrayBuffer>, codec: Compression): Promise<Uint8Array> {
  switch (codec) {
    case "none":
      return bytes;
    case "gzip":
      return await packGzip(bytes);
    case "snappy":
      return snappyStream(bytes);
    case "lz4":
      return lz4Frame(bytes);
    case "zstd":
      return await packZstd(bytes);
  }
}

/**
 * Unpacks records. A batch that is not compressed is given back as it is. A batch is small and unpacked at once: the
 * platform's asynchronous ways tell a second error of damaged data to nobody, which ends the isolate.
 * @throws {CompressionError} the data is damaged, the codec unknown, or it would give more than `bytesMax`
 */
export function decompress(bytes: Uint8Array, code: number, bytesMax = UNPACKED_BYTES_MAX): Uint8Array {
  const codec = COMPRESSIONS[code];
  try {
    switch (codec) {
      case "none":
        return bytes;
      case "gzip":
        return gunzipSync(bytes, { maxOutputLength: bytesMax });
      case "snappy":
        return unsnappy(bytes, bytesMax);
      case "lz4":
        return lz4Unframe(bytes, bytesMax);
      case "zstd":
        return unpackFrames(bytes, bytesMax);
    }
  } catch (caught) {
    throw new CompressionError(`it cannot be unpacked as ${codec}: ${reasonOf(caught)}`, { cause: caught });
  }
  throw new CompressionError(`it is compressed with a codec of number ${code}, which the protocol does not know`);
}

function unpackFrames(bytes: Uint8Array, bytesMax: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = bytesMax;
  for (const frame of zstdFrames(bytes)) {
    const part = zstdDecompressSync(frame, { maxOutputLength: left });
    left -= part.length;
    parts.push(part);
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
