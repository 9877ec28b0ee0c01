/** Owns values written with their types, for those who must see what plain data does not show: int or double, uint or int. */

import type { LanguageIssue } from "../scope.ts";
import { compileCelTree } from "./compile.ts";
import { type CelVariables, emitCel } from "./emit.ts";
import { formatDuration, formatTimestamp } from "./time.ts";
import {
  asMapKey,
  asUint,
  CelDuration,
  CelFailure,
  type CelKind,
  CelMap,
  type CelMapKey,
  CelTimestamp,
  CelType,
  CelUint,
  type DataMap,
  kindOf,
} from "./value.ts";

/** A value and its type. */
export interface CelTagged {
  /** The type as `type()` names it. */
  readonly type: CelKind;
  /**
   * A bool, string, number (double), bigint (int, uint), null or `Uint8Array` as such, a list of tagged values, a list
   * of pairs of them for a map, the name of a type, or the text of a timestamp or duration.
   */
  readonly value: unknown;
}

/** What an evaluation gave: a value, why there is none, or what is wrong with the text. */
export type CelTaggedResult =
  | { readonly value: CelTagged }
  | { readonly failure: string }
  | { readonly issues: readonly LanguageIssue[] };

/** What an expression evaluated alone may see. */
export interface CelTaggedInput {
  /** Variables by name, which may be qualified (`a.b`). None by default. */
  readonly variables?: { readonly [name: string]: CelTagged };
  /** Where names are looked up first. None by default. */
  readonly container?: string;
}

/**
 * Evaluates an expression once, by the way that pipelines use, over variables of any name. Names and functions that do
 * not exist are failures where they are evaluated, not issues: the public test suites ask for that.
 * @throws {EventboatError} `budget`.
 */
export function evaluateCelTagged(source: string, input: CelTaggedInput = {}): CelTaggedResult {
  const given = Object.entries(input.variables ?? {});
  const variables: CelVariables = new Map(given.map(([name]) => [name, { kind: "entry", name }]));
  const naming = { variables: new Set(variables.keys()), container: input.container ?? "", isLate: true };
  const compiled = compileCelTree(source, naming);
  if ("issues" in compiled) return compiled;
  const payload = Object.fromEntries(given.map(([name, value]) => [name, untag(value)]));
  const value = emitCel(compiled.root, variables)({ payload, meta: {} });
  return value instanceof CelFailure ? { failure: value.explanation } : { value: tagCel(value) };
}

/** A value of an evaluation with its type. */
export function tagCel(value: unknown): CelTagged {
  return { type: kindOf(value), value: tagContents(value) };
}

function tagContents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tagCel);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelType) return value.typeName;
  const uint = asUint(value);
  if (uint !== undefined) return uint;
  if (kindOf(value) !== "map") return value;
  const entries = value instanceof CelMap ? value.entries() : Object.entries(value as DataMap);
  return entries.map(([key, entry]) => [tagCel(key), tagCel(entry)]);
}

function untag({ type, value }: CelTagged): unknown {
  if (type === "uint") return new CelUint(value as bigint);
  if (type === "list") return (value as readonly CelTagged[]).map(untag);
  if (type !== "map") return value;
  const values = new Map<CelMapKey, unknown>();
  const uints = new Set<bigint>();
  for (const [key, entry] of value as readonly (readonly [CelTagged, CelTagged])[]) {
    const mapKey = asMapKey(untag(key));
    if (mapKey === undefined) continue;
    values.set(mapKey, untag(entry));
    if (key.type === "uint") uints.add(key.value as bigint);
  }
  return new CelMap(values, uints);
}
