/** Owns the string methods that look for text in text. Positions count code points. */

import { sliceBounds } from "../operations/indexing.ts";
import { elements, isIterable } from "../operations/iteration.ts";
import type { Method } from "../values/callable.ts";
import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkTuple, typeName, type Value } from "../values/value.ts";
import { optionalInt, textArgument } from "./arguments.ts";
import { method } from "./native.ts";
import { payPieces, STEP_PIECES } from "./paid_pieces.ts";

/** Places counted that one step pays for. */
const STEP_COUNTED = 16;

/** The part of a text that a search looks at, and where it begins. */
interface Window {
  readonly text: string;
  readonly start: number;
  readonly isEmptyRange: boolean;
}

function windowOf(thread: Thread, text: string, [start, end]: readonly (Value | undefined)[]): Window {
  const low = optionalInt(start, { owner: "find", parameter: "start" });
  const high = optionalInt(end, { owner: "find", parameter: "end" });
  thread.chargeText(text.length);
  if (low === undefined && high === undefined) return { text, start: 0, isEmptyRange: false };
  const index = thread.index(text);
  const bounds = sliceBounds(low, high, 1, index.length);
  // A start behind the text's end finds nothing, not even the empty text.
  const isEmptyRange = bounds.end < bounds.start || (low ?? 0) > index.length;
  return { text: index.slice(bounds.start, bounds.end), start: bounds.start, isEmptyRange };
}

function search(name: string, isLast: boolean, mustBeThere: boolean): Method {
  return method<string>(name, "sub start? end? /", (thread, text, [sub, start, end]) => {
    const wanted = textArgument(sub, { owner: name, parameter: "sub" });
    const { text: part, start: origin, isEmptyRange } = windowOf(thread, text, [start, end]);
    thread.chargeSearch(part.length, wanted.length);
    const offset = isEmptyRange ? -1 : isLast ? part.lastIndexOf(wanted) : part.indexOf(wanted);
    if (offset !== -1) return origin + thread.index(part).position(offset);
    if (mustBeThere) throw new Fault(`${name}: substring not found`);
    return -1;
  });
}

function edge(name: string, test: (text: string, affix: string) => boolean): Method {
  return method<string>(name, "affix start? end? /", (thread, text, [affix, start, end]) => {
    const { text: part, isEmptyRange } = windowOf(thread, text, [start, end]);
    if (isEmptyRange) return false;
    if (affix instanceof StarlarkTuple) {
      thread.charge(affix.items.length);
      return affix.items.some((each) => {
        const wanted = textArgument(each, { owner: name, parameter: "element" });
        thread.chargeText(Math.min(wanted.length, part.length));
        return test(part, wanted);
      });
    }
    if (typeof affix !== "string") {
      throw new Fault(`${name}: got ${typeName(affix ?? null)}, want string or tuple of strings`);
    }
    return test(part, affix);
  });
}

/** The methods. */
export const SEARCH_METHODS: readonly Method[] = [
  method<string>("count", "sub start? end? /", (thread, text, [sub, start, end]) => {
    const wanted = textArgument(sub, { owner: "count", parameter: "sub" });
    const { text: part, isEmptyRange } = windowOf(thread, text, [start, end]);
    if (isEmptyRange) return 0;
    if (wanted === "") return thread.index(part).length + 1;
    thread.chargeSearch(part.length, wanted.length);
    let count = 0;
    for (let at = part.indexOf(wanted); at !== -1; at = part.indexOf(wanted, at + wanted.length)) {
      if (++count % STEP_COUNTED === 0) thread.charge(1);
    }
    return count;
  }),
  edge("endswith", (text, affix) => text.endsWith(affix)),
  search("find", false, false),
  search("index", false, true),
  method<string>("join", "iterable /", (thread, separator, [iterable]) => {
    if (iterable === undefined || !isIterable(iterable)) {
      throw new Fault(`join: got ${typeName(iterable ?? null)}, want an iterable`);
    }
    const parts = elements(iterable, thread).map((part, index) => {
      if (typeof part !== "string") {
        throw new Fault(`join: in list, want string, got ${typeName(part)} at index ${index}`);
      }
      thread.chargeText(part.length + separator.length);
      return part;
    });
    return parts.join(separator);
  }),
  method<string>("partition", "sep /", (thread, text, [sep]) => {
    const separator = separatorArgument(sep, "partition");
    thread.chargeSearch(text.length, separator.length);
    const at = text.indexOf(separator);
    if (at === -1) return new StarlarkTuple([text, "", ""]);
    return new StarlarkTuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  }),
  method<string>("removeprefix", "prefix /", (thread, text, [prefix]) => {
    const affix = textArgument(prefix, { owner: "removeprefix", parameter: "prefix" });
    thread.chargeText(affix.length);
    return text.startsWith(affix) ? text.slice(affix.length) : text;
  }),
  method<string>("removesuffix", "suffix /", (thread, text, [suffix]) => {
    const affix = textArgument(suffix, { owner: "removesuffix", parameter: "suffix" });
    thread.chargeText(affix.length);
    return affix !== "" && text.endsWith(affix) ? text.slice(0, -affix.length) : text;
  }),
  method<string>("replace", "old new count? /", (thread, text, args) => replace(thread, text, args)),
  search("rfind", true, false),
  search("rindex", true, true),
  method<string>("rpartition", "sep /", (thread, text, [sep]) => {
    const separator = separatorArgument(sep, "rpartition");
    thread.chargeSearch(text.length, separator.length);
    const at = text.lastIndexOf(separator);
    if (at === -1) return new StarlarkTuple(["", "", text]);
    return new StarlarkTuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  }),
  edge("startswith", (text, affix) => text.startsWith(affix)),
];

function separatorArgument(value: Value | undefined, owner: string): string {
  const separator = textArgument(value, { owner, parameter: "sep" });
  if (separator === "") throw new Fault(`${owner}: empty separator`);
  return separator;
}

function replace(thread: Thread, text: string, [old, replacement, count]: readonly (Value | undefined)[]): string {
  const wanted = textArgument(old, { owner: "replace", parameter: "old" });
  const put = textArgument(replacement, { owner: "replace", parameter: "new" });
  const limit = optionalInt(count, { owner: "replace", parameter: "count" }) ?? -1;
  thread.chargeSearch(text.length, wanted.length);
  if (wanted === "") thread.charge(Math.ceil(text.length / STEP_PIECES));
  else payPieces(text, wanted, thread);
  // Between all characters when the old text is empty; never inside a surrogate pair.
  const parts = wanted === "" ? ["", ...thread.index(text).points(), ""] : text.split(wanted);
  const most = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  thread.charge(Math.ceil(most / STEP_PIECES));
  thread.chargeText(put.length * most);
  return parts.slice(0, most + 1).join(put) + parts.slice(most + 1).map((part) => wanted + part).join("");
}
