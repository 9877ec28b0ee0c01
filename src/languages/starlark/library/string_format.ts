/** Owns the `format` method of strings. */

import { repr, str } from "../operations/text.ts";
import type { Method } from "../values/callable.ts";
import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import type { Value } from "../values/value.ts";
import { method } from "./native.ts";

const PIECE_REGEXP = /\{\{|\}\}|\{([^{}]*)\}|[{}]/y;
const BRACE_REGEXP = /[{}]/g;
const POSITION_REGEXP = /^[0-9]+$/;

/** `"{} {0} {name!r}".format(...)`. */
export const FORMAT_METHOD: Method = method<string>("format", "*args **kwargs", (thread, text, _args, rest, extra) => {
  return new BraceFormat(thread, rest, new Map(extra)).format(text);
});

class BraceFormat {
  readonly #thread: Thread;
  readonly #args: readonly Value[];
  readonly #named: ReadonlyMap<string, Value>;
  #next = 0;
  #numbering: "none" | "automatic" | "manual" = "none";

  constructor(thread: Thread, args: readonly Value[], named: ReadonlyMap<string, Value>) {
    this.#thread = thread;
    this.#args = args;
    this.#named = named;
  }

  format(text: string): string {
    this.#thread.chargeText(text.length);
    const parts: string[] = [];
    let done = 0;
    // One by one, as the first that fails ends it: a long text of nothing but braces would be a long list of matches.
    for (let at = nextBrace(text, 0); at !== -1; at = nextBrace(text, done)) {
      PIECE_REGEXP.lastIndex = at;
      const [piece = "", field] = PIECE_REGEXP.exec(text) ?? [];
      const shown = this.#piece(piece, field ?? "");
      this.#thread.charge(1);
      this.#thread.chargeText(shown.length);
      parts.push(text.slice(done, at), shown);
      done = at + piece.length;
    }
    return parts.join("") + text.slice(done);
  }

  #piece(piece: string, field: string): string {
    if (piece === "{{") return "{";
    if (piece === "}}") return "}";
    if (piece === "{") throw new Fault("format: unmatched { in format");
    if (piece === "}") throw new Fault("format: single } in format");
    return this.#field(field);
  }

  #field(field: string): string {
    const [head = "", ...specs] = field.split(":");
    if (specs.some((spec) => spec !== "")) {
      throw new Fault("format: format specs are not supported in replacement fields");
    }
    const [name = "", conversion, ...more] = head.split("!");
    const value = this.#value(name);
    if (conversion === undefined || (conversion === "s" && more.length === 0)) return str(value, this.#thread);
    if (conversion === "r" && more.length === 0) return repr(value, this.#thread);
    throw new Fault(`format: unknown conversion ${JSON.stringify([conversion, ...more].join("!"))}`);
  }

  #value(name: string): Value {
    if (name === "") {
      this.#number("automatic");
      return this.#at(this.#next++);
    }
    if (POSITION_REGEXP.test(name)) {
      this.#number("manual");
      return this.#at(Number(name));
    }
    if (/[.[\],]/.test(name)) {
      throw new Fault(`format: attribute syntax is not supported in replacement fields: ${name}`);
    }
    const value = this.#named.get(name);
    if (value === undefined) throw new Fault(`format: keyword ${name} not found`);
    return value;
  }

  #at(index: number): Value {
    const value = this.#args[index];
    if (value === undefined) throw new Fault("format: tuple index out of range");
    return value;
  }

  #number(numbering: "automatic" | "manual"): void {
    if (this.#numbering !== "none" && this.#numbering !== numbering) {
      throw new Fault("format: cannot mix automatic and manual numbering of fields");
    }
    this.#numbering = numbering;
  }
}

/** Where the next brace stands, or -1. */
function nextBrace(text: string, from: number): number {
  BRACE_REGEXP.lastIndex = from;
  return BRACE_REGEXP.exec(text)?.index ?? -1;
}
