/** Owns the methods of all types. */

import type { Method } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import { StarlarkBytes, StarlarkView, type Value } from "../values/value.ts";
import { quote } from "../operations/text.ts";
import { DICT_METHODS } from "./dict_methods.ts";
import { LIST_METHODS } from "./list_methods.ts";
import { method, methodTable } from "./native.ts";
import { SET_METHODS } from "./set_methods.ts";
import { CASE_METHODS } from "./string_case.ts";
import { FORMAT_METHOD } from "./string_format.ts";
import { SEARCH_METHODS } from "./string_search.ts";
import { SPLIT_METHODS } from "./string_split.ts";

/** Most bytes that the text of `elems()` shows. */
const SHOWN_BYTES_MAX = 64;
const STRING_METHODS = methodTable([...CASE_METHODS, ...SEARCH_METHODS, ...SPLIT_METHODS, FORMAT_METHOD]);
const BYTES_METHODS = methodTable([
  method<StarlarkBytes>("elems", "", (thread, { bytes }) => {
    thread.chargeElements(bytes.length);
    const shown = quote(new TextDecoder("latin1").decode(bytes.subarray(0, SHOWN_BYTES_MAX)));
    return new StarlarkView("bytes.elems", [...bytes], { text: `b${shown}.elems()`, isSequence: false });
  }),
]);
/** Methods of lists, dicts and sets that leave them as they are. */
const READING_METHODS: ReadonlySet<string> = new Set(
  ["get", "index", "issubset", "issuperset", "items", "keys", "union", "values"],
);
const NO_METHODS: ReadonlyMap<string, Method> = new Map();

/** The methods of one name, by the type they belong to. */
export interface MethodFamily {
  readonly name: string;
  readonly string: Method | undefined;
  readonly dict: Method | undefined;
  readonly list: Method | undefined;
  readonly set: Method | undefined;
  readonly bytes: Method | undefined;
}

/** All methods of a name: compiled scripts look them up once, not at every call. */
export function methodFamily(name: string): MethodFamily {
  return {
    name,
    string: STRING_METHODS.get(name),
    dict: DICT_METHODS.get(name),
    list: LIST_METHODS.get(name),
    set: SET_METHODS.get(name),
    bytes: BYTES_METHODS.get(name),
  };
}

/** The method of a value's type, or undefined. */
export function methodFor(value: Value, family: MethodFamily): Method | undefined {
  if (typeof value === "string") return family.string;
  if (value instanceof StarlarkDict) return family.dict;
  if (value instanceof StarlarkList) return family.list;
  if (value instanceof StarlarkSet) return family.set;
  return value instanceof StarlarkBytes ? family.bytes : undefined;
}

function methodsOf(value: Value): ReadonlyMap<string, Method> {
  if (typeof value === "string") return STRING_METHODS;
  if (value instanceof StarlarkDict) return DICT_METHODS;
  if (value instanceof StarlarkList) return LIST_METHODS;
  if (value instanceof StarlarkSet) return SET_METHODS;
  return value instanceof StarlarkBytes ? BYTES_METHODS : NO_METHODS;
}

/** The method of a value's type by its name, or undefined. */
export function findMethod(value: Value, name: string): Method | undefined {
  return methodsOf(value).get(name);
}

/** Names of all methods of a value's type. */
export function methodNames(value: Value): readonly string[] {
  return [...methodsOf(value).keys()];
}

/** Whether some type has a method of this name that may change the value it belongs to. */
export function mayChangeReceiver(name: string): boolean {
  if (READING_METHODS.has(name)) return false;
  return LIST_METHODS.has(name) || DICT_METHODS.has(name) || SET_METHODS.has(name);
}
