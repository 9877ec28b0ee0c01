/** Owns the failure of a running script while it is on its way to the top. */

import { shortText } from "../syntax/short_text.ts";

/** Longest message: a script may put any text into it, and it is logged and kept with dead letters. */
const MESSAGE_CHARACTERS_MAX = 4000;
/** The site of a fault whose place in the script nobody has told yet. */
export const SITE_UNKNOWN = -1;

/** One function that was running when the fault happened. */
export interface FaultFrame {
  readonly name: string;
  /** Index into the script's table of sites. */
  readonly site: number;
}

/** A failure inside a script. Operations throw it without a place; whoever knows the place adds it. */
export class Fault extends Error {
  readonly kind: "runtime" | "steps";
  /** Where in the function that is being left the failure is. */
  site: number = SITE_UNKNOWN;
  /** Functions left so far, innermost first. */
  readonly frames: FaultFrame[] = [];

  constructor(message: string, kind: Fault["kind"] = "runtime") {
    super(shortText(message, MESSAGE_CHARACTERS_MAX));
    this.kind = kind;
  }
}

/** Turns whatever was thrown into a fault at `site`, unless its place is known already. */
export function faultAt(error: unknown, site: number): Fault {
  const fault = error instanceof Fault ? error : new Fault(foreignMessage(error));
  if (fault.site === SITE_UNKNOWN) fault.site = site;
  return fault;
}

/**
 * The engine's own errors: its limits on stack, string length and integer size are errors of the script. It tells which
 * limit it was by text alone, and nothing but the wording of ours depends on that.
 */
function foreignMessage(error: unknown): string {
  if (!(error instanceof Error)) return `internal error: ${String(error)}`;
  if (!(error instanceof RangeError)) return `internal error: ${error.message}`;
  return error.message.includes("call stack") ? "data or calls nest too deeply" : `value too large: ${error.message}`;
}
