/** Owns the keys of the Runtime document: type, default, range and meaning of each. */

import type { KeyInfo } from "../schema/mod.ts";

/** Type of a key's value. */
export type RuntimeType = "text" | "address" | "flag" | "integer" | "number" | "word" | "list" | "texts";

/** What is known of one key of the Runtime document. */
export interface RuntimeKey extends KeyInfo {
  readonly type: RuntimeType;
  /** Whether the empty text is a value. */
  readonly mayBeEmpty?: true;
}

/** Every key by its dotted path, in the order they are documented. */
export const RUNTIME_KEYS = {
  "storage.data_dir": { type: "text", default: "data", description: "Folder that holds the pipelines' stores." },
  "storage.ephemeral": { type: "flag", default: false, description: "Keep everything in memory only." },
  "storage.spool_retention": {
    type: "integer",
    default: 10_000,
    range: { min: 0, max: 1_000_000_000 },
    description: "Messages that are kept behind the checkpoint.",
  },
  "storage.write_batch.max_rows": {
    type: "integer",
    // What one synced write can carry without a lone message feeling it.
    default: 2_000,
    range: { min: 1, max: 2_000 },
    description: "Most messages of one segment.",
  },
  "storage.write_batch.max_wait_ms": {
    type: "integer",
    default: 2,
    range: { min: 0, max: 1_000 },
    description: "Budget for collecting companions of a write, never a sleep; 0 writes through.",
  },
  "storage.durability": {
    type: "word",
    // Who accepts a message has to be believed, also after a power cut.
    default: "power",
    words: ["power", "process"],
    description: "What an accepted message survives: a power cut, or only the end of the process.",
  },
  "admin.listen": { type: "address", default: "127.0.0.1:7788", description: "Host and port of the admin listener." },
  "admin.enable": { type: "flag", default: true, description: "Serve the admin surface." },
  "admin.token": {
    type: "text",
    default: "",
    mayBeEmpty: true,
    description: "Bearer token; required where the address is not a loopback one.",
  },
  "mcp.enable": { type: "flag", default: true, description: "Serve MCP on the admin listener." },
  "plugins.allow": { type: "list", default: [], description: "External commands that deployed pipelines may start." },
  "telemetry.otlp_endpoint": {
    type: "text",
    default: "",
    mayBeEmpty: true,
    description: "Where metrics and traces are pushed, as OTLP over HTTP.",
  },
  "telemetry.otlp_headers": { type: "texts", default: {}, description: "Headers of those pushes." },
  "telemetry.sample_ratio": {
    type: "number",
    default: 0.1,
    range: { min: 0, max: 1 },
    description: "Part of the traces that are kept.",
  },
  "telemetry.prometheus": { type: "flag", default: true, description: "Serve /metrics on the admin listener." },
  isolation: {
    type: "word",
    default: "isolate",
    words: ["isolate", "process", "inline"],
    description: "Where each pipeline runs: a Worker, a child process of its own, or the main isolate.",
  },
  "log.level": {
    type: "word",
    default: "info",
    words: ["debug", "info", "warn", "error"],
    description: "Least grave log lines that are written.",
  },
  "log.format": {
    type: "word",
    words: ["text", "json"],
    description: "Form of log lines; text on a terminal, else json.",
  },
} as const satisfies { readonly [path: string]: RuntimeKey };

/** Dotted path of a key. */
export type RuntimePath = keyof typeof RUNTIME_KEYS;
