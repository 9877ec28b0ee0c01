/** Owns the contract of a compiled Starlark script. */

import type { Meta } from "../../message/mod.ts";
import type { Environment, Scope } from "../scope.ts";

/** Steps one run of a script may take. */
export const STARLARK_STEP_LIMIT = 100_000;

/** Why a script ended: it does not compile, it used up its steps, or it failed while it ran. */
export type ScriptFailureKind = "compile" | "steps" | "runtime";

/** Where a script failed; see the fields of {@linkcode ScriptError}. */
export type ScriptErrorPlace = Pick<ScriptError, "line" | "column" | "backtrace">;

/** A script that failed. Positions count lines and columns (code points) of the script's own text from 1. */
export class ScriptError extends Error {
  /** For logs and for telling it apart across isolates. */
  override readonly name = "ScriptError";
  /** Why the script ended. */
  readonly kind: ScriptFailureKind;
  /** Line of the innermost frame. */
  readonly line: number;
  /** Column of the innermost frame. */
  readonly column: number;
  /** One frame a line, outermost first, each ending in `script:LINE:COLUMN`. */
  readonly backtrace: string;
  /** Steps taken until then, at most those that the run was given. */
  readonly steps: number;

  /** Made by a run that fails; see the fields. */
  constructor(kind: ScriptFailureKind, message: string, place: ScriptErrorPlace, steps: number) {
    super(message);
    this.kind = kind;
    this.line = place.line;
    this.column = place.column;
    this.backtrace = place.backtrace;
    this.steps = steps;
  }
}

/** What one run left behind. Unchanged parts are the very objects that went in. */
export interface ScriptResult {
  /** The payload after the run: plain data, integers beyond 2^53 as bigint. */
  readonly payload: unknown;
  /** The metadata after the run when it changed. */
  readonly meta: Meta | undefined;
  /** Whether {@linkcode ScriptResult.payload} is a new value. */
  readonly payloadChanged: boolean;
  /** Whether {@linkcode ScriptResult.meta} is a new object; when false, `meta` is undefined. */
  readonly metaChanged: boolean;
  /** The script set `payload = None`. */
  readonly filtered: boolean;
  /** Steps the run took. */
  readonly steps: number;
}

/** A compiled script, bound to nothing yet. Immutable and shared. */
export interface ScriptProgram {
  /** The script's text. */
  readonly source: string;
  /** Whether some statement assigns `meta.route` (or `meta["route"]`, or a computed meta key, or meta as a whole). */
  readonly assignsRoute: boolean;
  /** Names read from `constants`: for finding unused ones. A computed key counts as all, given as `*`. */
  readonly constantsRead: readonly string[];
  /** Those of them that `get` does not read: without one of these the script fails. `*` as above. */
  readonly constantsRequired: readonly string[];
  /** Names that the script itself binds at its top. */
  readonly globals: readonly string[];
  /** Names read from `parameters`, in the same way: for finding undeclared ones. */
  readonly parametersRead: readonly string[];
  /** Binds constants and parameters and gives the function to call per message. */
  bind(environment: Environment, options?: ScriptOptions): ScriptFunction;
}

/** How a bound script runs. */
export interface ScriptOptions {
  /** Steps a run may take. Default {@linkcode STARLARK_STEP_LIMIT}. */
  readonly stepsMax?: number;
  /** Takes what `print` prints. Default: nothing is kept. */
  readonly print?: (text: string) => void;
  /** Takes the text of what {@linkcode CompileStarlarkOptions.shownFrom} asks for. Default: nothing is kept. */
  readonly show?: (text: string) => void;
}

/** How a script is compiled. */
export interface CompileStarlarkOptions {
  /**
   * Statements at the script's top that are an expression alone and begin at this offset or behind it show their value,
   * other than None, as `repr` writes it. For consoles; by default nothing is shown.
   */
  readonly shownFrom?: number;
}

/**
 * Runs the script on one message, leaving the scope as it was.
 * @throws {ScriptError} of kind `steps` or `runtime`.
 */
export type ScriptFunction = (scope: Scope) => ScriptResult;
