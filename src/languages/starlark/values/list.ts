/** Owns the list. */

import { Container, type Slot } from "./container.ts";
import type { Value } from "./value.ts";
import { isRaw, wrap } from "./wrap.ts";

/** A list. Over a message's data its items may be plain data, which becomes values when read. */
export class StarlarkList extends Container {
  override frozen = false;
  protected override iterating = 0;
  protected override parent: Container | null;
  protected override readonly slot: Slot;
  #items: unknown[];
  /** Whether {@linkcode StarlarkList.#items} is its own array, not a message's. */
  #owned: boolean;
  /** Whether some item may still be plain data. */
  #mayBeRaw: boolean;
  /** Values made of plain items while the array is not its own, so that an item is always the same value. */
  #children: (Value | undefined)[] | null = null;

  private constructor(items: unknown[], owned: boolean, parent: Container | null, slot: Slot) {
    super();
    this.parent = parent;
    this.slot = slot;
    this.#items = items;
    this.#owned = owned;
    this.#mayBeRaw = !owned;
  }

  /** A list of values; it takes the array as its own. */
  static of(items: Value[]): StarlarkList {
    return new StarlarkList(items, true, null, 0);
  }

  /** A list that reads a message's array in place. */
  static over(items: unknown[], parent: Container | null, slot: Slot): StarlarkList {
    return new StarlarkList(items, false, parent, slot);
  }

  override get type(): string {
    return "list";
  }

  /** Number of items. */
  get length(): number {
    return this.#items.length;
  }

  /** The item at a position within the list. */
  at(index: number): Value {
    const item = this.#items[index];
    return typeof item === "object" && this.#mayBeRaw && isRaw(item) ? this.#wrap(item, index) : item as Value;
  }

  #wrap(item: object, index: number): Value {
    const known = this.#children?.[index];
    if (known !== undefined) return known;
    const value = wrap(item, this.#owned ? null : this, index);
    if (this.frozen && value instanceof Container) value.frozen = true;
    if (this.#owned) this.#items[index] = value;
    else (this.#children ??= [])[index] = value;
    return value;
  }

  /** All items; the array may be the list's own and must not be changed. */
  values(): readonly Value[] {
    if (!this.#mayBeRaw) return this.#items as Value[];
    const values: Value[] = [];
    for (let index = 0; index < this.#items.length; index++) values.push(this.at(index));
    return values;
  }

  /** Ends an iteration that {@linkcode Container.lock} began. */
  close(): void {
    this.unlock();
  }

  /** Replaces the item at a position within the list. */
  set(index: number, value: Value): void {
    this.checkMutable("assign to element of");
    this.own();
    this.#items[index] = value;
  }

  /** Adds an item at the end. */
  append(value: Value): void {
    this.checkMutable("append to");
    this.own();
    this.#items.push(value);
  }

  /** Adds items at the end. */
  extend(values: readonly Value[]): void {
    this.checkMutable("extend");
    this.own();
    for (let index = 0, count = values.length; index < count; index++) this.#items.push(values[index]);
  }

  /** Puts an item before the position. */
  insert(index: number, value: Value): void {
    this.checkMutable("insert into");
    this.own();
    this.#items.splice(index, 0, value);
  }

  /** Takes out the item at a position within the list. */
  remove(index: number, action: string): Value {
    this.checkMutable(action);
    this.own();
    const value = this.at(index);
    this.#items.splice(index, 1);
    return value;
  }

  /** Takes out all items. */
  clear(): void {
    this.checkMutable("clear");
    this.own();
    this.#items = [];
  }

  /** Whether plain data would be the same as what the list was made over. */
  get isUntouched(): boolean {
    return !this.#owned;
  }

  /** The items as they are kept, values and plain data mixed: for turning the list into plain data. */
  get kept(): readonly unknown[] {
    return this.#items;
  }

  protected override own(): void {
    if (this.#owned) return;
    this.#items = this.#items.slice();
    this.#owned = true;
    if (this.#children !== null) {
      // Visits those that are there only.
      this.#children.forEach((child, index) => {
        this.#items[index] = child;
        if (child instanceof Container) child.detach();
      });
      this.#children = null;
    }
    this.replaceInParent();
  }

  override adopt(child: Container, slot: Slot): void {
    this.own();
    this.#items[slot as number] = child;
  }
}
