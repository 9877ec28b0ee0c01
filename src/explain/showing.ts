/** Owns how messages are shown: masked as `telemetry.redact` asks, as data that JSON has a form for. */

import { Buffer } from "node:buffer";
import { addChanges, type DataChange, plainJson } from "../base/mod.ts";
import type { Message } from "../message/mod.ts";
import type { Masking, PlanCodec } from "../plan/mod.ts";
import { encodeMessage, keptBacktrace, keptReason } from "../plugin/mod.ts";
import type { WalkEncoded, WalkFailure, WalkOutput } from "./walk.ts";

/** Lines that a script prints on one message and that are shown. */
const LINES_MAX = 100;

const encoder = new TextEncoder();
// A mark at the beginning is a part of the text, like any other character.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Payload and metadata as they are shown. */
export type ShownContent = Pick<WalkOutput, "payload" | "meta">;

/** Shows messages. */
export class Showing {
  readonly #masking: Masking;

  constructor(masking: Masking) {
    this.#masking = masking;
  }

  /** Payload and metadata. */
  content({ payload, meta }: Message): ShownContent {
    return { payload: plainJson(this.#masking.payload(payload)), meta: plainJson(this.#masking.meta(meta)) };
  }

  /**
   * What left a node, and how it differs from what came in, as that is shown. `before` is undefined for the same message;
   * without its payload, the one that left is told as new.
   */
  output(
    message: Message,
    before: Partial<ShownContent> | undefined,
  ): Pick<WalkOutput, "payload" | "meta" | "changes"> {
    const now = this.content(message);
    const changes: DataChange[] = [];
    if (before !== undefined) {
      if (before.payload === undefined) changes.push({ path: "payload", after: now.payload });
      else addChanges("payload", before.payload, now.payload, changes);
      addChanges("meta", before.meta ?? {}, now.meta, changes);
    }
    return { ...now, changes };
  }

  /** A text about a message. */
  text(text: string, message: Message): string {
    return this.#masking.text(text, message);
  }

  /** A failure that no further attempt mends, as a dead letter keeps it. */
  failure(failureClass: string, reason: string, message: Message): WalkFailure {
    return { class: failureClass, reason: this.text(keptReason(reason), message), attempts: 1 };
  }

  /** The backtrace of a failure, where it has one. */
  backtrace(backtrace: string | undefined, message: Message): Pick<WalkFailure, "backtrace"> {
    return backtrace === undefined ? {} : { backtrace: this.text(keptBacktrace(backtrace), message) };
  }

  /** Printed lines; of very many the first. */
  lines(lines: readonly string[], message: Message): readonly string[] {
    const shown = lines.slice(0, LINES_MAX).map((line) => this.text(line, message));
    return lines.length > LINES_MAX ? [...shown, `... ${lines.length - LINES_MAX} more lines`] : shown;
  }

  /** What a sink would be given; `encoded` is undefined for the bytes that arrived. */
  encoded(message: Message, codec: PlanCodec, encoded: string | Uint8Array<ArrayBuffer> | undefined): WalkEncoded {
    const bytes = bytesOf(encoded ?? message.raw);
    const common = { codec: codec.name, size: bytes.length, as_arrived: encoded === undefined };
    const payload = this.#masking.payload(message.payload);
    if (payload === message.payload) return { ...common, ...textOf(bytes), masked: false };
    try {
      const masked = encodeMessage(message.derive({ payload }), codec);
      return { ...common, ...(masked === undefined ? {} : textOf(bytesOf(masked))), masked: true };
    } catch {
      // The codec has no form for a mask: then nothing of the bytes is shown.
      return { ...common, masked: true };
    }
  }
}

function bytesOf(encoded: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof encoded === "string" ? encoder.encode(encoded) : encoded;
}

function textOf(bytes: Uint8Array<ArrayBuffer>): Pick<WalkEncoded, "text" | "base64"> {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") };
  }
}
