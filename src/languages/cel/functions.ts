/** Owns which functions and methods exist, and what each does. */

import { nearestName } from "../../base/mod.ts";
import { CEL_CONVERSIONS } from "./conversion.ts";
import type { CelMeter } from "./meter.ts";
import type { CelPatterns } from "./pattern.ts";
import { mapSize } from "./relation.ts";
import { type CelZones, DURATION_FIELDS, TIMESTAMP_FIELDS } from "./time.ts";
import { CelDuration, CelFailure, CelTimestamp, noOverload } from "./value.ts";

/** Cost of a look into the data of time zones, which takes that much longer than other operations. */
const ZONE_UNITS = 25;
/** Cost of the first look at a time zone, which has to be read in. */
const NEW_ZONE_UNITS = 500;

/** Characters compared at worst, in a search, that one unit pays for. */
const SEARCHED_PER_UNIT = 1_000;

/** What functions share within one bound expression. */
export interface CelTools {
  readonly meter: CelMeter;
  readonly zones: CelZones;
  readonly patterns: CelPatterns;
}

/** A function of values, the receiver of a method first. None of them is a failure. */
export type CelCallee = (operands: readonly unknown[], at: number, tools: CelTools) => unknown;

/** The macros, which are no functions: a call that reaches here has the wrong arguments. */
const MACROS: { readonly [name: string]: string } = {
  has: "has() takes a field selection, such as has(payload.region)",
  all: "all() takes a variable and a condition, such as payload.items.all(item, item.count > 0)",
  exists: "exists() takes a variable and a condition, such as payload.items.exists(item, item.count > 0)",
  exists_one: "exists_one() takes a variable and a condition, such as payload.items.exists_one(item, item.main)",
  existsOne: "existsOne() takes a variable and a condition, such as payload.items.existsOne(item, item.main)",
  filter: "filter() takes a variable and a condition, such as payload.items.filter(item, item.count > 0)",
  map: "map() takes a variable, perhaps a condition, and a value, such as payload.items.map(item, item.id)",
};

/** What a function takes: how many arguments as `f(x)` and how many as `x.f()`, the receiver not counted. */
interface Signature {
  readonly functionArguments: readonly number[];
  readonly methodArguments: readonly number[];
  readonly call: CelCallee;
}

/** Why there is no such function. */
export interface CelNoFunction {
  readonly reason: string;
  readonly hint?: string;
}

/** The function of that name taking that many arguments, or why there is none. */
export function findCelFunction(
  name: string,
  isMethod: boolean,
  argumentCount: number,
): { readonly call: CelCallee } | CelNoFunction {
  const signature = Object.hasOwn(SIGNATURES, name) ? SIGNATURES[name] : undefined;
  if (signature === undefined) {
    if (Object.hasOwn(MACROS, name)) return { reason: MACROS[name] ?? name };
    const nearest = nearestName(name, [...Object.keys(SIGNATURES), ...Object.keys(MACROS)]);
    const reason = `there is no ${isMethod ? "method" : "function"} "${name}()"`;
    return nearest === undefined ? { reason } : { reason, hint: `did you mean "${nearest}()"?` };
  }
  const allowed = isMethod ? signature.methodArguments : signature.functionArguments;
  if (allowed.includes(argumentCount)) return { call: signature.call };
  if (allowed.length === 0) {
    const right = isMethod ? `${name}(value)` : `value.${name}()`;
    return { reason: `${name}() is ${isMethod ? "no method" : "a method"}`, hint: `write ${right}` };
  }
  const wanted = allowed.join(" or ");
  return { reason: `${name}() takes ${wanted} argument${wanted === "1" ? "" : "s"}, found ${argumentCount}` };
}

const SIGNATURES: { readonly [name: string]: Signature } = {
  ...conversions(),
  ...timeFields(),
  size: { functionArguments: [1], methodArguments: [0], call: size },
  contains: textMethod("contains", (text, part, meter) => {
    // At worst the search compares the part again at every place of the text.
    meter.spendLength(text.length + part.length);
    meter.spend(text.length * part.length / SEARCHED_PER_UNIT);
    return text.includes(part);
  }),
  startsWith: textMethod("startsWith", (text, part, meter) => {
    meter.spendLength(part.length);
    return text.startsWith(part);
  }),
  endsWith: textMethod("endsWith", (text, part, meter) => {
    meter.spendLength(part.length);
    return text.endsWith(part);
  }),
  matches: { functionArguments: [2], methodArguments: [1], call: matches },
};

function conversions(): { [name: string]: Signature } {
  const signatures: { [name: string]: Signature } = {};
  for (const [name, convert] of Object.entries(CEL_CONVERSIONS)) {
    const call: CelCallee = (operands, at, { meter }) => convert(operands[0], at, meter);
    signatures[name] = { functionArguments: [1], methodArguments: [], call };
  }
  return signatures;
}

function timeFields(): { [name: string]: Signature } {
  const signatures: { [name: string]: Signature } = {};
  for (const name of Object.keys(TIMESTAMP_FIELDS)) {
    signatures[name] = { functionArguments: [], methodArguments: [0, 1], call: timeField(name) };
  }
  return signatures;
}

function timeField(name: string): CelCallee {
  return (operands, at, { zones, meter }) => {
    const [value, zone] = operands;
    if (value instanceof CelTimestamp && operands.length === 1) return zones.read(value, name, "UTC", at);
    if (value instanceof CelTimestamp && typeof zone === "string") {
      meter.spend(zones.isAtHand(zone) ? ZONE_UNITS : NEW_ZONE_UNITS);
      return zones.read(value, name, zone, at);
    }
    const field = DURATION_FIELDS[name];
    if (value instanceof CelDuration && operands.length === 1 && field !== undefined) return field(value);
    return noOverload(`${name}()`, operands, at);
  };
}

function size(operands: readonly unknown[], at: number, { meter }: CelTools): unknown {
  const value = operands[0];
  if (typeof value === "string") {
    meter.spendLength(value.length);
    return BigInt(codePointCount(value));
  }
  if (Array.isArray(value) || value instanceof Uint8Array) return BigInt(value.length);
  const entries = mapSize(value);
  meter.spendEntries(entries ?? 0);
  return entries === undefined ? noOverload("size()", [value], at) : BigInt(entries);
}

function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function textMethod(name: string, test: (text: string, part: string, meter: CelMeter) => boolean): Signature {
  const call: CelCallee = (operands, at, { meter }) => {
    const [text, part] = operands;
    if (typeof text !== "string" || typeof part !== "string") return noOverload(`${name}()`, operands, at);
    return test(text, part, meter);
  };
  return { functionArguments: [], methodArguments: [1], call };
}

function matches(operands: readonly unknown[], at: number, { patterns }: CelTools): unknown {
  const [text, pattern] = operands;
  if (typeof text !== "string" || typeof pattern !== "string") return noOverload("matches()", operands, at);
  const reason = patterns.test(pattern, text);
  return typeof reason === "string" ? new CelFailure(reason, at) : reason;
}
