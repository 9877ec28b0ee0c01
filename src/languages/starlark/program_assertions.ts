/** Owns the names that test programs have beyond the language: `assert`, `freeze` and `matches`. */

import { compare, equals, truth } from "./operations/comparison.ts";
import { contains } from "./operations/indexing.ts";
import { repr, str } from "./operations/text.ts";
import { call } from "./run/attributes.ts";
import { native } from "./library/native.ts";
import { StarlarkDict } from "./values/dict.ts";
import { Fault, SITE_UNKNOWN } from "./values/fault.ts";
import { StarlarkList } from "./values/list.ts";
import { MutableObject } from "./values/mutable.ts";
import type { Thread } from "./values/thread.ts";
import { StarlarkModule, StarlarkTuple, type Value } from "./values/value.ts";

/** What the assertions of programs found. */
export class Assertions {
  /** How many were judged. */
  count = 0;
  /** What did not hold. */
  readonly failures: string[] = [];

  /** The names, by which a program finds them. */
  names(): ReadonlyMap<string, Value> {
    const assertions: readonly [string, Value][] = [
      this.#pair("eq", (thread, a, b) => equals(a, b, thread), "=="),
      this.#pair("ne", (thread, a, b) => !equals(a, b, thread), "!="),
      this.#pair("lt", (thread, a, b) => compare(a, b, thread) < 0, "<"),
      this.#pair("contains", (thread, a, b) => contains(a, b, thread, SITE_UNKNOWN), "contains"),
      [
        "true",
        native("assert.true", "condition message? /", (thread, [condition, message]) => {
          this.#judge(
            truth(condition ?? null),
            () => `want a true value, got ${shown(condition, thread)} ${shown(message, thread)}`,
          );
          return null;
        }),
      ],
      [
        "fails",
        native("assert.fails", "function pattern /", (thread, [function_, pattern]) => {
          const failure = failureOf(function_ ?? null, thread);
          const wanted = new RegExp(String(pattern));
          this.#judge(
            failure !== undefined && wanted.test(failure),
            () => failure === undefined ? `no failure, want ${wanted}` : `got "${failure}", want ${wanted}`,
          );
          return null;
        }),
      ],
    ];
    return new Map<string, Value>([
      ["assert", new StarlarkModule("assert", new Map(assertions))],
      [
        "freeze",
        native("freeze", "x /", (_thread, [x]) => {
          freeze(x ?? null);
          return x ?? null;
        }),
      ],
      [
        "matches",
        native("matches", "pattern text /", (_thread, [pattern, text]) => {
          return new RegExp(String(pattern)).test(String(text));
        }),
      ],
    ]);
  }

  #pair(name: string, holds: (thread: Thread, a: Value, b: Value) => boolean, operator: string): [string, Value] {
    const body = native(`assert.${name}`, "x y /", (thread, [x, y]) => {
      const isHeld = holds(thread, x ?? null, y ?? null);
      this.#judge(isHeld, () => `${shown(x, thread)} ${operator} ${shown(y, thread)}`);
      return null;
    });
    return [name, body];
  }

  #judge(isHeld: boolean, message: () => string): void {
    this.count++;
    if (!isHeld) this.failures.push(`assertion ${this.count}: ${message()}`);
  }
}

function shown(value: Value | undefined, thread: Thread): string {
  return typeof value === "string" ? repr(value, thread) : value === undefined ? "" : str(value, thread);
}

/** The message with which a call fails; a budget that is used up stays so. */
function failureOf(function_: Value, thread: Thread): string | undefined {
  try {
    call(function_, [], null, thread, SITE_UNKNOWN);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === "steps") throw error;
    return error.message;
  }
}

/** Freezes a value and all that it holds. */
function freeze(value: Value): void {
  if (value instanceof StarlarkTuple) { for (const item of value.items) freeze(item); }
  if (!(value instanceof MutableObject) || value.frozen) return;
  if (value instanceof StarlarkDict) value.freeze();
  value.frozen = true;
  if (value instanceof StarlarkList || value instanceof StarlarkDict) {
    for (const item of value.values()) {
      freeze(item);
    }
  }
}
