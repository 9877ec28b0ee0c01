/** Owns the `hooks` section. */

import { didYouMean } from "../../base/mod.ts";
import type { HookDeclaration } from "../document.ts";
import type { HOOK_EVENTS } from "../../schema/mod.ts";
import { type Entry, isNull, type MappingTree, treeData } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";
import { checkJobSection } from "./run.ts";

const EVENTS = ["success", "failure"] as const satisfies readonly (keyof typeof HOOK_EVENTS)[];

/** Reads `hooks`, in document order; those with mistakes are left out. */
export function readHooks(root: MappingTree, reader: ValueReader): readonly HookDeclaration[] {
  const isAllowed = checkJobSection(root, "hooks", reader);
  const mapping = reader.field(root, "hooks", (tree) => reader.mapping(tree, "cfg_hooks_type", "hooks"));
  const hooks: HookDeclaration[] = [];
  for (const [name, entry] of mapping?.entries ?? []) {
    const event = EVENTS.find((known) => known === name);
    if (event === undefined) {
      const hint = didYouMean(name, EVENTS);
      reader.report("cfg_hooks_type", entry.key, `"${name}" is no hook; there are ${EVENTS.join(" and ")}`, hint);
      continue;
    }
    const hook = readHook(event, entry, reader);
    if (hook !== undefined && isAllowed) hooks.push(hook);
  }
  return hooks;
}

function readHook(event: HookDeclaration["event"], entry: Entry, reader: ValueReader): HookDeclaration | undefined {
  const what = `hooks.${event}`;
  const mapping = reader.mapping(entry.value, "cfg_hooks_sink", what);
  if (mapping === undefined) return undefined;
  const [first, second] = mapping.entries;
  if (first === undefined || second !== undefined) {
    const found = second === undefined ? "none" : [...mapping.entries.keys()].join(", ");
    reader.report(
      "cfg_hooks_sink",
      second?.[1].key ?? entry.key,
      `${what} must be exactly one sink block, found ${found}`,
    );
    return undefined;
  }
  const [plugin, { value }] = first;
  const block = isNull(value) ? {} : treeData(value);
  if (value.kind !== "mapping" && !isNull(value)) {
    return reader.wrong("cfg_hooks_sink", value, `${what}.${plugin}`, "a mapping");
  }
  return { event, plugin, block, path: ["hooks", event, plugin] };
}
