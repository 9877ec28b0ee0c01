/** Owns the words a dead letter says why in, the same wherever a failure is told. */

/** Longest reason that is kept: a script's `fail` may say anything, once a message. */
const REASON_CHARACTERS_MAX = 4_096;
const BACKTRACE_CHARACTERS_MAX = 16_384;

/** The reason of a message that a source's decoder could not read. */
export function undecodable(codec: string, why: string): string {
  return `cannot decode as ${codec}: ${why}`;
}

/** The reason of a message that is in a codec which the pipeline does not have. */
export function unknownCodec(codec: string): string {
  return `cannot decode: the message is in codec ${codec}, which this pipeline does not have`;
}

/** The reason of a message that a transform gave up. */
export function untransformable(plugin: string, why: string): string {
  return `${plugin}: ${why}`;
}

/** The reason of a message that a sink's encoder could not write. */
export function unencodable(codec: string, why: string): string {
  return `cannot encode as ${codec}: ${why}`;
}

/** The reason of a message that has no order key. */
export function unordered(why: string): string {
  return `order_key: ${why}`;
}

/** A reason within its limit, saying how much was left out. */
export function keptReason(reason: string): string {
  return shortened(reason, REASON_CHARACTERS_MAX);
}

/** The same for a backtrace. */
export function keptBacktrace(backtrace: string): string {
  return shortened(backtrace, BACKTRACE_CHARACTERS_MAX);
}

function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax)}... (${text.length - charactersMax} more characters)`.toWellFormed();
}
