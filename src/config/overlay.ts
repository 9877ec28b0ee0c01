/** Owns the merging of overlays onto a document. */

import type { DiagnosticBag } from "../diagnostics/mod.ts";
import { type Entry, foundTree, isNull, type MappingTree, type Tree } from "./tree.ts";

/** The value that deletes its key. */
const REMOVE_MARK = "<<remove>>";

/**
 * The document with an overlay merged onto it: mappings deep, lists and scalars replaced, `<<remove>>` deletes a key.
 * What the overlay supplied keeps its own place. What cannot be merged is reported and left as it was.
 */
export function mergeOverlay(base: MappingTree, overlay: MappingTree, bag: DiagnosticBag): MappingTree {
  return mergeMapping(base, overlay, "", bag);
}

function mergeMapping(base: MappingTree, overlay: MappingTree, path: string, bag: DiagnosticBag): MappingTree {
  const entries = new Map(base.entries);
  for (const [name, entry] of overlay.entries) {
    const at = path === "" ? name : `${path}.${name}`;
    const old = base.entries.get(name);
    if (isRemoveMark(entry.value)) {
      if (old === undefined) {
        bag.report("cfg_overlay", entry.key, `there is no "${at}" below this overlay that could be removed`);
      }
      entries.delete(name);
    } else {
      entries.set(name, mergeEntry(old, entry, at, bag));
    }
  }
  return { ...base, entries };
}

function mergeEntry(old: Entry | undefined, entry: Entry, path: string, bag: DiagnosticBag): Entry {
  const { value } = entry;
  if (old === undefined || isNull(old.value)) {
    return { key: entry.key, value: withoutMarks(value, path, bag) };
  }
  if (value.kind === "mapping" && old.value.kind === "mapping") {
    return { key: old.key, value: mergeMapping(old.value, value, path, bag) };
  }
  if (value.kind === "mapping" || old.value.kind === "mapping") {
    const message = `"${path}" is ${foundTree(old.value)} below this overlay and cannot become ${foundTree(value)}`;
    bag.report("cfg_overlay", entry.key, message, {
      hint: "an overlay merges mappings with mappings and replaces lists and plain values by each other",
    });
    return old;
  }
  return { key: entry.key, value: withoutMarks(value, path, bag) };
}

/** A value that the overlay alone supplies: a mark in it has nothing to remove. */
function withoutMarks(tree: Tree, path: string, bag: DiagnosticBag): Tree {
  if (tree.kind === "mapping") {
    const entries = new Map<string, Entry>();
    for (const [name, entry] of tree.entries) {
      if (isRemoveMark(entry.value)) {
        bag.report("cfg_overlay", entry.key, `there is no "${path}.${name}" below this overlay that could be removed`);
      } else {
        entries.set(name, { key: entry.key, value: withoutMarks(entry.value, `${path}.${name}`, bag) });
      }
    }
    return { ...tree, entries };
  }
  if (tree.kind === "scalar") return tree;
  const items = tree.items.filter((item) => {
    if (!isRemoveMark(item)) return true;
    bag.report("cfg_overlay", item.span, `${REMOVE_MARK} removes a key of a mapping; a list is replaced as a whole`);
    return false;
  });
  return { ...tree, items: items.map((item, index) => withoutMarks(item, `${path}[${index}]`, bag)) };
}

function isRemoveMark(tree: Tree): boolean {
  return tree.kind === "scalar" && tree.value === REMOVE_MARK;
}
