/**
 * Owns the library's own evaluator of CEL as a judge of ours: its values as text, and its known faults put right.
 *
 * Where the library differs from the language's definition the definition holds. What can be put right here is: as a
 * function of ours in place of the library's, or on its maps and lists for as long as a judge is in use. Every fault
 * is listed in `cel_library_faults.ts` with an expression that shows it.
 */

import {
  celEnv,
  type CelInput,
  celList,
  celListConcat,
  celMap,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  parse,
  plan,
} from "@bufbuild/cel";
import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { toJson } from "@bufbuild/protobuf";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { CelTagged } from "../../src/languages/mod.ts";
import { CEL_CORRECTIONS } from "./cel_library_faults.ts";

/** What stands for every failure: which one it is, each evaluator says in words of its own. */
export const CEL_FAILURE = "failure";

/** A tagged value as text that two equal values of the same type share: the entries of maps have no order. */
export function shownCel({ type, value }: CelTagged): string {
  if (type === "list") return `[${(value as readonly CelTagged[]).map(shownCel).join()}]`;
  if (type === "string") return JSON.stringify(value);
  if (type === "map") return shownEntries((value as readonly CelTagged[][]).map((entry) => entry.map(shownCel)));
  return shownScalar(type, value);
}

function shownEntries(entries: readonly (readonly string[])[]): string {
  return `{${entries.map((entry) => entry.join(": ")).sort().join()}}`;
}

function shownScalar(type: string, value: unknown): string {
  // The text of a negative zero does not show its sign.
  const text = Object.is(value, -0) ? "-0" : value instanceof Uint8Array ? value.join() : String(value);
  return `${type} ${text}`;
}

/** A planned expression: gives the text of its value, or {@linkcode CEL_FAILURE}. */
export type CelVerdict = (variables: Readonly<Record<string, CelInput>>) => string;

/** Plans an expression as the library has it, faults and all. */
export function plainVerdict(expr: Expr | undefined, namespace = ""): CelVerdict {
  return verdictOf(celEnv({ namespace }), expr);
}

/** Parses text with the library's parser. @throws where it is no CEL. */
export function parseByLibrary(source: string): Expr | undefined {
  return parse(`${source}\n`).expr;
}

/** The library with its faults put right. Only one may be in use at a time. */
export class CelJudge {
  readonly #environments = new Map<string, ReturnType<typeof celEnv>>();
  readonly #undo: (() => void)[] = [];

  constructor() {
    const map = Object.getPrototypeOf(celMap(new Map()));
    this.#replace(map, "has", function (this: { get(key: unknown): unknown }, key: unknown) {
      return this.get(key) !== undefined;
    });
    for (const list of [celList([]), celListConcat(celList([]))]) {
      const prototype = Object.getPrototypeOf(list);
      const { get } = prototype;
      this.#replace(prototype, "get", function (this: unknown, index: number) {
        return Number.isInteger(index) ? get.call(this, index) : undefined;
      });
    }
  }

  /** Plans an expression. */
  plan(expr: Expr | undefined, namespace = ""): CelVerdict {
    let environment = this.#environments.get(namespace);
    if (environment === undefined) {
      environment = celEnv({ namespace, funcs: [...CEL_CORRECTIONS] });
      this.#environments.set(namespace, environment);
    }
    return verdictOf(environment, expr);
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo) undo();
  }

  // deno-lint-ignore ban-types -- the prototypes of the library's classes have no type that could be named.
  #replace(prototype: object, name: string, method: Function): void {
    const before = Reflect.get(prototype, name);
    Reflect.set(prototype, name, method);
    this.#undo.push(() => Reflect.set(prototype, name, before));
  }
}

function verdictOf(environment: ReturnType<typeof celEnv>, expr: Expr | undefined): CelVerdict {
  let run: ReturnType<typeof plan>;
  try {
    run = plan(environment, expr as Expr);
  } catch {
    // It throws for what it elsewhere gives as an error.
    return () => CEL_FAILURE;
  }
  return (variables) => {
    try {
      return shownByLibrary(run(variables));
    } catch {
      // The same.
      return CEL_FAILURE;
    }
  };
}

function shownByLibrary(value: unknown): string {
  if (isCelError(value)) return CEL_FAILURE;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return shownScalar("bool", value);
  if (typeof value === "bigint") return shownScalar("int", value);
  if (typeof value === "number") return shownScalar("double", value);
  if (value === null) return shownScalar("null_type", value);
  if (value instanceof Uint8Array) return shownScalar("bytes", value);
  if (isCelList(value)) return `[${[...value].map(shownByLibrary).join()}]`;
  if (isCelMap(value)) return shownEntries([...value.entries()].map((entry) => entry.map(shownByLibrary)));
  if (isCelUint(value)) return shownScalar("uint", value.value);
  if (isCelType(value)) return shownScalar("type", value.name);
  const { desc, message } = value as TimeMessage;
  const text = desc.typeName === DurationSchema.typeName
    ? toJson(DurationSchema, message as Duration)
    : toJson(TimestampSchema, message as Timestamp);
  return shownScalar(desc.typeName, text);
}

/** The reflected message, which has no exported type of its own. */
interface TimeMessage {
  readonly desc: { readonly typeName: string };
  readonly message: Timestamp | Duration;
}

/** Plain data as the library takes it: its integers beyond an int are uints, its objects are maps. */
export function libraryInput(value: unknown): CelInput {
  if (Array.isArray(value)) return value.map(libraryInput);
  if (typeof value === "bigint" && value > INT_MAX) return celUint(value);
  const isObject = typeof value === "object" && value !== null && !(value instanceof Uint8Array);
  if (!isObject) return value as CelInput;
  // It refuses an object with a member named `constructor`, so objects come to it as maps.
  return new Map(Object.entries(value).map(([key, member]) => [key, libraryInput(member)]));
}

/** A tagged value as the library takes it. */
export function libraryValue({ type, value }: CelTagged): CelInput {
  if (type === "uint") return celUint(value as bigint);
  if (type === "list") return (value as readonly CelTagged[]).map(libraryValue);
  if (type === "map") {
    const entries = (value as readonly (readonly [CelTagged, CelTagged])[])
      .map(([key, member]) => [libraryValue(key), libraryValue(member)] as const);
    return new Map(entries) as CelInput;
  }
  return value as CelInput;
}

const INT_MAX = 9_223_372_036_854_775_807n;
