/** Owns the second pass of substitution: `${constants.x}`, and the keeping of `${parameters.x}` for a job's runs. */

import { didYouMeanOneOf } from "../base/mod.ts";
import type { DiagnosticBag } from "../diagnostics/mod.ts";
import { TextBuilder } from "./text_builder.ts";
import { placeInText } from "./text_places.ts";
import type { Entry, MappingTree, PendingReference, ScalarTree, Tree } from "./tree.ts";

const CONSTANTS_KEY = "constants";
/**
 * Most characters that constants may bring into a document, all together: as many as a document may have itself. A
 * constant may hold others several times, so that a few lines could fill the memory.
 */
const BROUGHT_IN_MAX = 2 * 1024 * 1024;

/** Resolves the references that the environment's pass left pending. */
export class ConstantSubstitution {
  readonly #bag: DiagnosticBag;
  /** Whether `${parameters.x}` may stand: in job pipelines. */
  readonly #parametersAllowed: boolean;
  readonly #constants = new Map<string, Tree>();
  readonly #declared: readonly string[];
  readonly #used = new Set<string>();
  #inConstants = false;
  #broughtIn = 0;

  constructor(bag: DiagnosticBag, parametersAllowed: boolean, root: MappingTree) {
    this.#bag = bag;
    this.#parametersAllowed = parametersAllowed;
    const declared = root.entries.get(CONSTANTS_KEY)?.value;
    this.#declared = declared?.kind === "mapping" ? [...declared.entries.keys()] : [];
  }

  /** Names of the constants that some reference used. */
  get used(): readonly string[] {
    return [...this.#used];
  }

  /** The document with its constants in place. A constant may use those that are declared above it. */
  document(root: MappingTree): MappingTree {
    const declared = root.entries.get(CONSTANTS_KEY);
    const entries = new Map(root.entries);
    if (declared?.value.kind === "mapping") {
      this.#inConstants = true;
      const constants = new Map<string, Entry>();
      for (const [name, entry] of declared.value.entries) {
        const value = this.#tree(entry.value);
        constants.set(name, { key: entry.key, value });
        this.#constants.set(name, value);
      }
      this.#inConstants = false;
      entries.set(CONSTANTS_KEY, { key: declared.key, value: { ...declared.value, entries: constants } });
    }
    for (const [name, entry] of entries) {
      if (name !== CONSTANTS_KEY) entries.set(name, { key: entry.key, value: this.#tree(entry.value) });
    }
    return { ...root, entries };
  }

  #tree(tree: Tree): Tree {
    switch (tree.kind) {
      case "mapping": {
        const entries = [...tree.entries].map(([name, { key, value }]): [string, Entry] => {
          return [name, { key, value: this.#tree(value) }];
        });
        return { ...tree, entries: new Map(entries) };
      }
      case "list":
        return { ...tree, items: tree.items.map((item) => this.#tree(item)) };
      case "scalar":
        return tree.pending === undefined ? tree : this.#text(tree, tree.pending);
    }
  }

  #text(tree: ScalarTree, references: readonly PendingReference[]): ScalarTree {
    const text = String(tree.value);
    const builder = new TextBuilder(tree);
    const kept: PendingReference[] = [];
    let at = 0;
    let substituted = tree.substituted === true;
    let unresolved = tree.unresolved === true;
    for (const reference of references) {
      builder.copy(text.slice(at, reference.start), at);
      at = reference.end;
      const value = reference.scope === "constants" ? this.#constant(tree, reference) : undefined;
      const broughtIn = String(value?.value ?? "");
      if (value !== undefined && this.#bringsIn(broughtIn.length, tree, reference)) {
        builder.replace(broughtIn, reference.start);
        if (value.substituted === true) substituted = true;
        if (value.unresolved === true) unresolved = true;
        continue;
      }
      const start = builder.length;
      builder.copy(text.slice(reference.start, reference.end), reference.start);
      if (reference.scope === "parameters" && this.#parameterAllowed(tree, reference)) {
        kept.push({ ...reference, start, end: builder.length });
      } else {
        unresolved = true;
      }
    }
    builder.copy(text.slice(at), at);
    const whole = references.length === 1 && references[0]?.start === 0 && at === text.length && !unresolved;
    return {
      ...builder.scalar(),
      ...(substituted ? { substituted } : {}),
      ...(unresolved ? { unresolved } : {}),
      ...(whole && kept.length === 0 ? { reference: true } : {}),
      ...(kept.length === 0 ? {} : { pending: kept }),
    };
  }

  #parameterAllowed(tree: ScalarTree, { start, name }: PendingReference): boolean {
    if (this.#parametersAllowed && !this.#inConstants) return true;
    const span = placeInText(tree.span, tree.segments, start);
    const message = this.#inConstants
      ? `\${parameters.${name}} cannot stand in a constant: constants are fixed before any run`
      : `\${parameters.${name}} needs run.mode: job; other pipelines have no runs to take parameters from`;
    this.#bag.report("cfg_scope_unknown", span, message);
    return false;
  }

  /** Whether constants may bring in this many characters more; the first reference that may not is reported. */
  #bringsIn(length: number, tree: ScalarTree, { start }: PendingReference): boolean {
    const before = this.#broughtIn;
    this.#broughtIn += length;
    if (this.#broughtIn <= BROUGHT_IN_MAX) return true;
    if (before <= BROUGHT_IN_MAX) {
      const message = `constants bring in more than ${BROUGHT_IN_MAX} characters`;
      this.#bag.report("yaml_parse", placeInText(tree.span, tree.segments, start), message);
    }
    return false;
  }

  /** The constant a reference names: `a.b` is the constant of that name, else the entry `b` of the constant `a`. */
  #constant(tree: ScalarTree, { start, name }: PendingReference): ScalarTree | undefined {
    const report = (message: string, hint?: string) => {
      const span = placeInText(tree.span, tree.segments, start);
      this.#bag.report("cfg_constant_unknown", span, message, hint === undefined ? {} : { hint });
    };
    const steps = this.#constants.has(name) ? [name] : name.split(".");
    const [first = "", ...rest] = steps;
    let value = this.#constants.get(first);
    if (value === undefined) {
      const later = this.#declared.includes(first);
      const message = later
        ? `the constant "${first}" is declared further down; a constant may use only those above it`
        : `the constant "${first}" is not declared`;
      report(message, later ? undefined : didYouMeanOneOf(first, this.#constants.keys()));
      return undefined;
    }
    this.#used.add(first);
    for (const step of rest) {
      value = value.kind === "mapping" ? value.entries.get(step)?.value : undefined;
      if (value === undefined) {
        report(`the constant "${first}" has no entry "${rest.join(".")}"`);
        return undefined;
      }
    }
    if (value.kind === "scalar" && value.value !== null) return value;
    const found = value.kind === "scalar" ? "null" : `a ${value.kind}`;
    report(`the constant "${name}" is ${found}; only text, numbers and booleans can be put into a text`);
    return undefined;
  }
}
