/** Owns the writing of values as JSON text. */

import { floatText } from "../operations/float_text.ts";
import { intText } from "../operations/integer.ts";
import { elements, isIterable } from "../operations/iteration.ts";
import { PaidText } from "../operations/paid_text.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { floatOf, isInt, type StarlarkObject, typeName, type Value } from "../values/value.ts";

/** How deep written data may nest. */
const JSON_DEPTH_MAX = 500;
/** Characters that escapes add, that one step pays for. */
const STEP_ESCAPED = 32;

/** Writes a value as JSON without spaces; keys of objects in order of their text. @throws {Fault} */
export function writeJson(value: Value, thread: Thread): string {
  const writer = new JsonWriter(thread);
  writer.write(value);
  return writer.text();
}

class JsonWriter {
  readonly #thread: Thread;
  readonly #out: PaidText;
  readonly #open: StarlarkObject[] = [];
  readonly #path: string[] = [];

  constructor(thread: Thread) {
    this.#thread = thread;
    this.#out = new PaidText(thread);
  }

  text(): string {
    return this.#out.whole();
  }

  write(value: Value): void {
    this.#thread.charge(1);
    if (value === null) return this.#out.put("null");
    if (typeof value === "boolean") return this.#out.put(String(value));
    if (typeof value === "string") return this.#text(value);
    if (isInt(value)) return this.#out.put(intText(value, this.#thread));
    const number = floatOf(value);
    if (number === undefined) return this.#container(value as StarlarkObject);
    if (!Number.isFinite(number)) throw this.#fault(`cannot encode non-finite float ${floatText(number)}`);
    this.#out.put(floatText(number));
  }

  /** Paid for before it is written, as escapes make it longer, and for these once more. */
  #text(text: string): void {
    this.#thread.chargeText(text.length);
    const written = JSON.stringify(text);
    this.#thread.charge(Math.floor((written.length - text.length) / STEP_ESCAPED));
    this.#out.put(written);
  }

  #container(value: StarlarkObject): void {
    if (!isIterable(value)) throw this.#fault(`cannot encode ${typeName(value)} as JSON`);
    if (this.#open.includes(value)) throw this.#fault("cycle in the value: it holds itself");
    if (this.#open.length >= JSON_DEPTH_MAX) throw this.#fault(`nested deeper than ${JSON_DEPTH_MAX} levels`);
    this.#open.push(value);
    if (value instanceof StarlarkDict) this.#dict(value);
    else this.#array(typeName(value), elements(value, this.#thread));
    this.#open.pop();
  }

  #array(type: string, items: readonly Value[]): void {
    this.#out.punctuate("[");
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#out.punctuate(",");
      this.#path.push(`at ${type} index ${index}`);
      this.write(item);
      this.#path.pop();
    }
    this.#out.punctuate("]");
  }

  #dict(dict: StarlarkDict): void {
    const keys = dict.keys().map((key) => {
      if (typeof key !== "string") throw this.#fault(`dict has ${typeName(key)} key, want string`);
      return key;
    });
    this.#thread.charge(keys.length);
    this.#out.punctuate("{");
    for (const [index, key] of keys.sort().entries()) {
      if (index > 0) this.#out.punctuate(",");
      this.#out.put(JSON.stringify(key));
      this.#out.punctuate(":");
      this.#path.push(`in dict key ${JSON.stringify(key)}`);
      this.write(dict.getMember(key) ?? null);
      this.#path.pop();
    }
    this.#out.punctuate("}");
  }

  #fault(problem: string): Fault {
    return new Fault(["json.encode:", ...this.#path.map((step) => `${step}:`), problem].join(" "));
  }
}
