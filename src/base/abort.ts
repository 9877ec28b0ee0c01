/** Owns who aborts whom: controllers linked to their parents, deadlines, and waiting that an abort ends. */

import { type Clock, systemClock } from "./clock.ts";

/**
 * A controller that aborts by itself when any of its parents does, with that parent's reason. Dispose it when the work
 * it was made for has ended: it then listens to no parent any more. Disposing does not abort.
 */
export class LinkedController implements Disposable {
  readonly #controller = new AbortController();
  readonly #detach: (() => void)[] = [];

  constructor(...parents: readonly (AbortSignal | undefined)[]) {
    for (const parent of parents) {
      if (parent === undefined) continue;
      if (parent.aborted) {
        this.abort(parent.reason);
        return;
      }
      const relay = () => this.abort(parent.reason);
      parent.addEventListener("abort", relay, { once: true });
      this.#detach.push(() => parent.removeEventListener("abort", relay));
    }
  }

  /** Aborted by a parent or by {@linkcode LinkedController.abort}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the signal, if it is not yet, and lets go of the parents. */
  abort(reason?: unknown): void {
    this[Symbol.dispose]();
    this.#controller.abort(reason);
  }

  [Symbol.dispose](): void {
    for (const detach of this.#detach.splice(0)) detach();
  }
}

/** Why a timer ends early. With a reason at hand the platform makes no error with a stack, which costs most of a deadline. */
const ENDED = "ended";

/** What bounds a {@linkcode deadline} beside its milliseconds. */
export interface DeadlineOptions {
  /** Aborts the deadline's signal too, with its own reason. */
  readonly parent?: AbortSignal | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock;
  /** What was to be done within the time, for the error's message. Default: `the operation`. */
  readonly what?: string;
}

/** A signal with an end, as {@linkcode deadline} gives it. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time has passed; `false` when the parent aborted first. */
  readonly expired: boolean;
}

/**
 * A signal that aborts after `ms` with a `DOMException` named `TimeoutError`, or with its parent. Dispose it as soon as
 * the work has ended, so that no timer and no listener stays behind.
 */
export function deadline(ms: number, options: DeadlineOptions = {}): Deadline {
  const linked = new LinkedController(options.parent);
  const timer = new AbortController();
  let expired = false;
  const ring = () => {
    if (linked.signal.aborted) return;
    expired = true;
    linked.abort(new DOMException(`${options.what ?? "the operation"} took longer than ${ms} ms`, "TimeoutError"));
  };
  // A rejected sleep means that the deadline was disposed: nobody waits for it then.
  (options.clock ?? systemClock).sleep(ms, timer.signal).then(ring, () => {});
  const stop = () => timer.abort(ENDED);
  linked.signal.addEventListener("abort", stop, { once: true });
  if (linked.signal.aborted) stop();
  return {
    signal: linked.signal,
    get expired() {
      return expired;
    },
    [Symbol.dispose]() {
      linked.signal.removeEventListener("abort", stop);
      stop();
      linked[Symbol.dispose]();
    },
  };
}

/**
 * Waits for the promise, but no longer than until the signal aborts: rejects with its reason then. The promise itself
 * goes on; how it ends is ignored after an abort, so a late rejection is nobody's surprise.
 */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(promise);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const detach = () => signal.removeEventListener("abort", stop);
    promise.then((value) => {
      detach();
      resolve(value);
    }, (error) => {
      detach();
      reject(error);
    });
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
  });
}
