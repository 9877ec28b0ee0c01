/** Owns what can be called: functions of scripts, of the library, and methods bound to a value. */

import { callFault, missingFault, type Signature, type SignatureParameter, tooMany } from "../resolve/signature.ts";
import { Fault, type FaultFrame, SITE_UNKNOWN } from "./fault.ts";
import { IdentityObject } from "./hash.ts";
import type { Thread } from "./thread.ts";
import type { Value } from "./value.ts";

/** Named arguments in the order given; null for none. */
export type NamedArguments = readonly (readonly [name: string, value: Value])[] | null;

/** Arguments put in the order of a signature: positional, keyword-only, then the rest by position and by name. */
export type BoundArguments = (Value | undefined)[];

/** Anything that can be called. Its fields are made by the classes below it, as those of mutable objects are. */
export abstract class Callable extends IdentityObject {
  abstract readonly name: string;

  /** Calls it. @throws {Fault} when the arguments do not fit, or as the function fails. */
  abstract call(thread: Thread, args: readonly Value[], named: NamedArguments): Value;
}

/** Parameters and arguments that one step pays for. */
const STEP_BOUND = 8;

/** Puts arguments into the order of the signature; what was not given is undefined. */
export function bindArguments(
  signature: Signature,
  args: readonly Value[],
  named: NamedArguments,
  thread: Thread,
): { readonly bound: BoundArguments; readonly rest: Value[]; readonly extra: [string, Value][] } {
  const { positional, keywordOnly } = signature;
  thread.charge(Math.floor((positional.length + keywordOnly.length + args.length) / STEP_BOUND));
  const bound: BoundArguments = new Array(positional.length + keywordOnly.length).fill(undefined);
  const count = Math.min(args.length, positional.length);
  for (let index = 0; index < count; index++) bound[index] = args[index];
  if (args.length > positional.length && !signature.takesSequence) throw new Fault(tooMany(signature, args.length));
  const extra: [string, Value][] = [];
  if (named !== null) {
    thread.charge(named.length);
    bindNamed(signature, named, bound, extra);
  }
  requireAll(signature, bound);
  return { bound, rest: args.slice(positional.length), extra };
}

function bindNamed(
  signature: Signature,
  named: NonNullable<NamedArguments>,
  bound: BoundArguments,
  extra: [string, Value][],
) {
  const indexOf = named.length > WALKED_MAX ? tableOf(signature) : (name: string) => walkTo(signature, name);
  const seen = named.length > 1 && signature.takesMapping ? new Set<string>() : null;
  for (const [name, value] of named) {
    const index = indexOf(name);
    if ((index !== -1 && bound[index] !== undefined) || (index === -1 && seen?.has(name))) {
      throw new Fault(`function ${signature.name} got multiple values for parameter ${JSON.stringify(name)}`);
    }
    if (index !== -1) bound[index] = value;
    else if (signature.takesMapping) {
      seen?.add(name);
      extra.push([name, value]);
    } else {
      const message = callFault(signature, { positionalCount: 0, names: [name], isOpen: true });
      throw new Fault(message ?? `function ${signature.name} got an unexpected keyword argument`);
    }
  }
}

/** Named arguments up to which a walk over the parameters for each is quicker than a table of them. */
const WALKED_MAX = 4;

function parameterAt({ positional, keywordOnly }: Signature, index: number): SignatureParameter | undefined {
  return positional[index] ?? keywordOnly[index - positional.length];
}

function walkTo(signature: Signature, name: string): number {
  for (let index = 0;; index++) {
    const parameter = parameterAt(signature, index);
    if (parameter === undefined) return -1;
    if (parameter.isNameable && parameter.name === name) return index;
  }
}

function tableOf({ positional, keywordOnly }: Signature): (name: string) => number {
  const indexes = new Map<string, number>();
  const all = [...positional, ...keywordOnly];
  for (const [index, { name, isNameable }] of all.entries()) if (isNameable) indexes.set(name, index);
  return (name) => indexes.get(name) ?? -1;
}

function requireAll(signature: Signature, bound: BoundArguments): void {
  const { name, positional, keywordOnly } = signature;
  const isMissing = (parameter: SignatureParameter | undefined, index: number) => {
    return parameter?.isRequired === true && bound[index] === undefined;
  };
  for (let index = 0; index < bound.length; index++) {
    if (!isMissing(parameterAt(signature, index), index)) continue;
    const missing = [...positional, ...keywordOnly].filter(isMissing);
    throw new Fault(missingFault(name, missing.map((parameter) => parameter.name)));
  }
}

/** Body of a library function: arguments in the order of its signature, then the list of further ones if it takes any. */
export type NativeBody = (thread: Thread, args: BoundArguments, rest: Value[], extra: [string, Value][]) => Value;

/** A function of the library. */
export class NativeFunction extends Callable {
  override readonly name: string;
  readonly signature: Signature;
  readonly #body: NativeBody;

  constructor(signature: Signature, body: NativeBody) {
    super();
    this.name = signature.name;
    this.signature = signature;
    this.#body = body;
  }

  override get type(): string {
    return "builtin_function_or_method";
  }

  override get identity(): string {
    return `native ${this.name}`;
  }

  override call(thread: Thread, args: readonly Value[], named: NamedArguments): Value {
    const { bound, rest, extra } = bindArguments(this.signature, args, named, thread);
    return this.#body(thread, bound, rest, extra);
  }
}

/** Body of a method; `T` is the type of the value it belongs to. */
export type MethodBody<T extends Value> = (
  thread: Thread,
  receiver: T,
  args: BoundArguments,
  rest: Value[],
  extra: [string, Value][],
) => Value;

/** A method of a type. */
export interface Method {
  readonly signature: Signature;
  call(thread: Thread, receiver: Value, args: readonly Value[], named: NamedArguments): Value;
}

/** A method read from a value and not called yet. */
export class BoundMethod extends Callable {
  override readonly name: string;
  readonly receiver: Value;
  readonly #method: Method;
  #serial = 0;

  constructor(receiver: Value, method: Method) {
    super();
    this.name = method.signature.name;
    this.receiver = receiver;
    this.#method = method;
  }

  override get type(): string {
    return "builtin_function_or_method";
  }

  override get identity(): string {
    return `method ${this.#serial}`;
  }

  /** Gives it the number by which it differs from all others of the run, before it becomes part of a key. */
  number(thread: Thread): void {
    this.#serial ||= ++thread.functions;
  }

  override call(thread: Thread, args: readonly Value[], named: NamedArguments): Value {
    return this.#method.call(thread, this.receiver, args, named);
  }
}

/** What all functions made by one `def` or `lambda` share. */
export interface FunctionTemplate {
  readonly signature: Signature;
  /** Number of arguments when all parameters are plain; -1 when some are not. */
  readonly plainCount: number;
  /** Number of the run in which a function of this template is running now; 0 for none. */
  activeRun: number;
}

/** The template of functions with this signature. */
export function functionTemplate(signature: Signature): FunctionTemplate {
  const { positional, keywordOnly, takesSequence, takesMapping } = signature;
  const isPlain = keywordOnly.length === 0 && !takesSequence && !takesMapping;
  return { signature, plainCount: isPlain ? positional.length : -1, activeRun: 0 };
}

/** A function of a script. */
export class StarlarkFunction extends Callable {
  override readonly name: string;
  readonly #template: FunctionTemplate;
  readonly #code: (...args: unknown[]) => Value;
  readonly #defaults: BoundArguments;
  readonly #serial: number;

  /**
   * `code` takes the arguments in the order of the signature, then the tuple of further ones and the dict of further
   * named ones where the signature takes such; `defaults` are in the signature's order, undefined where there is none.
   */
  constructor(
    thread: Thread,
    template: FunctionTemplate,
    code: (...args: unknown[]) => Value,
    defaults: BoundArguments,
  ) {
    super();
    this.name = template.signature.name;
    this.#template = template;
    this.#code = code;
    this.#defaults = defaults;
    this.#serial = ++thread.functions;
  }

  override get type(): string {
    return "function";
  }

  override get identity(): string {
    return `function ${this.#serial}`;
  }

  /** What it may be called with. */
  get signature(): Signature {
    return this.#template.signature;
  }

  override call(thread: Thread, args: readonly Value[], named: NamedArguments): Value {
    const isPlain = named === null && args.length === this.#template.plainCount;
    return this.#run(thread, isPlain ? args : this.#bind(args, named, thread));
  }

  #bind(args: readonly Value[], named: NamedArguments, thread: Thread): unknown[] {
    const { signature } = this.#template;
    const { bound, rest, extra } = bindArguments(signature, args, named, thread);
    const all: unknown[] = bound;
    for (const [index, fallback] of this.#defaults.entries()) {
      // None is a value like any other: only what was not given is filled in.
      if (all[index] === undefined) all[index] = fallback;
    }
    if (signature.takesSequence) all.push(rest);
    if (signature.takesMapping) all.push(extra);
    return all;
  }

  #run(thread: Thread, args: readonly unknown[]): Value {
    const template = this.#template;
    if (template.activeRun === thread.run) throw new Fault(`function ${this.name} called recursively`);
    template.activeRun = thread.run;
    try {
      const value = apply(this.#code, args);
      template.activeRun = 0;
      return value;
    } catch (error) {
      template.activeRun = 0;
      throw leaving(error, this.name);
    }
  }
}

/** Calls with the arguments of an array; spreading short ones would cost more than the call. */
function apply(code: (...args: unknown[]) => Value, args: readonly unknown[]): Value {
  switch (args.length) {
    case 0:
      return code();
    case 1:
      return code(args[0]);
    case 2:
      return code(args[0], args[1]);
    case 3:
      return code(args[0], args[1], args[2]);
    default:
      return code(...args);
  }
}

/** Notes on a fault that it leaves a function, so that the caller's place can be added next. */
function leaving(error: unknown, name: string): unknown {
  if (!(error instanceof Fault)) return error;
  const frame: FaultFrame = { name, site: error.site };
  error.frames.push(frame);
  error.site = SITE_UNKNOWN;
  return error;
}
