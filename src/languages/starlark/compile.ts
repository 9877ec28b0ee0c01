/** Owns the way from a script's text to a program. */

import type { Compiled, Environment, Scope } from "../scope.ts";
import type { GeneratedCode } from "./generate/emitter.ts";
import { generate } from "./generate/statements.ts";
import { MODULES, PREDECLARED, UNIVERSAL } from "./library/universe.ts";
import {
  type CompileStarlarkOptions,
  ScriptError,
  type ScriptFunction,
  type ScriptOptions,
  type ScriptProgram,
  type ScriptResult,
  STARLARK_STEP_LIMIT,
} from "./program.ts";
import { resolve, type ResolvedScript, type Surroundings } from "./resolve/resolver.ts";
import type { Signature } from "./resolve/signature.ts";
import { type Usage, usageOf } from "./resolve/usage.ts";
import { RUNTIME } from "./run/runtime.ts";
import { Issues } from "./syntax/issues.ts";
import { parse } from "./syntax/parser.ts";
import { Positions } from "./syntax/positions.ts";
import { shortText } from "./syntax/short_text.ts";
import { NativeFunction } from "./values/callable.ts";
import { type DictRecord, StarlarkDict } from "./values/dict.ts";
import { type Fault, faultAt, type FaultFrame } from "./values/fault.ts";
import { Thread } from "./values/thread.ts";
import type { Value } from "./values/value.ts";

/** Longest script, in UTF-16 units: compiling takes time that no step budget counts. */
const SOURCE_LENGTH_MAX = 1 << 18;
/** Most frames of a backtrace, and longest name in it: thousands of functions may call each other. */
const FRAMES_MAX = 40;
const NAME_CHARACTERS_MAX = 100;
/** Names whose values a pipeline gives. */
const ENVIRONMENT_NAMES = ["constants", "parameters"] as const;

/** Compiles a script, or says everything that is wrong with it. */
export function compileStarlark(source: string, options: CompileStarlarkOptions = {}): Compiled<ScriptProgram> {
  return compileAgainst(source, options, { outside: OUTSIDE, surroundings: SURROUNDINGS });
}

/** Compiles a script that finds `extra` names too. For the room's own tests: no pipeline's script comes this way. */
export function compileStarlarkWith(source: string, extra: ReadonlyMap<string, Value>): Compiled<ScriptProgram> {
  const names = new Map([...SURROUNDINGS.names, ...[...extra.keys()].map((name) => [name, EXTRA_NAME] as const)]);
  const outside = new Map([...OUTSIDE, ...extra]);
  return compileAgainst(source, {}, { outside, surroundings: { ...SURROUNDINGS, names } });
}

/** What a script finds outside itself. */
interface World {
  readonly outside: ReadonlyMap<string, Value>;
  readonly surroundings: Surroundings;
}

function compileAgainst(source: string, options: CompileStarlarkOptions, world: World): Compiled<ScriptProgram> {
  const issues = new Issues();
  if (source.length > SOURCE_LENGTH_MAX) {
    issues.report(`script has ${source.length} characters, more than ${SOURCE_LENGTH_MAX}`, 0, 1);
    return { ok: false, issues: issues.list() };
  }
  try {
    return compileText(source, options, world, issues);
  } catch (error) {
    // The engine's own limits, such as that of its parser's stack, are no fault of ours.
    if (!(error instanceof RangeError) && !(error instanceof SyntaxError)) throw error;
    issues.report("script is too large to compile, or nests too deeply", 0, 1);
    return { ok: false, issues: issues.list() };
  }
}

function compileText(
  source: string,
  options: CompileStarlarkOptions,
  world: World,
  issues: Issues,
): Compiled<ScriptProgram> {
  const positions = new Positions(source);
  const script = resolve(parse(source, issues), world.surroundings, { issues, positions });
  if (issues.count > 0) return { ok: false, issues: issues.list() };
  const code = generate(script, {
    outside: world.outside,
    loaded: (module, name) => MODULES.get(module)?.members.get(name) ?? MODULES.get(module) ?? null,
    runtimeNames: Object.keys(RUNTIME),
    shownFrom: options.shownFrom ?? Infinity,
  });
  return { ok: true, program: new CompiledScript(source, script, code, positions) };
}

/** Names that every script finds: those of the language, and those of a message and its pipeline. */
export function starlarkNames(): readonly string[] {
  return ["payload", "meta", ...SURROUNDINGS.names.keys()];
}

const OUTSIDE: ReadonlyMap<string, Value> = new Map([...PREDECLARED, ...UNIVERSAL]);

const SURROUNDINGS: Surroundings = {
  names: new Map<string, Described>([
    ...ENVIRONMENT_NAMES.map((name) => [name, { place: "predeclared" }] as const),
    ...[...PREDECLARED].map(([name, value]) => [name, described("predeclared", value)] as const),
    ...[...UNIVERSAL].map(([name, value]) => [name, described("universal", value)] as const),
  ]),
  modules: new Map([...MODULES].map(([name, { members }]) => [name, signaturesOf(members)])),
};

/** Where a name lives and, for a function, how it may be called. */
type Described = { readonly place: "predeclared" | "universal"; readonly signature?: Signature };

const EXTRA_NAME: Described = { place: "predeclared" };

function described(place: Described["place"], value: Value): Described {
  return value instanceof NativeFunction ? { place, signature: value.signature } : { place };
}

function signaturesOf(members: ReadonlyMap<string, Value>): ReadonlyMap<string, Signature | undefined> {
  return new Map([...members].map(([name, value]) => [name, described("predeclared", value).signature]));
}

/** What the generated function of one program gives for one binding. */
type Factory = (
  runtime: typeof RUNTIME,
  constants: readonly unknown[],
  thread: Thread,
  environment: { readonly constants: StarlarkDict; readonly parameters: StarlarkDict },
) => (scope: Scope) => ScriptResult;

class CompiledScript implements ScriptProgram {
  readonly source: string;
  readonly assignsRoute: boolean;
  readonly constantsRead: readonly string[];
  readonly constantsRequired: readonly string[];
  readonly parametersRead: readonly string[];
  readonly globals: readonly string[];
  readonly #factory: Factory;
  readonly #constants: readonly unknown[];
  readonly #sites: readonly number[];
  readonly #positions: Positions;

  constructor(source: string, script: ResolvedScript, code: GeneratedCode, positions: Positions) {
    const usage: Usage = usageOf(script.statements);
    this.source = source;
    this.assignsRoute = usage.assignsRoute;
    this.constantsRead = usage.constantsRead;
    this.constantsRequired = usage.constantsRequired;
    this.parametersRead = usage.parametersRead;
    this.globals = script.globals.locals.map(({ name }) => name);
    this.#constants = code.constants;
    this.#sites = code.sites;
    this.#positions = positions;
    // The generated text holds numbered names, and numbers as the engine writes them; all else that the script wrote is
    // in the table of constants.
    this.#factory = new Function("R", "K", "T", "E", code.body) as Factory;
  }

  bind(environment: Environment, options: ScriptOptions = {}): ScriptFunction {
    const { stepsMax = STARLARK_STEP_LIMIT, print = () => {}, show = () => {} } = options;
    const thread = new Thread(stepsMax, print, show);
    const run = this.#factory(RUNTIME, this.#constants, thread, {
      constants: frozen(environment.constants),
      parameters: frozen(environment.parameters),
    });
    return (scope) => {
      try {
        return run(scope);
      } catch (error) {
        throw this.#scriptError(error, Math.min(thread.steps, stepsMax));
      }
    };
  }

  #scriptError(error: unknown, steps: number): ScriptError {
    const fault: Fault = faultAt(error, 0);
    const frames = shownFrames([...fault.frames, { name: "<toplevel>", site: fault.site }]);
    const places = frames.map((frame) => ({ ...frame, ...this.#positions.at(this.#sites[frame.site] ?? 0) }));
    const lines = places.map(({ name, line, column }) => {
      return `${shortText(name, NAME_CHARACTERS_MAX)} script:${line}:${column}`;
    });
    const { line, column } = places[0] ?? { line: 1, column: 1 };
    return new ScriptError(
      fault.kind,
      fault.message,
      { line, column, backtrace: lines.toReversed().join("\n") },
      steps,
    );
  }
}

function frozen(record: Environment["constants"]): StarlarkDict {
  return StarlarkDict.over(record as DictRecord, null, "").freeze();
}

/** The innermost and the outermost frames, where there are too many to show all. */
function shownFrames(frames: readonly FaultFrame[]): readonly FaultFrame[] {
  if (frames.length <= FRAMES_MAX) return frames;
  return [...frames.slice(0, FRAMES_MAX / 2), ...frames.slice(-FRAMES_MAX / 2)];
}
