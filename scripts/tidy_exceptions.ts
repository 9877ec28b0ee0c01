/** Owns the list of files and functions that may be longer than the rest. It may only shrink. */

/** One exception: `lines` is its length to the line, so that it cannot grow, and goes down with every cut. */
export interface TidyException {
  readonly path: string;
  /** The function; the whole file when left out. */
  readonly function?: string;
  readonly lines: number;
  /** Why cutting it would serve no reader. */
  readonly reason: string;
}

/** All exceptions. */
export const TIDY_EXCEPTIONS: readonly TidyException[] = [];
