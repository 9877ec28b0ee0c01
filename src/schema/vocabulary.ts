/**
 * Owns the framework's vocabulary: every key a pipeline document may hold outside plugin blocks, with its meaning,
 * default and range. Loader, registry, editor support and reference read it from here.
 */

import type { Data } from "../base/mod.ts";

/** What is known of one key. */
export interface KeyInfo {
  /** One sentence for editor and reference. */
  readonly description: string;
  readonly required?: true;
  /** What stands in where the key is absent. */
  readonly default?: Data;
  /** The words it may be. */
  readonly words?: readonly string[];
  /** The range of its number, both ends included; of a duration, in milliseconds. */
  readonly range?: NumberRange;
}

/** Smallest and largest value. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Keys by name, in the order they are documented. */
export type Keys = { readonly [name: string]: KeyInfo };

/** The sections that hold nodes, in the order messages pass them. */
export const NODE_SECTIONS = ["sources", "transforms", "sinks"] as const;

/** A section that holds nodes. */
export type NodeSection = typeof NODE_SECTIONS[number];

/** What `apiVersion` must be. */
export const API_VERSION = "eventboat/v1";

/** The former `apiVersion`, which `verify --fix` rewrites. */
export const FORMER_API_VERSION = "eventboat/v3";

/** Beginning of top-level keys that are left alone: a place for anchors. */
export const EXTENSION_PREFIX = "x-";

const DAY_MS = 86_400_000;
/** Ten years: longer than anyone keeps a window or retention, and far from where dates overflow. */
const DURATION_MS_MAX = 3_650 * DAY_MS;
/** What a timer of the platform can hold is 24.8 days; a day is more than any single wait needs. */
const WAIT_MS_MAX = DAY_MS;

const DURATION_RANGE: NumberRange = { min: 1, max: DURATION_MS_MAX };

/** The top level of a pipeline document. */
export const TOP_LEVEL_KEYS = {
  apiVersion: { description: "Version of the document's format.", required: true, words: [API_VERSION] },
  kind: { description: "Kind of the document.", required: true, words: ["Pipeline"] },
  metadata: { description: "Name and description of the pipeline.", required: true },
  run: { description: "How the pipeline runs: for ever, as a scheduled job, or once as a batch." },
  parameters: { description: "Parameters of a job's runs, each with type and constraints." },
  constants: { description: "Fixed values for scripts, conditions and `${constants.x}`." },
  limits: { description: "How much may be in flight, and how long draining may take." },
  codecs: { description: "Named codecs with their configuration." },
  edge_defaults: { description: "Delivery, buffer and `required` of all edges that do not say otherwise." },
  sources: { description: "Where messages come from, by node name.", required: true },
  transforms: { description: "What changes messages, by node name." },
  sinks: { description: "Where messages go, by node name.", required: true },
  hooks: { description: "Sinks that are told how a job's run ended." },
  dlq: { description: "How long dead letters are kept." },
  telemetry: { description: "What is masked in logs and views, and how many messages are traced." },
} as const satisfies Keys;

/** `metadata`. */
export const METADATA_FIELDS = {
  name: { description: "Name of the pipeline; its store is named after it.", required: true },
  description: { description: "What the pipeline is for." },
  labels: { description: "Free labels, text by name.", default: {} },
} as const satisfies Keys;

/** `limits`. */
export const LIMITS_FIELDS = {
  // 10,000 messages of a few KiB are tens of MiB: enough for any sink's latency, no danger to a small machine.
  max_in_flight: {
    description: "Most messages that are accepted but not committed.",
    default: 10_000,
    range: { min: 1, max: 1_000_000 },
  },
  // What orchestrators commonly grant between asking and killing is 30 s; 10 s leaves room for the rest.
  drain_timeout: {
    description: "Longest time to finish what is in flight when stopping.",
    default: "10s",
    range: { min: 1, max: WAIT_MS_MAX },
  },
} as const satisfies Keys;

/** `run`. */
export const RUN_FIELDS = {
  mode: {
    description: "For ever, in runs, or until everything is read.",
    default: "continuous",
    words: ["continuous", "job", "batch"],
  },
  schedule: { description: "Cron expression of five fields; job only." },
  timezone: { description: "IANA zone the schedule is read in; job only.", default: "UTC" },
  overlap: {
    description: "What a tick does while a run is active.",
    default: "skip",
    words: ["skip", "latest", "all"],
  },
  catchup_window: {
    description: "After a stop, the newest missed tick inside this window runs once.",
    range: DURATION_RANGE,
  },
  skip_if_successful: { description: "A tick that already succeeded does not run again.", default: false },
  retention: { description: "How long the history of runs is kept." },
} as const satisfies Keys;

/** `run.retention`. */
export const RUN_RETENTION_FIELDS = {
  history: { description: "Runs older than this are forgotten.", range: DURATION_RANGE },
} as const satisfies Keys;

/** One entry of `parameters`. */
export const PARAMETER_FIELDS = {
  type: { description: "Type of the value.", required: true, words: ["string", "integer", "number", "boolean"] },
  default: { description: "Value where a run gives none; `cursor` and `now` are bound when the run starts." },
  required: { description: "Every run must give a value.", default: false },
  enum: { description: "The values it may be." },
  pattern: { description: "Regular expression that a text must match." },
  min: { description: "Smallest number." },
  max: { description: "Largest number." },
  description: { description: "What the parameter is for." },
} as const satisfies Keys;

/** `hooks`. */
export const HOOK_EVENTS = {
  success: { description: "Sink that is told of runs that succeeded." },
  failure: { description: "Sink that is told of runs that failed." },
} as const satisfies Keys;

/** `dlq`. */
export const DLQ_FIELDS = {
  retention: {
    description: "Dead letters older than this are deleted; unset keeps them for ever.",
    range: DURATION_RANGE,
  },
} as const satisfies Keys;

/** `telemetry`. */
export const TELEMETRY_FIELDS = {
  redact: { description: "Dotted globs over `payload` and `meta` that logs and views mask.", default: [] },
  span_sample_rate: { description: "Part of the messages that are traced.", default: 0, range: { min: 0, max: 1 } },
} as const satisfies Keys;

const DEPENDS_ON: KeyInfo = {
  description: "The nodes whose messages come in, with the edges' attributes.",
  required: true,
};
const VERSION: KeyInfo = {
  description: "Version of the plugin that must be registered.",
  range: { min: 1, max: 1_000_000 },
};
const GRPC: KeyInfo = { description: "How the external plugin of this node is started." };

/** Framework fields of a node, by section. Every other key of a node is its plugin. */
export const FRAMEWORK_FIELDS = {
  sources: {
    decoder: { description: "Codec that reads the messages.", default: "json" },
    grpc: GRPC,
    version: VERSION,
  },
  transforms: {
    depends_on: DEPENDS_ON,
    // One keeps the order of messages; more is a choice the user makes knowingly.
    workers: {
      description:
        "How many work side by side, each in a lane of its own where it computes; with more than one, order is not kept.",
      default: 1,
      range: { min: 1, max: 256 },
    },
    grpc: GRPC,
    version: VERSION,
  },
  sinks: {
    depends_on: DEPENDS_ON,
    encoder: { description: "Codec that writes the messages.", default: "json" },
    order_key: { description: "CEL expression; messages with the same key keep their order." },
    batch: { description: "Fixed batches; without it, batches hold what is waiting." },
    grpc: GRPC,
    version: VERSION,
  },
} as const satisfies { readonly [section in NodeSection]: Keys };

/** `batch` of a sink. */
export const BATCH_FIELDS = {
  size: { description: "Messages a batch holds.", default: 1, range: { min: 1, max: 100_000 } },
  timeout_ms: {
    description: "Longest time a batch waits for company.",
    default: 1_000,
    range: { min: 0, max: 3_600_000 },
  },
} as const satisfies Keys;

/** `grpc` of a node. */
export const GRPC_FIELDS = {
  command: { description: "Program and its arguments.", required: true },
  schema: { description: "Manifest file of the plugin.", required: true },
  restart: {
    description: "What happens when the process ends.",
    default: "fast-fail",
    words: ["fast-fail", "restart"],
  },
  env: { description: "The whole environment of the process.", default: {} },
  permissions: { description: "For a plugin that is a Deno script: what it may do." },
} as const satisfies Keys;

/** `grpc.permissions`. */
export const GRPC_PERMISSIONS = {
  net: { description: "Hosts it may talk to." },
  read: { description: "Files it may read." },
  write: { description: "Files it may write." },
  run: { description: "Programs it may start." },
  env: { description: "Environment variables it may read." },
  sys: { description: "System information it may ask for." },
  ffi: { description: "Libraries it may load." },
} as const satisfies Keys;

/** Attributes of one edge. */
export const EDGE_ATTRIBUTES = {
  when: { description: "Condition that a message must meet: CEL text, or `lang` and `expr`." },
  route: { description: 'Short for `when: meta.route == "<name>"`.' },
  // Losing a message because nobody said that it matters would be the worse mistake.
  required: { description: "A failed delivery dead-letters; false drops and counts it.", default: true },
  delivery: { description: "Retries, backoff and time-out of a delivery." },
  buffer: { description: "Messages the edge may hold." },
} as const satisfies Keys;

/** `when` in its long form. */
export const WHEN_FIELDS = {
  lang: { description: "Language of the condition.", required: true, words: ["cel", "cesql"] },
  expr: { description: "The condition.", required: true },
} as const satisfies Keys;

/** `delivery` of an edge. */
export const DELIVERY_FIELDS = {
  retries: { description: "Attempts after the first one.", default: 3, range: { min: 0, max: 1_000_000 } },
  backoff: {
    description: "How the pauses between attempts grow.",
    default: "exponential",
    words: ["exponential", "constant"],
  },
  timeout_ms: {
    description: "Longest time of one attempt; 30 s where it is not set.",
    range: { min: 1, max: WAIT_MS_MAX },
  },
} as const satisfies Keys;

/** `buffer` of an edge. */
export const BUFFER_FIELDS = {
  type: { description: "Kind of buffer.", default: "memory", words: ["memory"] },
  // A few batches: enough to ride out a hiccup, little enough that a full buffer is noticed upstream at once.
  max_events: { description: "Messages the buffer holds.", default: 128, range: { min: 1, max: 1_000_000 } },
} as const satisfies Keys;

/** Attributes that `edge_defaults` may set; a condition belongs to one edge. */
export const EDGE_DEFAULT_ATTRIBUTES = ["delivery", "required", "buffer"] as const;

/** Names no plugin may have, since a node's framework fields and plugin stand side by side. */
export const RESERVED_PLUGIN_NAMES: readonly string[] = [
  "depends_on",
  "decoder",
  "encoder",
  "workers",
  "order_key",
  "batch",
  "grpc",
  "version",
  "when",
  "route",
  "buffer",
  "delivery",
  "required",
  "from",
];
