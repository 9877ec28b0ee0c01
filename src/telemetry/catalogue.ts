/** Owns the instrument catalogue: every name the program counts under, with kind, labels and meaning. */

/** How an instrument counts. */
export type InstrumentKind = "counter" | "histogram" | "gauge";

/** What a name in the catalogue means. */
export interface InstrumentEntry {
  readonly kind: InstrumentKind;
  /** Names of the labels each of its series has, in the order they are printed. */
  readonly labels: readonly string[];
  /** One sentence for whoever reads the exported text. */
  readonly help: string;
}

/** Put before every name at export. */
export const METRIC_PREFIX = "eventboat_";

/** Upper bounds of a histogram's buckets, in seconds; the last bucket has no bound. */
export const BUCKET_BOUNDS: readonly number[] = [
  0.0005,
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  30,
  60,
  300,
  1800,
];

/** Every instrument of the program itself, without prefix. Sources add `source_<counter>_total` of their own. */
export const INSTRUMENTS = {
  messages_in_total: counter(["pipeline", "source"], "Messages accepted from a source."),
  messages_committed_total: counter(["pipeline"], "Messages whose every branch reached a terminal state."),
  dead_letter_total: counter(["pipeline", "node", "reason_class"], "Dead letters written."),
  dlq_write_failures_total: counter(["pipeline"], "Attempts to write a dead letter that failed; each is retried."),
  cel_eval_errors_total: counter(["pipeline", "edge", "lang"], "Conditions that failed to evaluate and did not match."),
  fanout_no_match_total: counter(
    ["pipeline", "node"],
    "Messages that no edge took, that a transform filtered, or that a codec found to be none.",
  ),
  delivery_retries_total: counter(["pipeline", "node"], "Attempts made again after a failed one."),
  optional_drops_total: counter(["pipeline", "edge"], "Branches dropped on an edge that is not required."),
  decode_errors_total: counter(["pipeline", "source"], "Messages that their source's decoder could not read."),
  spool_failures_total: counter(["pipeline"], "Appends to the spool that were refused."),
  backpressure_events_total: counter(["pipeline", "source"], "Times a source had to wait for admission."),
  script_step_budget_exhausted_total: counter(["pipeline", "node"], "Script calls that used up their steps."),
  wasm_timeouts_total: counter(["pipeline", "node"], "WASM calls ended by their kill switch."),
  jobs_started_total: counter(["pipeline", "trigger"], "Runs started."),
  jobs_overlap_skipped_total: counter(["pipeline"], "Ticks skipped because a run was active."),
  jobs_catchup_skipped_total: counter(["pipeline"], "Missed ticks that were not caught up."),
  jobs_completed_total: counter(["pipeline", "status"], "Runs that ended."),
  job_rows_read_total: counter(["pipeline"], "Rows read by runs."),
  job_rows_delivered_total: counter(["pipeline"], "Rows delivered by runs."),
  plugin_restarts_total: counter(["plugin"], "Plugin processes started again."),
  script_duration_seconds: histogram(["pipeline", "node"], "Time a script took for a batch."),
  wasm_transform_duration_seconds: histogram(["pipeline", "node"], "Time a WASM guest took for a batch."),
  sink_write_duration_seconds: histogram(["pipeline", "node"], "Time a sink took to answer a write."),
  job_duration_seconds: histogram(["pipeline", "status"], "Time a run took."),
  commit_latency_seconds: histogram(["pipeline"], "Time from admission to commit of a live message."),
  spool_append_seconds: histogram(["pipeline"], "Time from handing a segment to the store until it was durable."),
  in_flight_messages: gauge(["pipeline"], "Messages admitted and not committed."),
  spool_depth: gauge(["pipeline"], "Messages kept in the spool."),
  frontier_lag: gauge(["pipeline"], "Sequences between the frontier and the newest one."),
  pipeline_paused: gauge(["pipeline"], "1 while the pipeline is paused, else 0."),
} as const satisfies Record<string, InstrumentEntry>;

/** A name of the catalogue. */
export type InstrumentName = keyof typeof INSTRUMENTS;

const SOURCE_COUNTER_REGEXP = /^source_[a-z][a-z0-9_]*_total$/;
const SOURCE_COUNTER: InstrumentEntry = counter(["pipeline", "node"], "Counted by the source itself.");

/** What the catalogue says about a name; `undefined` for a name of a plugin's own invention. */
export function instrumentEntry(name: string): InstrumentEntry | undefined {
  if (Object.hasOwn(INSTRUMENTS, name)) return INSTRUMENTS[name as InstrumentName];
  return SOURCE_COUNTER_REGEXP.test(name) ? SOURCE_COUNTER : undefined;
}

function counter(labels: readonly string[], help: string): InstrumentEntry {
  return { kind: "counter", labels, help };
}

function histogram(labels: readonly string[], help: string): InstrumentEntry {
  return { kind: "histogram", labels, help };
}

function gauge(labels: readonly string[], help: string): InstrumentEntry {
  return { kind: "gauge", labels, help };
}
