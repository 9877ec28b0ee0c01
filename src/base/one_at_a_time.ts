/** Owns work that is done one piece after another, in the order it was asked for. */

import { raceAbort } from "./abort.ts";

/** Runs pieces of work one at a time. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` after whatever was asked before has ended, whatever became of that. Rejects with what `work` rejects
   * with, or without running it with the signal's reason where its turn has not come by then; those behind it wait for
   * the ones before it all the same.
   */
  async run(signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
    const previous = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    try {
      await raceAbort(previous, signal);
    } catch (caught) {
      previous.then(resolve);
      throw caught;
    }
    try {
      await work();
    } finally {
      resolve();
    }
  }
}
