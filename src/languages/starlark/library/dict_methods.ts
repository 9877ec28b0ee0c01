/** Owns the methods of dicts. */

import { copyMembers } from "../operations/concatenation.ts";
import { elements, isIterable } from "../operations/iteration.ts";
import { payKey } from "../operations/paid_key.ts";
import { repr } from "../operations/text.ts";
import type { BoundArguments } from "../values/callable.ts";
import { missingKey, StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkTuple, typeName, type Value } from "../values/value.ts";
import { method, methodTable } from "./native.ts";

type Dict = StarlarkDict;

/** By name. */
export const DICT_METHODS = methodTable([
  method<Dict>("clear", "", (_thread, dict) => {
    dict.clear();
    return null;
  }),
  method<Dict>("get", "key default? /", (thread, dict, [key, fallback]) => {
    payKey(key ?? null, thread);
    return dict.get(key ?? null) ?? fallback ?? null;
  }),
  method<Dict>("items", "", (thread, dict) => {
    thread.charge(dict.size);
    const values = dict.values();
    return StarlarkList.of(dict.keys().map((key, index) => new StarlarkTuple([key, values[index] ?? null])));
  }),
  method<Dict>("keys", "", (thread, dict) => {
    thread.chargeMembers(dict.size);
    return StarlarkList.of(dict.keys());
  }),
  method<Dict>("pop", "key default? /", (thread, dict, [key, fallback]) => {
    payKey(key ?? null, thread);
    const value = dict.delete(key ?? null) ?? fallback;
    if (value === undefined) throw missingKey(repr(key ?? null, thread));
    return value;
  }),
  method<Dict>("popitem", "", (thread, dict) => {
    dict.checkMutable("delete from");
    const key = dict.keys()[0];
    if (key === undefined) throw new Fault("popitem: empty dict");
    thread.chargeElements(dict.size);
    return new StarlarkTuple([key, dict.delete(key) ?? null]);
  }),
  method<Dict>("setdefault", "key default? /", (thread, dict, [key, fallback]) => {
    payKey(key ?? null, thread);
    const known = dict.get(key ?? null);
    if (known !== undefined) return known;
    dict.set(key ?? null, fallback ?? null);
    return fallback ?? null;
  }),
  method<Dict>("update", "pairs? / **members", (thread, dict, args, _rest, extra) => {
    updateDict(dict, args, extra, { thread, owner: "update" });
    return null;
  }),
  method<Dict>("values", "", (thread, dict) => {
    thread.charge(dict.size);
    return StarlarkList.of(dict.values());
  }),
]);

/** Puts another dict or pairs, then named arguments, into a dict: `dict()` and `update()`. */
export function updateDict(
  dict: StarlarkDict,
  [pairs]: BoundArguments,
  named: readonly (readonly [string, Value])[],
  { thread, owner }: { readonly thread: Thread; readonly owner: string },
): void {
  dict.checkMutable("insert into");
  if (pairs instanceof StarlarkDict) {
    copyMembers(pairs, dict, thread);
  } else if (pairs !== undefined) {
    if (!isIterable(pairs)) throw new Fault(`${owner}: got ${typeName(pairs)}, want an iterable of pairs or a dict`);
    for (const [index, pair] of elements(pairs, thread).entries()) {
      setPair(dict, pair, `${owner}: element #${index}`, thread);
    }
  }
  thread.charge(named.length);
  for (const [name, value] of named) dict.set(name, value);
}

function setPair(dict: StarlarkDict, pair: Value, where: string, thread: Thread): void {
  if (!isIterable(pair)) throw new Fault(`${where} is not iterable (${typeName(pair)})`);
  const members = elements(pair, thread);
  if (members.length !== 2) throw new Fault(`${where} has length ${members.length}, want 2`);
  thread.charge(1);
  payKey(members[0] ?? null, thread);
  dict.set(members[0] ?? null, members[1] ?? null);
}
