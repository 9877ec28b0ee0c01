/**
 * Owns the document as a tree of values that know where they stand: what lies between YAML text and the typed document.
 * Nodes are never changed; an anchor's node may stand at several places of one tree.
 */

import { type Data, foundText, foundValue } from "../base/mod.ts";
import type { Span } from "../diagnostics/mod.ts";
import type { TextSegment } from "./document.ts";

/** A plain value. */
export interface ScalarTree {
  readonly kind: "scalar";
  readonly value: null | boolean | number | bigint | string;
  readonly span: Span;
  /** Where the characters of a text stand; absent where they follow `span` one by one. */
  readonly segments?: readonly TextSegment[];
  /** Holds text that came from the environment. */
  readonly substituted?: true;
  /** Is exactly one reference that was replaced: takes the type the schema asks for. */
  readonly reference?: true;
  /** Holds a reference that could not be resolved: what is found out about its value would be an echo. */
  readonly unresolved?: true;
  /** References that are resolved later: to constants, and to parameters of a run. */
  readonly pending?: readonly PendingReference[];
}

/** A reference that still stands in a text. */
export interface PendingReference {
  /** UTF-16 units from the start of the text, both ends of `${...}`. */
  readonly start: number;
  readonly end: number;
  readonly scope: "constants" | "parameters";
  readonly name: string;
}

/** A list. */
export interface ListTree {
  readonly kind: "list";
  readonly items: readonly Tree[];
  readonly span: Span;
}

/** A mapping, its entries in the order they were written. */
export interface MappingTree {
  readonly kind: "mapping";
  readonly entries: ReadonlyMap<string, Entry>;
  readonly span: Span;
}

/** A key and its value. */
export interface Entry {
  readonly key: Span;
  readonly value: Tree;
}

/** Any value with its place. */
export type Tree = ScalarTree | ListTree | MappingTree;

/** Whether a value is there at all: neither absent nor null. */
export function isNull(tree: Tree | undefined): boolean {
  return tree === undefined || (tree.kind === "scalar" && tree.value === null);
}

/** What a value is, to follow "found". Texts from the environment are not quoted: they may hold secrets. */
export function foundTree(tree: Tree): string {
  if (tree.kind !== "scalar") return `a ${tree.kind}`;
  return tree.substituted === true ? foundText(tree.value) : foundValue(tree.value);
}

/** A tree as plain data. */
export function treeData(tree: Tree): Data {
  switch (tree.kind) {
    case "scalar":
      return tree.value;
    case "list":
      return tree.items.map(treeData);
    case "mapping":
      // `fromEntries` defines properties, so that a key `__proto__` is a key like any other.
      return Object.fromEntries([...tree.entries].map(([name, entry]) => [name, treeData(entry.value)]));
  }
}
