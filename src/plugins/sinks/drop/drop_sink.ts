/** Owns the built-in sink `drop`: takes everything, keeps nothing. */

import type { SinkPlugin } from "../../../plugin/mod.ts";
import { block, define } from "../../../schema/mod.ts";

/** Most messages an adaptive batch holds: there is nothing to save beyond amortising the call. */
const BATCH_MESSAGES_MAX = 1000;

const schema = block({});

/** Takes every message and does nothing with it. */
export const dropSink: SinkPlugin<typeof schema> = {
  kind: "sink",
  name: "drop",
  version: 1,
  summary: "Takes every message and does nothing with it.",
  capabilities: [],
  definition: define(schema),
  maxBatch: () => BATCH_MESSAGES_MAX,
  create: () => ({ write() {}, close() {} }),
};
