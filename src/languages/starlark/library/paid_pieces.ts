/** Owns the price of cutting text into pieces. */

import type { Thread } from "../values/thread.ts";

/** Pieces of text cut or joined that one step pays for. */
export const STEP_PIECES = 4;

/** Takes the steps for cutting a text at a separator that is not empty, before a long list of pieces is made. */
export function payPieces(text: string, separator: string, thread: Thread): void {
  let count = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + separator.length)) {
    if (++count % STEP_PIECES === 0) thread.charge(1);
  }
}
