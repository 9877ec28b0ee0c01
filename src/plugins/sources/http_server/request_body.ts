/** Owns the reading of a request's body: as many bytes as are allowed, within the time that is allowed. */

import { gunzip, inflate, zstdDecompress } from "node:zlib";
import { promisify } from "node:util";
import { ZstdFormatError, zstdFrames } from "../../shared/zstd_frames.ts";
import type { TimeLimits } from "./time_limits.ts";

/** Why a body was not taken: the status to answer with and what to say. */
export class BodyRefusal {
  readonly status: 400 | 408 | 413 | 415 | 503;
  readonly message: string;

  constructor(status: BodyRefusal["status"], message: string) {
    this.status = status;
    this.message = message;
  }
}

/** Codings in a chain: nobody needs more, and each is work for the server. */
const CODINGS_MAX = 2;
/** Content codings that are taken, as `Accept-Encoding` lists them. */
export const ACCEPTED_CODINGS = "gzip, deflate, zstd";

/** What a body of unknown length is first given room for. */
const FIRST_BUFFER_BYTES = 16 * 1024;

/** The platform's code for "gives more than `maxOutputLength`". */
const TOO_LARGE_CODE = "ERR_BUFFER_TOO_LARGE";

interface DecoderOptions {
  /** More than this is an error of {@linkcode TOO_LARGE_CODE}, and never held. */
  readonly maxOutputLength: number;
}

type Decoder = (bytes: Uint8Array, options: DecoderOptions) => Promise<Uint8Array>;

const decodeZstdFrame: Decoder = promisify(zstdDecompress);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["zstd", unzstd],
]);

/** Reads the body of a request, decoded. Neither its wire form nor what it decodes to may exceed `bytesMax`. */
export function readBody(
  request: Request,
  bytesMax: number,
  limits: TimeLimits,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > bytesMax) return Promise.resolve(tooLarge(bytesMax));
  const coding = request.headers.get("content-encoding");
  return new Promise((resolve) => {
    // A body of declared length is read by the platform as a whole: there is nothing to cut.
    const cut = declared === null ? new AbortController() : undefined;
    const limit = limits.begin((reason) => {
      cut?.abort();
      resolve(
        reason === "time"
          ? new BodyRefusal(408, "the body did not come in time")
          : new BodyRefusal(503, "the server stops"),
      );
    });
    // What was declared is what the platform reads: only a body of unknown length has to be counted.
    const reading = cut !== undefined ? readCounting(request, bytesMax, cut.signal) : request.bytes();
    reading.then((bytes) => {
      limits.end(limit);
      resolve(coding === null || bytes instanceof BodyRefusal ? bytes : decode(bytes, coding, bytesMax));
    }, () => {
      limits.end(limit);
      resolve(new BodyRefusal(400, "the body broke off"));
    });
  });
}

async function readCounting(
  request: Request,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal> {
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader();
  const stop = () => void reader.cancel().catch(() => {}); // The request is answered already; nobody waits for this.
  signal.addEventListener("abort", stop, { once: true });
  // A chunk is a view of a buffer much larger than itself, so it is copied out at once: bodies of tiny chunks would
  // otherwise hold thousands of times their size.
  let bytes = new Uint8Array(Math.min(bytesMax, FIRST_BUFFER_BYTES));
  let length = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const end = length + chunk.value.length;
      if (end > bytesMax) {
        stop();
        return tooLarge(bytesMax);
      }
      if (end > bytes.length) bytes = enlarged(bytes.subarray(0, length), Math.max(end, 2 * bytes.length));
      bytes.set(chunk.value, length);
      length = end;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  // What waits to be made durable holds no more than the body.
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

/** Undoes the codings, the last one applied first. Each stops as soon as it has given more than is allowed. */
async function decode(
  bytes: Uint8Array<ArrayBuffer>,
  header: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal> {
  const codings = header.toLowerCase().split(",").map((coding) => coding.trim()).filter((coding) =>
    coding !== "" && coding !== "identity"
  );
  if (codings.length > CODINGS_MAX || !codings.every((coding) => DECODERS.has(coding))) {
    return new BodyRefusal(415, `the content coding must be one of ${ACCEPTED_CODINGS}`);
  }
  let decoded: Uint8Array = bytes;
  for (const coding of codings.reverse()) {
    try {
      decoded = await DECODERS.get(coding)!(decoded, { maxOutputLength: bytesMax }); // Every coding has one, see above.
    } catch (caught) {
      const code = caught instanceof Error && "code" in caught ? caught.code : undefined;
      if (code === TOO_LARGE_CODE) return tooLarge(bytesMax);
      return new BodyRefusal(400, `the body is not coded as ${coding}`);
    }
  }
  return new Uint8Array(decoded);
}

/** Decodes all frames; together they may give no more than is allowed. A body of none is no zstd. */
async function unzstd(bytes: Uint8Array, options: DecoderOptions): Promise<Uint8Array> {
  const frames = zstdFrames(bytes);
  if (frames.length === 0) throw new ZstdFormatError("the body holds no zstd frame");
  const parts: Uint8Array[] = [];
  let leftBytes = options.maxOutputLength;
  for (const frame of frames) {
    // A limit of 0 would mean none: a frame that comes when nothing is left may give one byte, and is then too large.
    const part = await decodeZstdFrame(frame, { maxOutputLength: Math.max(1, leftBytes) });
    leftBytes -= part.length;
    if (leftBytes < 0) throw Object.assign(new RangeError("too large"), { code: TOO_LARGE_CODE });
    parts.push(part);
  }
  return parts.length === 1 ? parts[0]! : await new Blob(parts.map((part) => new Uint8Array(part))).bytes(); // One is there.
}

function tooLarge(bytesMax: number): BodyRefusal {
  return new BodyRefusal(413, `the body must have at most ${bytesMax} bytes`);
}
