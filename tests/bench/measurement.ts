/** Owns one result of a benchmark and the verdict on it. */

/** One line of the table and one element of `--json`. */
export interface Measurement {
  readonly name: string;
  /** The median of all turns. */
  readonly value: number;
  readonly unit: string;
  /** The same work without the project, measured in turns with it; null where there is no such thing. */
  readonly reference: number | null;
  /** How many times as good as the reference; above 1 is better, whichever way the unit runs. */
  readonly ratio: number | null;
  /** The least `ratio` that is asked for; where there is no reference, the value must be below it. */
  readonly bound: number | null;
  /** The greatest `value` that is asked for beside the bound of the ratio, null where none is. */
  readonly most: number | null;
  readonly holds: boolean | null;
}

/** What a measurement is made of: the value of each turn, and of each turn of the reference. */
export interface Turns {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly references?: readonly number[];
  readonly bound?: number;
  readonly most?: number;
}

/** More is better: messages a second. */
export function rate({ name, unit, values, references = [], bound, most }: Turns): Measurement {
  const value = median(values);
  const reference = references.length === 0 ? null : median(references);
  return compared({ name, unit, value, reference, ratio: reference === null ? null : value / reference }, bound, most);
}

/** Less is better: seconds, nanoseconds a message, bytes. */
export function cost({ name, unit, values, references = [], bound, most }: Turns): Measurement {
  const value = median(values);
  const reference = references.length === 0 ? null : median(references);
  return compared({ name, unit, value, reference, ratio: reference === null ? null : reference / value }, bound, most);
}

function compared(
  measured: Omit<Measurement, "bound" | "most" | "holds">,
  bound: number | undefined,
  most: number | undefined,
): Measurement {
  const { value, ratio } = measured;
  const told = { ...measured, bound: bound ?? null, most: most ?? null };
  if (bound === undefined && most === undefined) return { ...told, holds: null };
  const isInBound = bound === undefined || (ratio === null ? value < bound : ratio >= bound);
  return { ...told, holds: isInBound && (most === undefined || value <= most) };
}

/** The middle value; the mean of the middle two of an even number. @throws {RangeError} where there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError("there is no median of nothing");
  return (lower + upper) / 2;
}
