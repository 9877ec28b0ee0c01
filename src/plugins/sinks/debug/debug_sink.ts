/** Owns the built-in sink `debug`: one line a message to stderr. */

import type { Static } from "typebox";
import type { Sink, SinkBatch, SinkPlugin } from "../../../plugin/mod.ts";
import { block, define, text } from "../../../schema/mod.ts";

/** Most messages an adaptive batch holds. */
const BATCH_MESSAGES_MAX = 1000;
/** A message stays on one line: what would begin another is written as an escape. */
const LINE_BREAK_REGEXP = /[\r\n]/g;

const schema = block({
  prefix: text({ description: "Text written before each message.", default: "", minLength: 0 }),
});

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes the sink, writing its bytes by `write`, all of them at once. */
export function debugSinkTo(write: (bytes: Uint8Array<ArrayBuffer>) => void): SinkPlugin<typeof schema> {
  return {
    kind: "sink",
    name: "debug",
    version: 1,
    summary: "Writes one line a message to stderr.",
    capabilities: [],
    definition: define(schema),
    maxBatch: () => BATCH_MESSAGES_MAX,
    create: (config) => new DebugSink(config, write),
  };
}

class DebugSink implements Sink {
  readonly #prefix: string;
  readonly #write: (bytes: Uint8Array<ArrayBuffer>) => void;

  constructor(config: Static<typeof schema>, write: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#prefix = config.prefix;
    this.#write = write;
  }

  write(batch: SinkBatch): void {
    let lines = "";
    for (let i = 0; i < batch.size; i++) {
      const line = decoder.decode(batch.bytes(i)).replace(LINE_BREAK_REGEXP, (c) => c === "\n" ? "\\n" : "\\r");
      lines += `${this.#prefix}${line}\n`;
    }
    this.#write(encoder.encode(lines));
  }

  close(): void {}
}

/** Writes one line a message to stderr. */
export const debugSink: SinkPlugin<typeof schema> = debugSinkTo((bytes) => {
  for (let written = 0; written < bytes.length;) written += Deno.stderr.writeSync(bytes.subarray(written));
});
