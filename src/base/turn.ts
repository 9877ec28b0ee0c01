/** Owns the pause that lets the rest of the isolate go on. */

import { setImmediate } from "node:timers";

/** Resolves in a later turn of the event loop, without waiting: microseconds, where a timer of zero takes milliseconds. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
