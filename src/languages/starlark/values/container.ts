/** Owns what lists and dicts share: data of a message read in place, and copied on the first write. */

import { MutableObject } from "./mutable.ts";

/** Where a container was found inside another one. */
export type Slot = string | number;

/**
 * A list or dict. One that was read from a message stands over the message's own data, which it never changes: its
 * first write makes it a copy, and puts it in place of the original in the container it came from, which thereby
 * becomes a copy itself, up to the root. What was not written to stays shared.
 */
export abstract class Container extends MutableObject {
  /** The container this one was read from, until it is a copy of its own or was replaced there. */
  protected abstract parent: Container | null;
  /** Where in {@linkcode Container.parent} it was read from. */
  protected abstract readonly slot: Slot;

  /** Cuts the link to the container it was read from: its place there is taken by something else. */
  detach(): void {
    this.parent = null;
  }

  /** Makes the content a copy that may be changed, here and in all containers above. */
  protected abstract own(): void;

  /** Takes back a child that is now a copy, in place of the original. */
  abstract adopt(child: Container, slot: Slot): void;

  /** Hands this container, now a copy, to the one it was read from. */
  protected replaceInParent(): void {
    const { parent } = this;
    this.parent = null;
    parent?.adopt(this, this.slot);
  }
}
