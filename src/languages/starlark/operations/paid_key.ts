/** Owns the price of finding a value in a dict or set: a key's length costs, at every look. */

import { BoundMethod } from "../values/callable.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkBytes, StarlarkTuple, type Value } from "../values/value.ts";
import { words } from "./integer.ts";

/** Characters of a string up to which a look costs nothing: two equal strings are compared that quickly. */
export const FREE_KEY_CHARACTERS = 1 << 13;
/** Words of an int, which is compared like text, that one step pays for. */
const STEP_WORDS = 256;
/** Values in a tuple that one step pays for. */
const STEP_VALUES = 2;

/** Takes the steps for looking for a key once, and numbers what has no other name in a tuple's key. */
export function payKey(key: Value, thread: Thread): void {
  if (typeof key === "string") {
    if (key.length > FREE_KEY_CHARACTERS) thread.charge(Math.floor(key.length / FREE_KEY_CHARACTERS));
  } else if (typeof key === "bigint") thread.charge(Math.floor(words(key) / STEP_WORDS));
  else if (key instanceof StarlarkTuple) payTuple(key, thread);
  else if (key instanceof StarlarkBytes) thread.chargeText(key.bytes.length);
  else if (key instanceof BoundMethod) key.number(thread);
}

/** The key of a tuple is text made of all that is in it. */
function payTuple({ items }: StarlarkTuple, thread: Thread): void {
  thread.charge(Math.ceil((1 + items.length) / STEP_VALUES));
  for (const item of items) {
    if (typeof item === "string") thread.chargeText(item.length);
    else if (typeof item === "object" || typeof item === "bigint") payKey(item, thread);
  }
}

/** Takes the steps for putting all these keys into a dict or set, or for looking for each. */
export function payKeys(keys: readonly Value[], thread: Thread): void {
  thread.chargeKeys(keys.length);
  for (const key of keys) if (typeof key === "object" || typeof key === "string") payKey(key, thread);
}
