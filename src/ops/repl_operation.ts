/** Owns the operation `repl`: one script or one expression, tried once on one message. */

import type { Static } from "typebox";
import { EventboatError } from "../diagnostics/mod.ts";
import { STARLARK_STEP_LIMIT } from "../languages/mod.ts";
import { block, choice, data, define, flag, integer, list, oneOf, optional, record, text } from "../schema/mod.ts";
import type { Operation } from "./operation.ts";
import { EXPRESSION_LANGUAGES, type ExpressionLanguage, tryExpression } from "./repl/expression_trial.ts";
import type { ReplFailure } from "./repl/failure.ts";
import type { ExpressionOutcome } from "./repl/expression_trial.ts";
import { readEnvironment, readSample } from "./repl/sample.ts";
import { outcomeOf, type ScriptOutcome, tryScript } from "./repl/script_trial.ts";

/** Steps that a run is given where nobody says otherwise: as many as in a pipeline. */
export const REPL_STEPS_DEFAULT = STARLARK_STEP_LIMIT;
/** Most steps that a run may be given. */
export const REPL_STEPS_MAX = 100_000_000;

/** What a script gave. */
export interface ScriptAnswer {
  readonly ok: boolean;
  readonly language: "starlark";
  /** What `print` printed, one text a call. */
  readonly printed: readonly string[];
  /** Texts that are missing at the end of `printed` because they were too many; absent when none is. */
  readonly printed_dropped?: number;
  /** Steps that the run took, until it failed if it did; absent when the script does not compile. */
  readonly steps?: number;
  readonly result?: ScriptOutcome;
  readonly error?: ReplFailure;
}

/** What an expression gave. */
export interface ExpressionAnswer {
  readonly ok: boolean;
  readonly language: ExpressionLanguage;
  readonly result?: ExpressionOutcome;
  readonly error?: ReplFailure;
}

/** The answer of the operation `repl`. */
export type ReplAnswer = ScriptAnswer | ExpressionAnswer;

/** Fields that say on what something is tried; JSON stands as text, so that every digit of a number arrives. */
export const sampleFields = {
  message: optional(text({ description: "The payload, as JSON text. Default: an empty mapping." })),
  meta: optional(text({ description: "Metadata laid over message_id, ingest_time and source, as JSON text." })),
  constants: optional(text({ description: "The pipeline's constants, as JSON text. Default: none." })),
  parameters: optional(text({ description: "The run's parameters, as JSON text. Default: none." })),
  steps: integer({
    description: "Steps that a script may take.",
    default: REPL_STEPS_DEFAULT,
    minimum: 1,
    maximum: REPL_STEPS_MAX,
  }),
};

const input = block({
  script: optional(text({ description: "A Starlark script, as a pipeline's script transform has it.", minLength: 0 })),
  cel: optional(text({ description: "A CEL expression, as a condition or a key of a pipeline has it.", minLength: 0 })),
  cesql: optional(text({ description: "A CESQL expression, as a condition of a pipeline has it.", minLength: 0 })),
  ...sampleFields,
});

const place = {
  message: text({ description: "What is wrong.", minLength: 0 }),
  line: integer({ description: "Line, from 1.", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  column: integer({ description: "Column in code points, from 1.", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
};

const change = block({
  path: text({ description: "The place, such as payload.lines[0].count." }),
  before: optional(data({ description: "What was there; absent where the place is new." })),
  after: optional(data({ description: "What is there now; absent where the place is gone." })),
});

const scriptResult = block({
  payload: data({ description: "The payload afterwards." }),
  meta: record(data({ description: "A value." }), { description: "The metadata afterwards." }),
  payload_changed: flag({ description: "Whether the script changed the payload." }),
  meta_changed: flag({ description: "Whether the script changed the metadata." }),
  filtered: flag({ description: "Whether the script took the message away." }),
  changes: list(change, { description: "Every place that differs.", minItems: 0 }),
});

const expressionResult = block({
  value: data({
    description: "The value: bytes as base64, a map with other keys than strings as pairs, NaN and infinities by name.",
  }),
  type: text({ description: "The type as the language names it." }),
});

const failure = block({
  kind: choice(["compile", "steps", "budget", "runtime"], { description: "In what it failed." }),
  ...place,
  backtrace: optional(text({ description: "One frame a line, outermost first.", minLength: 0 })),
  issues: optional(list(
    block({ ...place, hint: optional(text({ description: "What to do about it." })) }),
    { description: "Everything wrong with a text that does not compile.", minItems: 0 },
  )),
}, { description: "Present when it failed." });

const output = block({
  ok: flag({ description: "Whether there is a result." }),
  language: choice(["starlark", ...EXPRESSION_LANGUAGES], { description: "What was tried." }),
  printed: optional(list(text({ description: "A text.", minLength: 0 }), {
    description: "What a script printed, one text a call of print.",
    minItems: 0,
  })),
  printed_dropped: optional(integer({
    description: "Texts that are missing at the end of printed, because they were too many.",
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  })),
  steps: optional(integer({
    description: "Steps that a script took, until it failed if it did; absent when it does not compile.",
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })),
  result: optional(oneOf([scriptResult, expressionResult], { description: "Absent when it failed." })),
  error: optional(failure),
});

/** Tries a script or an expression on a message. */
export const replOperation: Operation<typeof input, ReplAnswer> = {
  name: "repl",
  summary: "Tries a script or an expression on a message, and tells what it gives or why it fails.",
  effect: "read",
  input: define(input),
  output,
  handle: (request) => Promise.resolve().then(() => answerTo(request)),
};

function answerTo({ script, steps, ...request }: Static<typeof input>): ReplAnswer {
  const asked = EXPRESSION_LANGUAGES.filter((language) => request[language] !== undefined);
  const [language] = asked;
  if (asked.length + (script === undefined ? 0 : 1) !== 1) {
    throw new EventboatError("usage", `give one of script, ${EXPRESSION_LANGUAGES.join(", ")}`);
  }
  const [sample, environment] = [readSample(request), readEnvironment(request)];
  if (language === undefined) {
    const trial = tryScript(script ?? "", { sample, environment, stepsMax: steps });
    const printed = trial.output.lines.map((line) => line.text);
    const { dropped } = trial.output;
    const common = { language: "starlark", printed, ...(dropped > 0 ? { printed_dropped: dropped } : {}) } as const;
    if (!trial.ok) {
      const { steps, failure } = trial;
      return { ok: false, ...common, ...(failure.kind === "compile" ? {} : { steps }), error: failure };
    }
    return { ok: true, ...common, steps: trial.steps, result: outcomeOf(trial.result, sample) };
  }
  const trial = tryExpression(request[language] ?? "", { language, sample, environment });
  return trial.ok ? { ok: true, language, result: trial.result } : { ok: false, language, error: trial.failure };
}

/** Whether an answer is that of a script. */
export function isScriptAnswer(answer: ReplAnswer): answer is ScriptAnswer {
  return answer.language === "starlark";
}
