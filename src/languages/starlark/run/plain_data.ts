/** Owns the step from a script's values back to plain data. */

import { elements, isIterable } from "../operations/iteration.ts";
import { type DictRecord, setMember, StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkBytes, StarlarkFloat, StarlarkObject, typeName, type Value } from "../values/value.ts";

/** How deep data that a script built may nest. */
const DATA_DEPTH_MAX = 500;
const NAME_REGEXP = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** Turns values into plain data. Lists and dicts that nothing was written to give the very data they were read from. */
export class PlainData {
  readonly #thread: Thread;
  /** Whether byte strings may stand in the data. */
  readonly #allowsBytes: boolean;
  readonly #open: StarlarkObject[] = [];
  readonly #path: string[];

  /** `root` names the data in faults. */
  constructor(thread: Thread, root: string, allowsBytes: boolean) {
    this.#thread = thread;
    this.#allowsBytes = allowsBytes;
    this.#path = [root];
  }

  /** @throws {Fault} naming the field that plain data cannot hold. */
  of(value: unknown): unknown {
    if (typeof value === "number" && !Number.isFinite(value)) throw this.#fault(`is ${String(value)}, no JSON number`);
    if (!(value instanceof StarlarkObject)) return value;
    if (value instanceof StarlarkFloat) return value.value;
    if (value instanceof StarlarkBytes) {
      if (this.#allowsBytes) return value.bytes;
      throw this.#fault("is bytes, which it cannot hold");
    }
    if ((value instanceof StarlarkList || value instanceof StarlarkDict) && value.isUntouched) {
      return value instanceof StarlarkDict ? value.record : value.kept;
    }
    return this.#container(value);
  }

  #container(value: StarlarkObject): unknown {
    if (this.#open.includes(value)) throw this.#fault("holds itself, which has no end");
    if (this.#open.length >= DATA_DEPTH_MAX) throw this.#fault(`nests deeper than ${DATA_DEPTH_MAX} levels`);
    this.#open.push(value);
    const data = this.#content(value);
    this.#open.pop();
    return data;
  }

  #content(value: StarlarkObject): unknown {
    if (value instanceof StarlarkDict) return this.#dict(value);
    if (value instanceof StarlarkList) return this.#list(value.kept);
    if (isIterable(value)) return this.#list(elements(value, this.#thread));
    throw this.#fault(`is ${typeName(value)}, which it cannot hold`);
  }

  #list(items: readonly unknown[]): unknown[] {
    this.#thread.charge(items.length);
    return items.map((item, index) => this.#member(`[${index}]`, item));
  }

  #member(name: string, value: unknown): unknown {
    if (typeof value === "string") this.#thread.chargeText(value.length);
    if (!(value instanceof StarlarkObject) && typeof value !== "number") return value;
    this.#path.push(name);
    const data = this.of(value);
    this.#path.pop();
    return data;
  }

  #dict(dict: StarlarkDict): DictRecord {
    if (dict.isRecord) return this.#record(dict.record);
    const data: DictRecord = {};
    const values = dict.values();
    this.#thread.charge(values.length);
    for (const [index, key] of dict.keys().entries()) {
      if (typeof key !== "string") throw this.#fault(`has a key that is ${typeName(key)}; keys must be strings`);
      setMember(data, key, this.#member(fieldName(key), values[index]));
    }
    return data;
  }

  /** A copy of a message's object; only what the script put there needs turning. */
  #record(record: DictRecord): DictRecord {
    const data = { ...record };
    this.#thread.chargeElements(Object.keys(record).length);
    for (const key of Object.keys(record)) {
      const value = record[key];
      if (typeof value !== "object" && typeof value !== "number") continue;
      const member = this.#member(fieldName(key), value);
      if (member !== value) setMember(data, key, member);
    }
    return data;
  }

  #fault(problem: string): Fault {
    return new Fault(`${this.#path.join("")} ${problem}`);
  }
}

function fieldName(key: string): string {
  return NAME_REGEXP.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Plain data of a value that may be data of a message. `root` names it in faults. */
export function plainData(value: Value, thread: Thread, root: string): unknown {
  return new PlainData(thread, root, true).of(value);
}
