/** Owns the set. */

import { hashKey } from "./hash.ts";
import { MutableObject } from "./mutable.ts";
import type { Value } from "./value.ts";

/** A set, in the order its elements were added. */
export class StarlarkSet extends MutableObject {
  override frozen = false;
  protected override iterating = 0;
  readonly #elements = new Map<unknown, Value>();

  /** A set of the elements. @throws {Fault} when one cannot be hashed. */
  static of(elements: Iterable<Value>): StarlarkSet {
    const set = new StarlarkSet();
    for (const element of elements) set.#put(element);
    return set;
  }

  override get type(): string {
    return "set";
  }

  /** Number of elements. */
  get size(): number {
    return this.#elements.size;
  }

  #put(element: Value): void {
    const hash = hashKey(element);
    if (!this.#elements.has(hash)) this.#elements.set(hash, element);
  }

  /** Whether it holds an equal element. @throws {Fault} when the element cannot be hashed. */
  has(element: Value): boolean {
    return this.#elements.has(hashKey(element));
  }

  /** Adds an element unless an equal one is there. Allowed when nothing changes. */
  add(element: Value): void {
    if (this.has(element)) return;
    this.checkMutable("insert into");
    this.#put(element);
  }

  /** Takes an element out; false when it was not there. */
  delete(element: Value): boolean {
    if (!this.has(element)) return false;
    this.checkMutable("delete from");
    return this.#elements.delete(hashKey(element));
  }

  /** Takes all elements out. */
  clear(): void {
    this.checkMutable("clear");
    this.#elements.clear();
  }

  /** The elements in order: a new array. */
  values(): Value[] {
    return [...this.#elements.values()];
  }
}
