/** Owns the step from a script's values back to plain data. */

import { chargeProduct } from "../operations/integer.ts";
import { elements, isIterable } from "../operations/iteration.ts";
import { type DictRecord, setMember, StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkBytes, StarlarkFloat, StarlarkObject, typeName } from "../values/value.ts";

/** How deep data that a script built, or made metadata of, may nest. */
const DATA_DEPTH_MAX = 500;
/** Nodes of copied data that one step pays for. */
const STEP_NODES = 8;
/** Characters of a key that cost nothing; one step pays for so many more. */
const FREE_KEY_CHARACTERS = 128;
const NAME_REGEXP = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** Takes the steps for writing an int down: its digits cost the square of their number. */
function payInt(value: bigint, thread: Thread): void {
  chargeProduct(thread, value, value);
}

/** Turns values into plain data. Lists and dicts that nothing was written to give the very data they were read from. */
export class PlainData {
  readonly #thread: Thread;
  /** Whether the data are metadata, which a store keeps as text: they hold no byte strings and have a deepest level. */
  readonly #isMeta: boolean;
  readonly #open: StarlarkObject[] = [];
  /** Containers turned so far. What a message brought along is paid for where one of them comes again. */
  readonly #seen = new Set<StarlarkObject>();
  #repeats = 0;
  readonly #root: string;
  readonly #path: (string | number)[] = [];

  /** `root` says what the data are, and names them in faults. */
  constructor(thread: Thread, root: "payload" | "meta") {
    this.#thread = thread;
    this.#isMeta = root === "meta";
    this.#root = root;
  }

  /** @throws {Fault} naming the field that plain data cannot hold. */
  of(value: unknown): unknown {
    if (typeof value === "number" && !Number.isFinite(value)) throw this.#fault(`is ${String(value)}, no JSON number`);
    if (!(value instanceof StarlarkObject)) return value;
    if (value instanceof StarlarkFloat) return value.value;
    if (value instanceof StarlarkBytes) {
      if (this.#isMeta) throw this.#fault("is bytes, which it cannot hold");
      this.#thread.chargeText(value.bytes.length);
      return value.bytes;
    }
    if ((value instanceof StarlarkList || value instanceof StarlarkDict) && value.isUntouched) {
      const data = value instanceof StarlarkDict ? value.record : value.kept;
      // A script may have put the same data in many places, each of which will be written out in full.
      if (this.#open.length > 0 || this.#isMeta) this.#passOver(data);
      return data;
    }
    return this.#container(value);
  }

  /** Pays for data that is kept as it came, level by level, and looks at what is to be metadata. */
  #passOver(data: unknown): void {
    let level: unknown[] = [data];
    let count = 0;
    for (let depth = this.#open.length; level.length > 0; depth++) {
      const inner: unknown[] = [];
      for (const next of level) {
        if (++count % STEP_NODES === 0) this.#thread.charge(1);
        if (typeof next === "string") this.#thread.chargeText(next.length);
        else if (typeof next === "bigint") payInt(next, this.#thread);
        else if (typeof next !== "object" || next === null) continue;
        else if (Array.isArray(next)) { for (const item of next) inner.push(item); }
        else if (!ArrayBuffer.isView(next)) this.#openMembers(next as DictRecord, inner);
        else if (!this.#isMeta) this.#thread.chargeText(next.byteLength);
        else throw this.#fault("holds bytes, which it cannot hold");
      }
      if (this.#isMeta && depth >= DATA_DEPTH_MAX && inner.length > 0) throw this.#tooDeep();
      level = inner;
    }
  }

  #openMembers(record: DictRecord, into: unknown[]): void {
    for (const key of Object.keys(record)) {
      this.#thread.charge(Math.floor(key.length / FREE_KEY_CHARACTERS));
      into.push(record[key]);
    }
  }

  #container(value: StarlarkObject): unknown {
    if (this.#open.includes(value)) throw this.#fault("holds itself, which has no end");
    if (this.#open.length >= DATA_DEPTH_MAX) throw this.#tooDeep();
    const isRepeat = this.#seen.has(value);
    if (isRepeat) this.#repeats++;
    else this.#seen.add(value);
    this.#open.push(value);
    const data = this.#content(value);
    this.#open.pop();
    if (isRepeat) this.#repeats--;
    return data;
  }

  #content(value: StarlarkObject): unknown {
    if (value instanceof StarlarkDict) return this.#dict(value);
    if (value instanceof StarlarkList) return this.#list(value.kept);
    if (isIterable(value)) return this.#list(elements(value, this.#thread));
    throw this.#fault(`is ${typeName(value)}, which it cannot hold`);
  }

  #list(items: readonly unknown[]): unknown[] {
    this.#thread.charge(1 + items.length);
    return items.map((item, index) => this.#member(index, item));
  }

  #member(name: string | number, value: unknown): unknown {
    if (typeof value === "string") this.#thread.chargeText(value.length);
    else if (typeof value === "bigint") payInt(value, this.#thread);
    if (value instanceof StarlarkFloat) return value.value;
    if (!(value instanceof StarlarkObject) && typeof value !== "number") {
      if (this.#repeats > 0 && typeof value === "object") this.#passOver(value);
      return value;
    }
    this.#path.push(name);
    const data = this.of(value);
    this.#path.pop();
    return data;
  }

  #dict(dict: StarlarkDict): DictRecord {
    if (dict.isRecord) return this.#record(dict);
    const data: DictRecord = {};
    const values = dict.values();
    this.#thread.charge(1 + values.length);
    for (const [index, key] of dict.keys().entries()) {
      if (typeof key !== "string") throw this.#fault(`has a key that is ${typeName(key)}; keys must be strings`);
      this.#thread.charge(Math.floor(key.length / FREE_KEY_CHARACTERS));
      setMember(data, key, this.#member(key, values[index]));
    }
    return data;
  }

  /** A copy of a message's object; only what the script put there needs turning. */
  #record({ record, marked }: StarlarkDict): DictRecord {
    if (this.#repeats > 0) this.#passOver(unmarkedOf(record, marked));
    if (marked === null) return record;
    const data = { ...record };
    this.#thread.chargeElements(marked.length);
    for (const key of marked) {
      // A marked key may be gone by now.
      if (Object.hasOwn(record, key)) setMember(data, key, this.#member(key, record[key]));
    }
    return data;
  }

  #tooDeep(): Fault {
    return this.#fault(`nests deeper than ${DATA_DEPTH_MAX} levels`);
  }

  #fault(problem: string): Fault {
    return new Fault(`${this.#root}${this.#path.map(stepText).join("")} ${problem}`);
  }
}

function stepText(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return NAME_REGEXP.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The members that a script did not put there. */
function unmarkedOf(record: DictRecord, marked: readonly string[] | null): unknown[] {
  const own = new Set(marked);
  return Object.keys(record).filter((key) => !own.has(key)).map((key) => record[key]);
}
