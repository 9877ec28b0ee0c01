/** Owns a session: a script that grows by statements and runs again on the original sample each time. */

import { type Data, plainJson } from "../../base/mod.ts";
import { starlarkNames } from "../../languages/mod.ts";
import type { Meta } from "../../message/mod.ts";
import { type ExpressionLanguage, type ExpressionTrial, tryExpression } from "./expression_trial.ts";
import type { ReplFailure } from "./failure.ts";
import type { ReplSample } from "./sample.ts";
import { type Output, type OutputLine, type ScriptTrial, type TrialSettings, tryScript } from "./script_trial.ts";

/** A name with fields behind it: looking at it changes nothing. */
const FIELD_PATH_REGEXP = /^[\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}_][\p{L}\p{Nd}_]*)*$/u;
const NAME_REGEXP = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** What adding to a session gave. What was put out before is left out of `output`. */
export interface SessionStep {
  readonly output: Output;
  /** Why nothing was taken; the session is as it was. */
  readonly failure?: ReplFailure;
  /** The script that was tried: the places of a failure lie in it. */
  readonly source: string;
}

/** The state that the last good run left. */
interface Standing {
  readonly payload: unknown;
  readonly meta: Meta;
  readonly filtered: boolean;
  readonly globals: readonly string[];
  /** Texts that the script printed. */
  readonly printed: number;
}

/** A script in the making. What it holds has run on its sample without a failure. */
export class ReplSession {
  readonly #settings: Omit<TrialSettings, "sample">;
  #sample: ReplSample;
  #statements: readonly string[] = [];
  #standing: Standing;

  constructor({ sample, ...settings }: TrialSettings) {
    this.#settings = settings;
    this.#sample = sample;
    this.#standing = startOf(sample);
  }

  /** The script so far. */
  get source(): string {
    return this.#statements.join("");
  }

  /** The message that the script is tried on. */
  get sample(): ReplSample {
    return this.#sample;
  }

  /** The message as the script leaves it. */
  get message(): { readonly payload: Data; readonly meta: Meta; readonly filtered: boolean } {
    const { payload, meta, filtered } = this.#standing;
    return { payload: plainJson(payload), meta, filtered };
  }

  /** Adds a statement, which ends in a newline; one that fails is not kept. */
  add(statement: string): SessionStep {
    return this.#step([...this.#statements, statement], this.#sample, {
      shownFrom: this.source.length,
      printed: this.#standing.printed,
    });
  }

  /** Puts a whole script in the session's place, unless it fails. */
  load(script: string): SessionStep {
    const text = script === "" || script.endsWith("\n") ? script : `${script}\n`;
    return this.#step(text === "" ? [] : [text], this.#sample, { shownFrom: Infinity, printed: 0 });
  }

  /** Takes another sample and runs the script on it, unless it fails there. */
  resample(sample: ReplSample): SessionStep {
    return this.#step(this.#statements, sample, { shownFrom: Infinity, printed: 0 });
  }

  /** Takes the last statement back. False where there is none. */
  undo(): boolean {
    if (this.#statements.length === 0) return false;
    this.#step(this.#statements.slice(0, -1), this.#sample, { shownFrom: Infinity, printed: 0 });
    return true;
  }

  /** Empties the script. */
  reset(): void {
    this.#statements = [];
    this.#standing = startOf(this.#sample);
  }

  /** Evaluates an expression on the message as the script leaves it. */
  evaluate(language: ExpressionLanguage, expression: string): ExpressionTrial {
    const { payload, meta } = this.#standing;
    return tryExpression(expression, { language, sample: { payload, meta }, environment: this.#settings.environment });
  }

  /** Names that a statement may begin with. */
  names(): readonly string[] {
    return [...new Set([...starlarkNames(), ...this.#standing.globals])];
  }

  /** Names that may stand behind `path` and a dot in a script. None for what is no path of names. */
  members(path: string): readonly string[] {
    if (!FIELD_PATH_REGEXP.test(path)) return [];
    // Asked in the language itself: it alone knows what stands behind a name.
    const fields = `(list(${path}) if type(${path}) == "dict" else [])`;
    const question = `[str(name) for name in ${fields} + dir(${path})]\n`;
    const trial = tryScript(`${this.source}${question}`, { sample: this.#sample, ...this.#settings }, {
      shownFrom: this.source.length,
    });
    const shown = trial.output.lines.findLast(({ kind }) => kind === "shown");
    return trial.ok && shown !== undefined ? namesIn(shown.text) : [];
  }

  /** Names that may stand behind `path` and a dot in an expression; those it may begin with for an empty path. */
  fields(language: ExpressionLanguage, path: string): readonly string[] {
    const { payload, meta } = this.#standing;
    let place: unknown = language === "cel"
      ? { payload, meta, ...this.#settings.environment }
      : { ...meta, data: payload };
    for (const name of path === "" ? [] : path.split(".")) place = memberOf(place, name);
    return typeof place === "object" && place !== null && !Array.isArray(place)
      ? Object.keys(place).filter((name) => NAME_REGEXP.test(name))
      : [];
  }

  #step(
    statements: readonly string[],
    sample: ReplSample,
    before: { readonly shownFrom: number; readonly printed: number },
  ): SessionStep {
    const source = statements.join("");
    const trial = tryScript(source, { sample, ...this.#settings }, { shownFrom: before.shownFrom });
    const output = { lines: trial.output.lines.slice(before.printed), dropped: trial.output.dropped };
    if (!trial.ok) return { output, failure: trial.failure, source };
    this.#statements = statements;
    this.#sample = sample;
    this.#standing = standingOf(trial, sample);
    return { output, source };
  }
}

function startOf(sample: ReplSample): Standing {
  return { ...sample, filtered: false, globals: [], printed: 0 };
}

function standingOf({ result, program, output }: Extract<ScriptTrial, { ok: true }>, sample: ReplSample): Standing {
  return {
    payload: result.payload,
    meta: result.meta ?? sample.meta,
    filtered: result.filtered,
    globals: program.globals,
    printed: output.lines.filter(isPrinted).length,
  };
}

function isPrinted({ kind }: OutputLine): boolean {
  return kind === "printed";
}

function memberOf(place: unknown, name: string): unknown {
  return typeof place === "object" && place !== null && Object.hasOwn(place, name)
    ? (place as { readonly [name: string]: unknown })[name]
    : undefined;
}

/** The texts of a list of strings, as the language shows it, that are names. */
function namesIn(shown: string): readonly string[] {
  const texts = [...shown.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
  return [...new Set(texts.filter((text) => NAME_REGEXP.test(text)))];
}
