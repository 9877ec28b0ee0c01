/** Owns the dict. */

import { Container, type Slot } from "./container.ts";
import { Fault } from "./fault.ts";
import { hashKey } from "./hash.ts";
import { StarlarkFloat, type Value } from "./value.ts";
import { isRaw, wrap } from "./wrap.ts";

/** Members by name: a JavaScript object that only ever holds own data properties. */
export type DictRecord = Record<string, unknown>;

/** Stands for the record of a dict that has none. */
export const EMPTY_RECORD: DictRecord = Object.freeze({});

/**
 * How writing goes: `fresh` is the root of a message's data before its first write, `free` is a copy that may simply
 * be written to, `guarded` needs the checks of {@linkcode StarlarkDict.set}. Numbers, as compiled scripts test them.
 */
export const DICT_FRESH = 0;
/** See {@linkcode DICT_FRESH}. */
export const DICT_FREE = 1;
/** See {@linkcode DICT_FRESH}. */
export const DICT_GUARDED = 2;

/** Most members of a record that is copied to take one out; larger ones become a map for good. */
const RECORD_COPY_MAX = 32;

/**
 * A dict in one of two forms. As a *record* it stands over an object whose members may be plain data: a message's own
 * object or a copy of it. As a *map* it takes any keys and keeps values only. A record becomes a map when it has to.
 */
export class StarlarkDict extends Container {
  override frozen = false;
  protected override iterating = 0;
  protected override parent: Container | null;
  protected override readonly slot: Slot;
  /** The members by name, or {@linkcode EMPTY_RECORD} for a map. Compiled scripts read and write it directly. */
  record: DictRecord;
  /** The record while all members in it are plain data, else {@linkcode EMPTY_RECORD}. */
  plain: DictRecord;
  /** Keys of a record under which something was put that is no plain data; null for none. A key may be there twice. */
  marked: string[] | null = null;
  /** One of {@linkcode DICT_FRESH}, {@linkcode DICT_FREE}, {@linkcode DICT_GUARDED}. */
  mode: number;
  /** Whether {@linkcode StarlarkDict.record} is its own object, not a message's. */
  owned: boolean;
  /** Values by {@linkcode hashKey}; null for a record. */
  #map: Map<unknown, Value> | null;
  /** Keys that are not their own hash key. */
  #keys: Map<unknown, Value> | null = null;
  /** Whether a record is known to have members: to look for the first takes time when there are many. */
  #hasMembers = false;
  /** Number of members of a record that is a message's own; -1 until they were counted. */
  #size = -1;
  /** A container made of a plain member, and further ones: a member is always the same value. Most scripts open one. */
  #childKey = "";
  #child: Container | null = null;
  #children: Map<string, Container> | null = null;

  private constructor(record: DictRecord | null, parent: Container | null, slot: Slot) {
    super();
    this.parent = parent;
    this.slot = slot;
    this.record = record ?? EMPTY_RECORD;
    this.plain = this.record;
    this.owned = record === null;
    this.#map = record === null ? new Map() : null;
    this.mode = record !== null && parent === null ? DICT_FRESH : DICT_GUARDED;
  }

  /** An empty dict. */
  static empty(): StarlarkDict {
    return new StarlarkDict(null, null, "");
  }

  /** A dict that reads a message's object in place. */
  static over(record: DictRecord, parent: Container | null, slot: Slot): StarlarkDict {
    return new StarlarkDict(record, parent, slot);
  }

  /** A dict with the members of an object that belongs to nobody else. */
  static owning(record: DictRecord): StarlarkDict {
    const dict = new StarlarkDict(record, null, "");
    dict.owned = true;
    dict.mode = DICT_FREE;
    return dict;
  }

  override get type(): string {
    return "dict";
  }

  /** Number of members. */
  get size(): number {
    if (this.#map !== null) return this.#map.size;
    if (this.owned) return Object.keys(this.record).length;
    if (this.#size === -1) this.#size = Object.keys(this.record).length;
    return this.#size;
  }

  /** Whether there are no members; quick, however many there are. */
  get isEmpty(): boolean {
    if (this.#map !== null) return this.#map.size === 0;
    if (this.#hasMembers) return false;
    for (const key in this.record) {
      if (!Object.hasOwn(this.record, key)) continue;
      this.#hasMembers = true;
      return false;
    }
    return true;
  }

  /** The value of a key, or undefined. @throws {Fault} when the key cannot be hashed. */
  get(key: Value): Value | undefined {
    if (this.#map !== null) return this.#map.get(hashKey(key));
    if (typeof key === "string") return this.getMember(key);
    hashKey(key);
    return undefined;
  }

  /** The value of a key that is a string, or undefined. */
  getMember(key: string): Value | undefined {
    if (this.#map !== null) return this.#map.get(hashKey(key));
    const found = this.record[key];
    if (typeof found !== "object" && typeof found !== "function") return found as Value | undefined;
    if (!Object.hasOwn(this.record, key)) return undefined;
    return this.open(found, key);
  }

  /** The value of what was found in {@linkcode StarlarkDict.record} under its own key. Compiled scripts call it. */
  open(found: unknown, key: string): Value {
    return isRaw(found) ? this.#wrap(found, key) : found as Value;
  }

  #wrap(found: object, key: string): Value {
    const known = this.#childKey === key && this.#child !== null ? this.#child : this.#children?.get(key);
    if (known !== undefined) return known;
    const value = wrap(found, this, key);
    if (!(value instanceof Container)) return value;
    if (this.#child === null) {
      this.#childKey = key;
      this.#child = value;
    } else (this.#children ??= new Map()).set(key, value);
    this.mode = DICT_GUARDED;
    return value;
  }

  /** Whether the key is there. @throws {Fault} when the key cannot be hashed. */
  has(key: Value): boolean {
    if (this.#map !== null) return this.#map.has(hashKey(key));
    if (typeof key === "string") return Object.hasOwn(this.record, key);
    hashKey(key);
    return false;
  }

  /** Sets a key. @throws {Fault} when the dict may not be changed or the key cannot be hashed. */
  set(key: Value, value: Value): void {
    this.checkMutable("insert into");
    this.own();
    if (this.#map === null && typeof key !== "string") this.#becomeMap(hashKey(key));
    if (this.#map !== null) return this.#setInMap(key, value);
    const name = key as string;
    this.#dropChild(name);
    setMember(this.record, name, value);
    if (!isPlain(value)) this.mark(name);
  }

  /** Notes that the record holds something under a key that is no plain data. Compiled scripts call it as they write. */
  mark(key: string): void {
    this.plain = EMPTY_RECORD;
    if (this.marked === null) this.marked = [key];
    else this.marked.push(key);
  }

  #setInMap(key: Value, value: Value): void {
    const hash = hashKey(key);
    const map = this.#map as Map<unknown, Value>;
    if (hash !== key && !map.has(hash)) (this.#keys ??= new Map()).set(hash, key);
    map.set(hash, value);
  }

  /** Takes a key out and gives its value, or undefined when it was not there. */
  delete(key: Value): Value | undefined {
    this.checkMutable("delete from");
    const value = this.get(key);
    if (value === undefined) return undefined;
    this.own();
    if (this.#map === null && this.size > RECORD_COPY_MAX) this.#becomeMap();
    if (this.#map !== null) {
      const hash = hashKey(key);
      this.#map.delete(hash);
      this.#keys?.delete(hash);
      return value;
    }
    this.#hasMembers = false;
    // Copied without the key: an object that lost a property is slow for all who read it later.
    const { [key as string]: _, ...rest } = this.record;
    this.#dropChild(key as string);
    this.plain = this.plain === this.record ? rest : EMPTY_RECORD;
    this.record = rest;
    return value;
  }

  /** Takes all keys out. */
  clear(): void {
    this.checkMutable("clear");
    this.own();
    this.#dropChildren();
    this.record = EMPTY_RECORD;
    this.plain = EMPTY_RECORD;
    this.mode = DICT_GUARDED;
    this.#map = new Map();
    this.#keys = null;
  }

  /** The keys in order: a new array. */
  keys(): Value[] {
    if (this.#map === null) return Object.keys(this.record);
    const keys = [...this.#map.keys()];
    if (this.#keys === null) return keys as Value[];
    return keys.map((hash) => this.#keys?.get(hash) ?? hash as Value);
  }

  /** The values in the order of the keys: a new array. */
  values(): Value[] {
    if (this.#map !== null) return [...this.#map.values()];
    return Object.keys(this.record).map((key) => this.getMember(key) ?? null);
  }

  override lock(): void {
    super.lock();
    this.#updateMode();
  }

  override unlock(): void {
    super.unlock();
    this.#updateMode();
  }

  /** Marks the dict as never to be changed again. */
  freeze(): this {
    this.frozen = true;
    this.mode = DICT_GUARDED;
    return this;
  }

  /** Whether plain data would be the same as what the dict was made over. */
  get isUntouched(): boolean {
    return !this.owned;
  }

  /** Whether the dict is a record; a map otherwise. */
  get isRecord(): boolean {
    return this.#map === null;
  }

  /** Makes {@linkcode StarlarkDict.record} a copy that may be written to. Compiled scripts do it themselves when fresh. */
  protected override own(): void {
    if (this.owned) return;
    this.record = { ...this.record };
    this.plain = this.plain === EMPTY_RECORD ? EMPTY_RECORD : this.record;
    this.owned = true;
    this.replaceInParent();
    this.#updateMode();
  }

  override adopt(child: Container, slot: Slot): void {
    this.own();
    const key = slot as string;
    this.#forgetChild(key);
    if (this.#map !== null) this.#setInMap(key, child);
    else {
      setMember(this.record, key, child);
      this.mark(key);
    }
    this.#updateMode();
  }

  #updateMode(): void {
    if (this.#child !== null || this.#children !== null || this.frozen || this.iterating > 0 || this.#map !== null) {
      this.mode = DICT_GUARDED;
    } else if (this.owned) this.mode = DICT_FREE;
    else this.mode = this.parent === null ? DICT_FRESH : DICT_GUARDED;
  }

  /**
   * Makes the record plain data where floats are all that keeps it from being that; false when more does. For the end
   * of a run: afterwards its whole floats read as ints.
   */
  settleFloats(): boolean {
    const { record, marked } = this;
    if (marked === null) return true;
    for (let at = 0; at < marked.length; at++) {
      const key = marked[at] as string;
      const value = record[key];
      if (value instanceof StarlarkFloat) setMember(record, key, value.value);
      // A key that was taken out again has no value.
      else if (value !== undefined && !isPlain(value as Value)) return false;
    }
    return true;
  }

  /** Turns a record into a map. `_hash` was computed for its failure: an unhashable key changes nothing. */
  #becomeMap(_hash?: unknown): void {
    const map = new Map<unknown, Value>();
    const keys = Object.keys(this.record);
    const values = this.values();
    this.#dropChildren();
    this.record = EMPTY_RECORD;
    this.plain = EMPTY_RECORD;
    this.#map = map;
    for (const [index, key] of keys.entries()) this.#setInMap(key, values[index] ?? null);
    this.mode = DICT_GUARDED;
  }

  #dropChild(key: string): void {
    this.#forgetChild(key)?.detach();
    this.#updateMode();
  }

  /** Takes out the value made of a plain member, and gives it. */
  #forgetChild(key: string): Container | undefined {
    const first = this.#child;
    if (first !== null && this.#childKey === key) {
      this.#child = null;
      return first;
    }
    const child = this.#children?.get(key);
    if (child === undefined) return undefined;
    this.#children?.delete(key);
    if (this.#children?.size === 0) this.#children = null;
    return child;
  }

  #dropChildren(): void {
    this.#child?.detach();
    this.#child = null;
    for (const child of this.#children?.values() ?? []) child.detach();
    this.#children = null;
  }
}

/** Longest text that leaves a run without being paid for once more. */
const FREE_TEXT_CHARACTERS = 256;

/**
 * Whether a value is plain data that may leave a run as it is: no object of ours, no number outside JSON, and nothing
 * that is long to write down, as a script may put it in many places.
 */
export function isPlain(value: Value): boolean {
  if (typeof value === "number") return value - value === 0;
  if (typeof value === "string") return value.length <= FREE_TEXT_CHARACTERS;
  return typeof value === "boolean" || value === null;
}

/** Sets an own property, whatever its name is. */
export function setMember(record: DictRecord, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** The fault of a key that is not there. `shown` is the key as `repr` writes it. */
export function missingKey(shown: string): Fault {
  return new Fault(`key ${shown} not in dict`);
}
