/** Owns the string methods that cut text up or trim it. */

import type { BoundArguments, Method } from "../values/callable.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkView, type Value } from "../values/value.ts";
import { quote } from "../operations/text.ts";
import { booleanArgument, optionalInt, textArgument } from "./arguments.ts";
import { method } from "./native.ts";
import { payPieces } from "./paid_pieces.ts";

const SPACE_REGEXP = /(?!\ufeff)[\s\x85]/u;
/** What JavaScript and the language do not both take for space. */
const ODD_SPACE_REGEXP = /[\x85\ufeff]/;
const WORD_REGEXP = /(?:\ufeff|[^\s\x85])+/gu;
/** Characters looked at one by one that one step pays for. */
const STEP_PIECES = 4;

function strip(name: string, fromStart: boolean, fromEnd: boolean): Method {
  return method<string>(name, "chars? /", (thread, text, [chars]) => {
    // No characters at all mean space too, in go-starlark and hence here.
    if ((chars === undefined || chars === "") && !ODD_SPACE_REGEXP.test(text)) {
      thread.chargeText(text.length);
      return fromStart && fromEnd ? text.trim() : fromStart ? text.trimStart() : text.trimEnd();
    }
    if (typeof chars === "string") thread.charge(Math.ceil(chars.length / STEP_PIECES));
    const isCut = cutTest(chars, name);
    thread.charge(Math.ceil(text.length / STEP_PIECES));
    const index = thread.index(text);
    let [start, end] = [0, index.length];
    if (fromStart) { while (start < end && isCut(index.at(start))) start++; }
    if (fromEnd) { while (end > start && isCut(index.at(end - 1))) end--; }
    return index.slice(start, end);
  });
}

function cutTest(chars: Value | undefined, owner: string): (point: string) => boolean {
  if (chars === undefined || chars === "") return (point) => SPACE_REGEXP.test(point);
  const set = new Set(textArgument(chars, { owner, parameter: "chars" }));
  return (point) => set.has(point);
}

function split(name: string, isFromEnd: boolean): Method {
  return method<string>(name, "sep? maxsplit? /", (thread, text, args) => {
    const [separator, most] = splitArguments(name, args);
    thread.chargeSearch(text.length, separator?.length ?? 0);
    const pieces = separator === undefined
      ? splitSpace(text, most, isFromEnd, thread)
      : splitText(text, separator, most, isFromEnd, thread);
    return StarlarkList.of(pieces);
  });
}

function splitArguments(owner: string, [sep, maxsplit]: BoundArguments): [string | undefined, number] {
  const limit = optionalInt(maxsplit, { owner, parameter: "maxsplit" }) ?? -1;
  const most = limit < 0 ? Infinity : limit;
  if (sep === undefined || sep === null) return [undefined, most];
  const separator = textArgument(sep, { owner, parameter: "sep" });
  if (separator === "") throw new Fault(`${owner}: empty separator`);
  return [separator, most];
}

function splitText(text: string, separator: string, most: number, isFromEnd: boolean, thread: Thread): string[] {
  payPieces(text, separator, thread);
  const pieces = text.split(separator);
  const surplus = pieces.length - 1 - most;
  if (surplus <= 0) return pieces;
  if (isFromEnd) return [pieces.slice(0, surplus + 1).join(separator), ...pieces.slice(surplus + 1)];
  return [...pieces.slice(0, most), pieces.slice(most).join(separator)];
}

/** Runs of space separate, and those at the ends count for nothing; the piece that is not split any more is kept as it is. */
function splitSpace(text: string, most: number, isFromEnd: boolean, thread: Thread): string[] {
  const words: RegExpExecArray[] = [];
  for (const word of text.matchAll(WORD_REGEXP)) {
    thread.charge(1);
    words.push(word);
  }
  if (words.length <= most) return words.map((word) => word[0]);
  if (isFromEnd) {
    const count = words.length - most;
    const last = words[count - 1];
    const head = text.slice(0, (last?.index ?? 0) + (last?.[0].length ?? 0));
    return [head, ...words.slice(count).map((word) => word[0])];
  }
  return [...words.slice(0, most).map((word) => word[0]), text.slice(words[most]?.index ?? 0)];
}

/** What `elems()` and its kin give: one value for each code point. */
function points(name: string, type: string, value: (point: string) => Value): Method {
  return method<string>(name, "", (thread, text) => {
    thread.charge(Math.ceil(text.length / STEP_PIECES));
    const form = { text: `${quote(text)}.${name}()`, isSequence: type === "string.elems" };
    return new StarlarkView(type, thread.index(text).points().map(value), form);
  });
}

const ordinal = (point: string) => point.codePointAt(0) ?? 0;
const itself = (point: string) => point;

/** The methods. */
export const SPLIT_METHODS: readonly Method[] = [
  points("codepoint_ords", "string.codepoints", ordinal),
  points("codepoints", "string.codepoints", itself),
  points("elem_ords", "string.elems", ordinal),
  points("elems", "string.elems", itself),
  strip("lstrip", true, false),
  split("rsplit", true),
  strip("rstrip", false, true),
  split("split", false),
  method<string>(
    "splitlines",
    "keepends? /",
    (thread, text, [keepends]) => StarlarkList.of(lines(thread, text, keepends)),
  ),
  strip("strip", true, true),
];

function lines(thread: Thread, text: string, keepends: Value | undefined): string[] {
  thread.chargeText(text.length);
  const keeps = booleanArgument(keepends, { owner: "splitlines", parameter: "keepends" });
  const found: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    found.push(text.slice(start, end + (keeps ? 1 : 0)));
    start = end + 1;
    thread.charge(1);
  }
  if (start < text.length) found.push(text.slice(start));
  return found;
}
