/** Owns the typed reading of single values, with a finding for each that is not what it must be. */

import { didYouMean, formatDuration, foundText, parseDuration, quotedText } from "../base/mod.ts";
import type { DiagnosticBag, DiagnosticCode, FindingOptions, Span } from "../diagnostics/mod.ts";
import { type KeyInfo, type NumberRange, typedText } from "../schema/mod.ts";
import { type Entry, foundTree, type MappingTree, type ScalarTree, type Tree } from "./tree.ts";

/** The codes of a value that has a type and a range; where one code stands for both, it is given twice. */
export interface ValueCodes {
  readonly type: DiagnosticCode;
  readonly range: DiagnosticCode;
}

/** A range no value can leave. */
const UNBOUNDED: NumberRange = { min: -Infinity, max: Infinity };

/**
 * Reads values; each method gives undefined where it reported one. A value whose reference could not be resolved is
 * taken as wrong without another finding. `what` names the value in messages, as `run.mode`.
 */
export class ValueReader {
  readonly #bag: DiagnosticBag;
  readonly #node: string | undefined;

  /** `node`: the node that all findings are about. */
  constructor(bag: DiagnosticBag, node?: string) {
    this.#bag = bag;
    this.#node = node;
  }

  /** Reports a finding. */
  report(code: DiagnosticCode, span: Span, message: string, hint?: string): void {
    const options: FindingOptions = {
      ...(hint === undefined ? {} : { hint }),
      ...(this.#node === undefined ? {} : { node: this.#node }),
    };
    this.#bag.report(code, span, message, options);
  }

  /** Reports that a value must be something else. */
  wrong(code: DiagnosticCode, tree: Tree, what: string, required: string, hint?: string): undefined {
    if (!isUnresolved(tree)) {
      this.report(code, tree.span, `${what} must be ${required}, found ${foundTree(tree)}`, hint);
    }
    return undefined;
  }

  /** A mapping. */
  mapping(tree: Tree, code: DiagnosticCode, what: string): MappingTree | undefined {
    if (tree.kind === "mapping") return tree;
    // What a text says does not help to write a mapping, and it may be a secret.
    const found = tree.kind === "scalar" ? foundText(tree.value) : foundTree(tree);
    if (!isUnresolved(tree)) this.report(code, tree.span, `${what} must be a mapping, found ${found}`);
    return undefined;
  }

  /** A text that is not empty. */
  text(tree: Tree, code: DiagnosticCode, what: string): string | undefined {
    const value = plainText(tree);
    if (value !== undefined && value !== "") return isUnresolved(tree) ? undefined : value;
    const isPlain = tree.kind === "scalar" && tree.value !== null && typeof tree.value !== "string";
    return this.wrong(code, tree, what, "text", isPlain ? "put the value in quotes to make it text" : undefined);
  }

  /** `true` or `false`. */
  flag(tree: Tree, code: DiagnosticCode, what: string): boolean | undefined {
    const value = typedValue(tree, "boolean");
    return typeof value === "boolean" ? value : this.wrong(code, tree, what, "true or false");
  }

  /** A number in a range. */
  number(tree: Tree, codes: ValueCodes, what: string, range: NumberRange = UNBOUNDED): number | undefined {
    const value = typedValue(tree, "number");
    if (typeof value === "bigint" || (typeof value === "number" && !Number.isNaN(value))) {
      return this.#inRange(tree, value, codes, what, { range, kind: "a number" });
    }
    return this.wrong(codes.type, tree, what, `a number${rangeText(range)}`);
  }

  /** A whole number in a range. */
  integer(tree: Tree, codes: ValueCodes, what: string, range: NumberRange): number | undefined {
    const value = typedValue(tree, "number");
    if (typeof value === "bigint" || Number.isInteger(value)) {
      return this.#inRange(tree, value as number | bigint, codes, what, { range, kind: "a whole number" });
    }
    return this.wrong(codes.type, tree, what, `a whole number${rangeText(range)}`);
  }

  /** A duration's text in a range of milliseconds. */
  durationMs(tree: Tree, codes: ValueCodes, what: string, range: NumberRange): number | undefined {
    const text = plainText(tree);
    const value = text === undefined ? undefined : parseDuration(text);
    const example = "a duration such as 500ms, 10s, 1h30m or 90d";
    if (text === undefined || value === undefined) return this.wrong(codes.type, tree, what, example);
    if (value >= range.min && value <= range.max) return value;
    const limits = `from ${formatDuration(range.min)} to ${formatDuration(range.max)}`;
    this.report(codes.range, tree.span, `${what} must be a duration ${limits}, found ${quoted(tree, text)}`);
    return undefined;
  }

  /** One of a few words. */
  word<const Word extends string>(
    tree: Tree,
    words: readonly Word[],
    code: DiagnosticCode,
    what: string,
  ): Word | undefined {
    const text = plainText(tree);
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    const required = words.length === 1 ? `"${words[0]}"` : `one of ${words.join(", ")}`;
    if (text === undefined || text === "") return this.wrong(code, tree, what, required);
    if (isUnresolved(tree)) return undefined;
    this.report(code, tree.span, `${what} must be ${required}, found ${quoted(tree, text)}`, didYouMean(text, words));
    return undefined;
  }

  /** A mapping of names to texts. */
  texts(tree: Tree, code: DiagnosticCode, what: string): { readonly [name: string]: string } | undefined {
    const mapping = this.mapping(tree, code, what);
    if (mapping === undefined) return undefined;
    const texts: [string, string][] = [];
    for (const [name, { value }] of mapping.entries) {
      const text = value.kind === "scalar" && value.value === "" ? "" : this.text(value, code, `${what}.${name}`);
      if (text !== undefined) texts.push([name, text]);
    }
    return Object.fromEntries(texts);
  }

  /** Reports every key that is not known. */
  unknownKeys(
    mapping: MappingTree,
    known: { readonly [name: string]: KeyInfo },
    what: string,
    code: DiagnosticCode = "cfg_unknown_field",
  ): void {
    const names = Object.keys(known);
    for (const [name, { key }] of mapping.entries) {
      if (Object.hasOwn(known, name)) continue;
      const hint = didYouMean(name, names) ?? `known here: ${names.join(", ")}`;
      this.report(code, key, `unknown field "${name}" in ${what}`, hint);
    }
  }

  /** What `read` gives for a field that is there; undefined, without a finding, where it is absent. */
  field<Value>(mapping: MappingTree, name: string, read: (tree: Tree, entry: Entry) => Value): Value | undefined {
    const entry = mapping.entries.get(name);
    return entry === undefined ? undefined : read(entry.value, entry);
  }

  #inRange(
    tree: Tree,
    value: number | bigint,
    codes: ValueCodes,
    what: string,
    { range, kind }: { readonly range: NumberRange; readonly kind: string },
  ): number | undefined {
    if (value >= range.min && value <= range.max) return Number(value);
    this.report(codes.range, tree.span, `${what} must be ${kind}${rangeText(range)}, found ${value}`);
    return undefined;
  }
}

function rangeText({ min, max }: NumberRange): string {
  if (min === -Infinity && max === Infinity) return "";
  return max === Infinity ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

function plainText(tree: Tree): string | undefined {
  return tree.kind === "scalar" && typeof tree.value === "string" ? tree.value : undefined;
}

/** A text as it is shown; what came from the environment may be a secret. */
function quoted(tree: Tree, text: string): string {
  return tree.kind === "scalar" && tree.substituted === true ? "text from the environment" : quotedText(text);
}

function isUnresolved(tree: Tree): boolean {
  return tree.kind === "scalar" && tree.unresolved === true;
}

/** A scalar's value, undefined for other trees; text that was exactly one reference takes the wanted type where it has it. */
export function typedValue(tree: Tree, wanted: "number" | "boolean"): ScalarTree["value"] | undefined {
  if (tree.kind !== "scalar") return undefined;
  if (tree.reference !== true || typeof tree.value !== "string") return tree.value;
  return typedText(tree.value, wanted) as ScalarTree["value"];
}
