/** Owns the word of warning about a call that takes long: a plugin that hangs should not do it in silence. */

import type { EngineCore } from "./core.ts";

/** What takes long. */
export interface SlowCall {
  readonly node: string;
  /** `write` or `apply`. */
  readonly call: string;
  readonly messages: number;
}

/** Why the watch ends early: with a reason at hand the platform makes no error with a stack. */
const ENDED = "ended";

/** Logs once when the call has lasted longer than `slowCallWarnMs`. Dispose it when the call has ended. */
export function warnWhenSlow({ options }: Pick<EngineCore, "options">, { node, call, messages }: SlowCall): Disposable {
  const ended = new AbortController();
  const { slowCallWarnMs } = options;
  options.clock.sleep(slowCallWarnMs, ended.signal).then(
    () => options.log.log("warn", `a ${call} takes longer than ${slowCallWarnMs} ms`, { node, messages }),
    () => {}, // The call ended first.
  );
  return { [Symbol.dispose]: () => ended.abort(ENDED) };
}
