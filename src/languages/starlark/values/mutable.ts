/** Owns what may be changed, and when not: frozen for ever, or while it is iterated over. */

import { Fault } from "./fault.ts";
import { StarlarkObject } from "./value.ts";

/**
 * A list, dict or set. Its fields are made by the classes below it: the engine builds objects whose fields are all made in
 * one constructor several times faster.
 */
export abstract class MutableObject extends StarlarkObject {
  /** Frozen objects are never changed again. */
  abstract frozen: boolean;
  /** Iterations going on; meanwhile nothing may be changed. */
  protected abstract iterating: number;

  /** Begins an iteration. */
  lock(): void {
    if (!this.frozen) this.iterating++;
  }

  /** Ends an iteration. */
  unlock(): void {
    if (!this.frozen) this.iterating--;
  }

  /** @throws {Fault} when nothing may be changed now; `action` says what was attempted. */
  checkMutable(action: string): void {
    if (this.frozen) throw new Fault(`cannot ${action} frozen ${this.type}`);
    if (this.iterating > 0) throw new Fault(`cannot ${action} ${this.type} during iteration`);
  }
}
