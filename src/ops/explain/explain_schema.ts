/** Owns what the answer of `explain` looks like, as JSON Schema. */

import {
  block,
  choice,
  data,
  type Field,
  flag,
  integer,
  list,
  oneOf,
  optional,
  record,
  text,
} from "../../schema/mod.ts";

const LARGEST = Number.MAX_SAFE_INTEGER;

function words(description: string): Field<string> {
  return text({ description, minLength: 0 });
}

function count(description: string): Field<number> {
  return integer({ description, minimum: 0, maximum: LARGEST });
}

function texts(description: string): Field<readonly string[]> {
  return list(words("One of them."), { description, minItems: 0 });
}

const origin = choice(["edge", "edge_defaults", "default", "engine"], { description: "Who said so." });
const backoff = choice(["exponential", "constant"], { description: "How waits grow." });

const codec = block({
  name: words("Its name."),
  plugin: optional(words("The plugin that makes it.")),
}, { description: "A codec." });

const failureWay = block({
  when: choice(["decode", "transform", "order_key", "encode", "write"], { description: "Doing what." }),
  classes: texts("Classes that its dead letter may have."),
  retried: flag({ description: "Whether it may be tried again." }),
});

const node = block({
  node: words("Its name."),
  kind: choice(["source", "transform", "sink"], { description: "Its kind." }),
  plugin: words("Its plugin."),
  version: optional(count("The plugin's version.")),
  summary: optional(words("What the plugin does.")),
  note: optional(words("What is worth knowing of its block.")),
  reads: optional(texts("Constants and parameters that its block reads.")),
  decoder: optional(codec),
  ends: optional(flag({ description: "Of a source: whether its run ends by itself." })),
  writes: optional(texts("Of a transform: paths it may write.")),
  workers: optional(count("Of a transform: messages it handles side by side.")),
  lanes: optional(flag({ description: "Of a transform: whether its workers are isolates of their own." })),
  explain_safe: optional(flag({ description: "Of a transform: whether explain executes it." })),
  encoder: optional(codec),
  batch: optional(block({
    size: count("Most messages of one."),
    timeout_ms: optional(count("How long one waits for more; absent: it is what waits.")),
  }, { description: "Of a sink: its batches." })),
  order_key: optional(block({
    text: words("Its text."),
    reads: optional(texts("Paths it depends on.")),
  }, { description: "Of a sink: what keeps messages in order." })),
  mixed_batch: optional(block({
    retries: count("Further attempts."),
    backoff,
    first_wait_ms: count("The first wait."),
    longest_wait_ms: count("The longest wait."),
    timeout_ms: count("Limit of one attempt."),
  }, { description: "Of a sink with several edges: what holds for a batch that came over all of them." })),
  queue_events: optional(count("Messages that its queue holds.")),
  failures: list(failureWay, { description: "How a message may fail in it.", minItems: 0 }),
});

const edge = block({
  edge: words("from->to."),
  from: words("The node it leaves."),
  to: words("The node it enters."),
  condition: optional(block({
    lang: words("Its language."),
    text: words("Its text."),
    route: optional(words("The route it stands for.")),
    reads: optional(texts("Paths it depends on.")),
  }, { description: "When it is taken; absent: always." })),
  required: block({ value: flag({ description: "Whether a failure counts." }), from: origin }),
  delivery: block({
    retries: block({ value: count("Further attempts."), from: origin }),
    backoff: block({ value: backoff, from: origin }),
    timeout_ms: block({ value: count("Limit of one attempt."), from: origin }),
  }, { description: "Its policy." }),
  buffer_events: block({ value: count("Messages it may hold."), from: origin }),
  on_failure: choice(["dead_letter", "drop"], { description: "What becomes of a message that fails for good." }),
});

const takenEdge = block({
  edge: words("from->to."),
  to: words("The node it enters."),
  condition: optional(words("Its condition.")),
  taken: optional(flag({ description: "Whether the message takes it; absent: it cannot be told." })),
  error: optional(words("Why its condition could not be evaluated, which counts as not met.")),
  step: optional(count("The step it leads to.")),
});

const change = block({
  path: words("The place, such as payload.lines[0].count."),
  before: optional(data({ description: "What was there; absent where the place is new." })),
  after: optional(data({ description: "What is there now; absent where the place is gone." })),
});

const step = block({
  step: count("Its number, from 0."),
  node: words("The node."),
  kind: choice(["source", "transform", "sink"], { description: "Its kind." }),
  plugin: words("Its plugin."),
  edge: optional(words("The edge it came over; absent where the walk begins.")),
  state: choice(["passed", "given", "filtered", "dead_letter", "dropped", "not_executed", "unknown"], {
    description: "What became of the message.",
  }),
  note: optional(words("Why.")),
  printed: optional(texts("What a script printed.")),
  outputs: optional(list(
    block({
      payload: data({ description: "The payload." }),
      meta: data({ description: "The metadata." }),
      changes: list(change, { description: "How it differs from what came in.", minItems: 0 }),
      edges: list(takenEdge, { description: "Every edge out of the node.", minItems: 0 }),
      filtered: flag({ description: "Whether no edge takes it." }),
    }),
    { description: "What left the node.", minItems: 0 },
  )),
  undecided: optional(list(takenEdge, { description: "Edges that cannot be decided.", minItems: 0 })),
  failure: optional(block({
    class: words("Class of the dead letter."),
    reason: words("Its reason."),
    backtrace: optional(words("One frame a line, outermost first.")),
    attempts: count("How often the engine would try."),
  }, { description: "How it failed for good." })),
  order_key: optional(words("The value of the sink's order key.")),
  encoded: optional(block({
    codec: words("The encoder."),
    size: count("Bytes."),
    text: optional(words("The bytes as text.")),
    base64: optional(words("The bytes, where they are no text.")),
    as_arrived: flag({ description: "Whether they are the bytes that arrived." }),
    masked: flag({ description: "Whether a part is masked." }),
  }, { description: "What the sink would be given." })),
});

const walk = block({
  at: words("The node it entered at."),
  codec: words("The codec it was in."),
  payload: optional(data({ description: "The payload as decoded." })),
  meta: data({ description: "The metadata." }),
  steps: list(step, { description: "What became of it, node by node.", minItems: 0 }),
  totals: block({
    given: count("Branches that reach a sink."),
    filtered: count("Branches that end without."),
    dead_letters: count("Branches that become dead letters."),
    dropped: count("Branches that are dropped."),
    not_executed: count("Transforms that were not executed."),
  }, { description: "How its branches ended." }),
  truncated: flag({ description: "Whether it was cut short." }),
}, { description: "What becomes of the message." });

const needs = record(texts("What may be reached."), { description: "Permissions by kind." });

const permissions = block({
  nodes: list(block({ node: words("The node."), permissions: needs }), { description: "By node.", minItems: 0 }),
  codecs: needs,
  permissions: needs,
  isolates: list(
    block({
      role: choice(["pipeline", "lane", "store"], { description: "What runs in it." }),
      node: optional(words("The transform of a lane.")),
      count: count("How many there are."),
      permissions: needs,
    }),
    { description: "Isolates that a run starts.", minItems: 0 },
  ),
}, { description: "What each node needs and each isolate may do." });

const explanation = block({
  file: words("The pipeline file."),
  pipeline: words("Its name."),
  mode: words("Its run mode."),
  max_in_flight: count("Messages that may be under way."),
  dead_letter_retention_ms: optional(count("How long dead letters are kept; absent: until they are deleted.")),
  nodes: list(node, { description: "Every node, each before those that depend on it." }),
  edges: list(edge, { description: "Every edge." }),
  sample: optional(walk),
  topology: optional(block({
    mermaid: words("A flowchart of Mermaid."),
    drawing: words("Boxes and lines, at most 80 columns."),
  }, { description: "The pipeline, drawn." })),
  svg: optional(words("The pipeline as an SVG document.")),
  permissions: optional(permissions),
});

const verdict = block({
  ok: flag({ description: "False." }),
  file: words("The pipeline file."),
  errors: count("Errors found."),
  warnings: count("Warnings found."),
  diagnostics: list(data({ description: "A finding." }), { description: "Everything that was found.", minItems: 0 }),
  permissions: needs,
}, { description: "The verdict on a pipeline that does not pass." });

/** The answer on the wire: the explanation, or the verdict that failed. */
export const explainOutput = oneOf([explanation, verdict], {
  description: "The explanation, or the verdict on a pipeline that does not pass.",
});
