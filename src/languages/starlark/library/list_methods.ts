/** Owns the methods of lists. */

import { equals } from "../operations/comparison.ts";
import { sliceBounds } from "../operations/indexing.ts";
import { repr } from "../operations/text.ts";
import { Fault } from "../values/fault.ts";
import type { StarlarkList } from "../values/list.ts";
import { elementsArgument, intArgument, optionalInt } from "./arguments.ts";
import { method, methodTable } from "./native.ts";

type List = StarlarkList;

/** By name. */
export const LIST_METHODS = methodTable([
  method<List>("append", "object /", (_thread, list, [value]) => {
    list.append(value ?? null);
    return null;
  }),
  method<List>("clear", "", (_thread, list) => {
    list.clear();
    return null;
  }),
  method<List>("extend", "iterable /", (thread, list, [iterable]) => {
    list.extend(elementsArgument(iterable, thread, { owner: "extend", parameter: "iterable" }));
    return null;
  }),
  method<List>("index", "value start? end? /", (thread, list, [value, start, end]) => {
    const low = optionalInt(start, { owner: "index", parameter: "start" });
    const high = optionalInt(end, { owner: "index", parameter: "end" });
    const bounds = sliceBounds(low, high, 1, list.length);
    thread.chargeElements(bounds.count);
    for (let at = bounds.start; at < bounds.end; at++) {
      if (equals(list.at(at), value ?? null, thread)) return at;
    }
    throw new Fault(`index: value ${repr(value ?? null, thread)} not in list`);
  }),
  method<List>("insert", "index value /", (thread, list, [index, value]) => {
    const at = intArgument(index, { owner: "insert", parameter: "index" });
    thread.chargeElements(list.length);
    list.insert(Math.max(0, Math.min(list.length, at < 0 ? at + list.length : at)), value ?? null);
    return null;
  }),
  method<List>("pop", "index? /", (thread, list, [index]) => {
    const given = index === undefined ? -1 : intArgument(index, { owner: "pop", parameter: "index" });
    const at = given < 0 ? given + list.length : given;
    if (at < 0 || at >= list.length) throw new Fault(outOfRange(given, list.length));
    if (at < list.length - 1) thread.chargeElements(list.length);
    return list.remove(at, "pop from");
  }),
  method<List>("remove", "value /", (thread, list, [value]) => {
    list.checkMutable("remove from");
    thread.chargeElements(list.length);
    for (let at = 0; at < list.length; at++) {
      if (equals(list.at(at), value ?? null, thread)) {
        list.remove(at, "remove from");
        return null;
      }
    }
    throw new Fault(`remove: element ${repr(value ?? null, thread)} not found`);
  }),
]);

function outOfRange(index: number, length: number): string {
  if (length === 0) return `pop: index ${index} out of range: empty list`;
  return `pop: index ${index} out of range [${-length}:${length - 1}]`;
}
