/** Owns the writing of values as JSON text. */

import { floatText } from "../operations/float_text.ts";
import { intText } from "../operations/integer.ts";
import { elements, isIterable } from "../operations/iteration.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { floatOf, isInt, type StarlarkObject, typeName, type Value } from "../values/value.ts";

/** How deep written data may nest. */
const JSON_DEPTH_MAX = 500;

/** Writes a value as JSON without spaces; keys of objects in order of their text. @throws {Fault} */
export function writeJson(value: Value, thread: Thread): string {
  const writer = new JsonWriter(thread);
  writer.write(value);
  return writer.text();
}

class JsonWriter {
  readonly #thread: Thread;
  readonly #parts: string[] = [];
  readonly #open: StarlarkObject[] = [];
  readonly #path: string[] = [];

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  text(): string {
    return this.#parts.join("");
  }

  #put(text: string): void {
    this.#thread.chargeText(text.length);
    this.#parts.push(text);
  }

  write(value: Value): void {
    this.#thread.charge(1);
    if (value === null) return this.#put("null");
    if (typeof value === "boolean") return this.#put(String(value));
    if (typeof value === "string") return this.#put(JSON.stringify(value));
    if (isInt(value)) return this.#put(intText(value, this.#thread));
    const number = floatOf(value);
    if (number === undefined) return this.#container(value as StarlarkObject);
    if (!Number.isFinite(number)) throw this.#fault(`cannot encode non-finite float ${floatText(number)}`);
    this.#put(floatText(number));
  }

  #container(value: StarlarkObject): void {
    if (!isIterable(value)) throw this.#fault(`cannot encode ${typeName(value)} as JSON`);
    if (this.#open.includes(value)) throw this.#fault("cycle in the value: it holds itself");
    if (this.#open.length >= JSON_DEPTH_MAX) throw this.#fault(`nested deeper than ${JSON_DEPTH_MAX} levels`);
    this.#open.push(value);
    if (value instanceof StarlarkDict) this.#dict(value);
    else this.#array(elements(value, this.#thread));
    this.#open.pop();
  }

  #array(items: readonly Value[]): void {
    this.#parts.push("[");
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#parts.push(",");
      this.#path.push(`at index ${index}`);
      this.write(item);
      this.#path.pop();
    }
    this.#parts.push("]");
  }

  #dict(dict: StarlarkDict): void {
    const keys = dict.keys().map((key) => {
      if (typeof key !== "string") throw this.#fault(`dict has ${typeName(key)} key, want string`);
      return key;
    });
    this.#thread.charge(keys.length);
    this.#parts.push("{");
    for (const [index, key] of keys.sort().entries()) {
      if (index > 0) this.#parts.push(",");
      this.#put(JSON.stringify(key));
      this.#parts.push(":");
      this.#path.push(`in key ${JSON.stringify(key)}`);
      this.write(dict.getMember(key) ?? null);
      this.#path.pop();
    }
    this.#parts.push("}");
  }

  #fault(problem: string): Fault {
    return new Fault(["json.encode:", ...this.#path.map((step) => `${step}:`), problem].join(" "));
  }
}
