/** Owns trying a script on a sample: what it leaves, what it prints, why it fails. */

import { addChanges, type Data, type DataChange, plainJson } from "../../base/mod.ts";
import {
  compileStarlark,
  type CompileStarlarkOptions,
  type Environment,
  ScriptError,
  type ScriptProgram,
  type ScriptResult,
} from "../../languages/mod.ts";
import type { Meta } from "../../message/mod.ts";
import { compileFailure, type ReplFailure, scriptFailure } from "./failure.ts";
import type { ReplSample } from "./sample.ts";

/** Most UTF-16 units of printed text that are kept: with raised steps a script can print without end. */
export const PRINTED_UNITS_MAX = 1 << 26;

/** What a script is tried with. */
export interface TrialSettings {
  readonly sample: ReplSample;
  readonly environment: Environment;
  /** Steps that a run may take. */
  readonly stepsMax: number;
}

/** What a script made of the message. */
export interface ScriptOutcome {
  readonly payload: Data;
  readonly meta: Meta;
  readonly payload_changed: boolean;
  readonly meta_changed: boolean;
  /** The script set `payload = None`. */
  readonly filtered: boolean;
  readonly changes: readonly DataChange[];
}

/** A script that was tried. */
export type ScriptTrial =
  & {
    readonly output: Output;
    /** Steps that the run took, until it failed if it did; 0 when the script does not compile. */
    readonly steps: number;
  }
  & (
    | { readonly ok: true; readonly program: ScriptProgram; readonly result: ScriptResult }
    | { readonly ok: false; readonly failure: ReplFailure }
  );

/** One text that a script printed or, on a console, a value that is shown. */
export interface OutputLine {
  readonly kind: "printed" | "shown";
  readonly text: string;
}

/** What a run put out, in order. */
export interface Output {
  readonly lines: readonly OutputLine[];
  /** Lines that were too many to be kept. */
  readonly dropped: number;
}

/** Runs a script once on the sample. */
export function tryScript(
  source: string,
  { sample, environment, stepsMax }: TrialSettings,
  options: CompileStarlarkOptions = {},
): ScriptTrial {
  const output = new KeptOutput();
  const compiled = compileStarlark(source, options);
  if (!compiled.ok) return { ok: false, failure: compileFailure(source, compiled.issues), output, steps: 0 };
  const { program } = compiled;
  const run = program.bind(environment, {
    stepsMax,
    print: (text) => output.add({ kind: "printed", text }),
    show: (text) => output.add({ kind: "shown", text }),
  });
  try {
    const result = run(sample);
    return { ok: true, program, result, output, steps: result.steps };
  } catch (caught) {
    if (!(caught instanceof ScriptError)) throw caught;
    return { ok: false, failure: scriptFailure(caught), output, steps: caught.steps };
  }
}

/** The message that a run left, and how it differs from the sample. */
export function outcomeOf(result: ScriptResult, sample: ReplSample): ScriptOutcome {
  const meta = result.meta ?? sample.meta;
  const payload = result.payloadChanged ? plainJson(result.payload) : sample.payload as Data;
  const changes: DataChange[] = [];
  if (!result.filtered) addChanges("payload", sample.payload, payload, changes);
  addChanges("meta", sample.meta, meta, changes);
  return {
    payload,
    meta,
    payload_changed: result.payloadChanged,
    meta_changed: result.metaChanged,
    filtered: result.filtered,
    changes,
  };
}

class KeptOutput implements Output {
  readonly lines: OutputLine[] = [];
  dropped = 0;
  #units = 0;

  add(line: OutputLine): void {
    this.#units += line.text.length + 1;
    if (this.#units > PRINTED_UNITS_MAX) this.dropped++;
    else this.lines.push(line);
  }
}
