/** Owns how messages become records: key, value, headers and time. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import type { CelFunction } from "../../../languages/mod.ts";
import type { Message, MetaValue } from "../../../message/mod.ts";
import { type SinkBatch, SinkError } from "../../../plugin/mod.ts";
import { encodeJsonText } from "../../shared/json_encoder.ts";
import { bytesOfMeta } from "../../shared/kafka/meta_bytes.ts";
import type { OutRecord, RecordHeader } from "../../shared/kafka/record_batch.ts";

/** A W3C trace context travels in a header of this name. */
const TRACE_HEADER = "traceparent";

/** What a record is made of beside the message. */
export interface RecordRules {
  readonly key: CelFunction | undefined;
  /** Keys of meta. */
  readonly headers: readonly string[];
}

/** Makes a message's record. @throws {SinkError} its key cannot be had; no further attempt would change that */
export function recordOf(batch: SinkBatch, index: number, rules: RecordRules, nowMs: number): OutRecord {
  const message = batch.message(index);
  const timestamp = message.meta["kafka_timestamp"];
  return {
    key: rules.key === undefined ? null : keyOf(message, rules.key),
    value: message.isTombstone ? null : batch.bytes(index),
    headers: headersOf(message, rules.headers),
    timestampMs: typeof timestamp === "number" && Number.isSafeInteger(timestamp) && timestamp >= 0 ? timestamp : nowMs,
  };
}

function keyOf(message: Message, key: CelFunction): Uint8Array | null {
  let value: unknown;
  try {
    value = key(message);
  } catch (caught) {
    throw new SinkError(`key: ${EventboatError.from(caught, "expression").message}`, {
      cause: caught,
      retryable: false,
    });
  }
  const bytes = bytesOfMeta(value);
  if (bytes !== undefined) return bytes;
  throw new SinkError(`key: must give text, bytes, a number, a bool or null, and it gave ${kindOf(value)}`, {
    retryable: false,
  });
}

function headersOf({ meta }: Message, wanted: readonly string[]): RecordHeader[] {
  const headers: RecordHeader[] = [];
  for (const name of wanted) {
    const value = meta[name];
    if (value === undefined) continue;
    if (isMapping(value) && bytesOfMeta(value) === undefined) {
      for (const [inner, each] of Object.entries(value)) addHeader(headers, inner, each);
    } else addHeader(headers, name, value);
  }
  const trace = meta[TRACE_HEADER];
  if (typeof trace === "string" && !headers.some(({ name }) => name === TRACE_HEADER)) {
    addHeader(headers, TRACE_HEADER, trace);
  }
  return headers;
}

/** A list is a header for each element; what is neither text, number, bool nor bytes goes as JSON. */
function addHeader(headers: RecordHeader[], name: string, value: MetaValue): void {
  if (Array.isArray(value)) {
    for (const each of value) addHeader(headers, name, each);
    return;
  }
  const bytes = bytesOfMeta(value);
  headers.push({ name, value: bytes === undefined ? new TextEncoder().encode(encodeJsonText(value)) : bytes });
}

function isMapping(value: MetaValue): value is { readonly [key: string]: MetaValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}
