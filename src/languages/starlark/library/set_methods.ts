/** Owns the methods of sets. */

import { combineSets } from "../operations/concatenation.ts";
import { payKey, payKeys } from "../operations/paid_key.ts";
import { repr } from "../operations/text.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import type { Value } from "../values/value.ts";
import { elementsArgument } from "./arguments.ts";
import { method, methodTable } from "./native.ts";

function other(value: Value | undefined, thread: Thread, owner: string): StarlarkSet {
  if (value instanceof StarlarkSet) return value;
  const found = elementsArgument(value, thread, { owner, parameter: "other" });
  payKeys(found, thread);
  return StarlarkSet.of(found);
}

function combination(name: string, operator: string) {
  return method<StarlarkSet>(name, "other /", (thread, set, [value]) => {
    return combineSets(operator, set, other(value, thread, name), thread) ?? null;
  });
}

/** By name. */
export const SET_METHODS = methodTable([
  method<StarlarkSet>("add", "element /", (thread, set, [element]) => {
    payKey(element ?? null, thread);
    set.add(element ?? null);
    return null;
  }),
  method<StarlarkSet>("clear", "", (_thread, set) => {
    set.clear();
    return null;
  }),
  combination("difference", "-"),
  method<StarlarkSet>("discard", "element /", (thread, set, [element]) => {
    payKey(element ?? null, thread);
    set.delete(element ?? null);
    return null;
  }),
  combination("intersection", "&"),
  method<StarlarkSet>("issubset", "other /", (thread, set, [value]) => {
    const outer = other(value, thread, "issubset");
    payKeys(set.values(), thread);
    return set.values().every((element) => outer.has(element));
  }),
  method<StarlarkSet>("issuperset", "other /", (thread, set, [value]) => {
    const inner = other(value, thread, "issuperset");
    payKeys(inner.values(), thread);
    return inner.values().every((element) => set.has(element));
  }),
  method<StarlarkSet>("pop", "", (thread, set) => {
    set.checkMutable("pop from");
    thread.chargeElements(set.size);
    const [first] = set.values();
    if (first === undefined) throw new Fault("pop: empty set");
    set.delete(first);
    return first;
  }),
  method<StarlarkSet>("remove", "element /", (thread, set, [element]) => {
    payKey(element ?? null, thread);
    if (!set.delete(element ?? null)) throw new Fault(`remove: ${repr(element ?? null, thread)} not found`);
    return null;
  }),
  combination("symmetric_difference", "^"),
  method<StarlarkSet>("union", "*others", (thread, set, _args, others) => {
    const found = others.flatMap((each) => elementsArgument(each, thread, { owner: "union", parameter: "other" }));
    const all = [...set.values(), ...found];
    payKeys(all, thread);
    return StarlarkSet.of(all);
  }),
  method<StarlarkSet>("update", "*others", (thread, set, _args, others) => {
    for (const each of others) {
      const found = elementsArgument(each, thread, { owner: "update", parameter: "other" });
      payKeys(found, thread);
      for (const element of found) set.add(element);
    }
    return null;
  }),
]);
