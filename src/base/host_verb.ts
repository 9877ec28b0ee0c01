/** Owns the hidden verb of the command line. */

/**
 * The verb under which the program hosts one pipeline for another process of its own (`isolation: process`). It stands
 * here because the command line has to know it before it loads anything else.
 */
export const HOST_VERB = "__host";
