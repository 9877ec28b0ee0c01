/** Owns the emission: a batch of messages as a source hands it over, packed into one buffer. */

import type { Meta, MetaColumns } from "./meta.ts";

/**
 * A batch of messages from a source. Message i is `bytes[start(i), ends[i])`, where `start(0)` is 0 and `start(i)` is
 * `ends[i - 1] + gap`. Whoever emits it gives it away: neither buffer may be touched afterwards.
 */
export interface Emission {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Bytes between two messages: 1 for newline-separated text handed over as it was read, 0 for packed messages. */
  readonly gap: 0 | 1;
  /** Metadata that all messages share. */
  readonly meta?: Meta;
  /** Metadata of single messages. A string in the column `message_id` is kept as the message's identity. */
  readonly columns?: MetaColumns;
  /** The source's own number of the first message, 1 or more; the others follow one by one. */
  readonly firstSrcSeq: number;
}

/** One message as a plugin author writes it; {@linkcode pack} makes the batch. */
export interface SourceMessage {
  readonly bytes: Uint8Array;
  readonly meta?: Meta;
}

/** Packs single messages into one emission. `firstSrcSeq` numbers the first; the others follow. */
export function pack(messages: readonly SourceMessage[], firstSrcSeq: number): Emission {
  const ends = new Uint32Array(messages.length);
  let total = 0;
  for (let i = 0; i < messages.length; i++) ends[i] = total += messages[i]?.bytes.length ?? 0;
  const bytes = new Uint8Array(total);
  const columns: Record<string, (Meta[string] | undefined)[]> = Object.create(null);
  let at = 0;
  for (const [i, message] of messages.entries()) {
    bytes.set(message.bytes, at);
    at += message.bytes.length;
    for (const key in message.meta) {
      (columns[key] ??= new Array(messages.length).fill(undefined))[i] = message.meta[key];
    }
  }
  return { bytes, ends, gap: 0, columns, firstSrcSeq };
}

/** Packs one message. */
export function single({ bytes, meta }: SourceMessage, srcSeq: number): Emission {
  const owned = new Uint8Array(bytes);
  const id = meta?.["message_id"];
  return {
    bytes: owned,
    ends: Uint32Array.of(owned.length),
    gap: 0,
    firstSrcSeq: srcSeq,
    ...(meta === undefined ? {} : { meta }),
    // Shared metadata gives no identity, since several messages would share it; a column does.
    ...(id === undefined ? {} : { columns: { message_id: [id] } }),
  };
}

/** Messages `[from, to)` of an emission as an emission of their own: views of the same bytes, nothing is copied. */
export function sliceEmission(emission: Emission, from: number, to: number): Emission {
  if (from === 0 && to === emission.ends.length) return emission;
  const start = from === 0 ? 0 : (emission.ends[from - 1] ?? 0) + emission.gap;
  // Without a prototype, so that a key of any name is a member.
  const columns: Record<string, MetaColumns[string]> = Object.create(null);
  for (const [key, column] of Object.entries(emission.columns ?? {})) {
    columns[key] = Array.prototype.slice.call(column, from, to);
  }
  return {
    ...emission,
    bytes: emission.bytes.subarray(start, emission.ends[to - 1]),
    ends: emission.ends.slice(from, to).map((end) => end - start),
    columns,
    firstSrcSeq: emission.firstSrcSeq + from,
  };
}
