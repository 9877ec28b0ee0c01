/** Owns the definition of a suite file: its fields, their types and what they mean. */

import type { Static } from "typebox";
import { block, choice, data, define, integer, list, oneOf, optional, record, text } from "../schema/mod.ts";
import type { DeadLetterClass } from "../store/mod.ts";

/** Most messages, dead letters or branches that a case may count. */
const COUNT_MAX = 1_000_000;

/** Every class a dead letter may have. */
const CLASSES = [
  "decode",
  "codec",
  "encode",
  "delivery",
  "canceled",
  "compile",
  "steps",
  "timeout",
  "guest",
  "runtime",
  "other",
] as const satisfies readonly DeadLetterClass[];

const count = (description: string) => integer({ description, minimum: 0, maximum: COUNT_MAX });

const injection = block({
  at: text({ description: "The node: messages come out of a source, and go into any other node." }),
  messages: optional(list(data({ description: "Path of a fixture, or a payload written here." }), {
    description: "Fixtures by their paths (text), and payloads written here (anything else).",
  })),
  raw: optional(oneOf([
    text({ description: "The bytes of one message, as text.", minLength: 0 }),
    list(text({ description: "The bytes of one message, as text.", minLength: 0 }), {
      description: "One text a message.",
    }),
  ], { description: "Messages as they come, before anything is decoded." })),
  codec: optional(text({ description: "Codec of the messages. Default: a source's decoder, else json." })),
  meta: optional(record(data({ description: "Any value." }), { description: "Metadata of every message." })),
}, { description: "What goes in, and where." });

const capture = block({
  at: text({ description: "The sink." }),
  count: optional(count("How many messages the sink gets.")),
  messages: optional(list(
    record(data({ description: "The value at a dotted path." }), {
      description: "Dotted paths below payload, meta, encoded or encoded_base64, and the value at each.",
    }),
    { description: "The messages the sink gets, in this order.", minItems: 0 },
  )),
  golden: optional(text({ description: "A file that holds what the sink is given to write, a line a message." })),
}, { description: "What one sink gets." });

const deadLetters = block({
  count: optional(count("How many dead letters are like this. Default: at least one.")),
  reason_contains: optional(text({ description: "A part of the reason." })),
  class: optional(choice(CLASSES, { description: "The class." })),
  node: optional(text({ description: "The node that failed." })),
}, { description: "Dead letters of one sort." });

const expectation = block({
  capture: optional(oneOf([capture, list(capture, { description: "One for each sink." })], {
    description: "What sinks get.",
  })),
  dlq: optional(oneOf([deadLetters, list(deadLetters, { description: "One for each sort." })], {
    description: "The dead letters. Default: none.",
  })),
  filtered: optional(count("How many messages end without a sink, on some branch.")),
  golden: optional(text({ description: "A file that holds everything that came of the case, as JSON." })),
}, { description: "What has to come of it." });

const suiteCase = block({
  name: text({ description: "What is shown." }),
  description: optional(text({ description: "For whoever reads the suite." })),
  constants: optional(record(data({ description: "The value." }), { description: "Constants that differ here." })),
  parameters: optional(record(data({ description: "The value." }), { description: "Parameters of the run." })),
  inject: oneOf([injection, list(injection, { description: "One after the other." })], {
    description: "What goes in.",
  }),
  expect: expectation,
}, { description: "One run of the pipeline." });

const suite = block({
  suite: text({ description: "Name of the suite." }),
  description: optional(text({ description: "For whoever reads the suite." })),
  pipeline: text({ description: "Path of the pipeline under test." }),
  overlays: optional(list(text({ description: "Path of an overlay." }), {
    description: "Overlays, merged onto the pipeline in this order.",
  })),
  env: optional(record(text({ description: "The value.", minLength: 0 }), {
    description: "Environment variables of the pipeline; they go before those of the process.",
  })),
  cases: list(suiteCase, { description: "The cases." }),
}, { description: "A contract suite: what a pipeline makes of given messages." });

/** The definition of a suite file. */
export const SUITE_DEFINITION = define(suite);

/** The JSON Schema of suite files, for editors. */
export function suiteSchema(): { readonly [keyword: string]: unknown } {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  // Keys that begin with x- hold what anchors are set on; nothing reads them.
  return { $schema, title: "Eventboat contract suite", ...suite, patternProperties: { "^x-": {} } };
}

/** A suite as it is written. */
export type SuiteText = Static<typeof suite>;
/** One case as it is written. */
export type CaseText = Static<typeof suiteCase>;
/** One injection as it is written. */
export type InjectionText = Static<typeof injection>;
/** What is expected of a case, as it is written. */
export type ExpectationText = Static<typeof expectation>;
/** What is expected of one sink, as it is written. */
export type CaptureText = Static<typeof capture>;
/** What is expected of the dead letters, as it is written. */
export type DeadLettersText = Static<typeof deadLetters>;
