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
  readonly holds: boolean | null;
}

/** What a measurement is made of: the value of each turn, and of each turn of the reference. */
export interface Turns {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly references?: readonly number[];
  readonly bound?: number;
}

/** More is better: messages a second. */
export function rate({ name, unit, values, references = [], bound }: Turns): Measurement {
  const value = median(values);
  const reference = references.length === 0 ? null : median(references);
  return compared({ name, unit, value, reference, ratio: reference === null ? null : value / reference }, bound);
}

/** Less is better: seconds, nanoseconds a message, bytes. */
export function cost({ name, unit, values, references = [], bound }: Turns): Measurement {
  const value = median(values);
  const reference = references.length === 0 ? null : median(references);
  return compared({ name, unit, value, reference, ratio: reference === null ? null : reference / value }, bound);
}

function compared(
  measured: Omit<Measurement, "bound" | "holds">,
  bound: number | undefined,
): Measurement {
  if (bound === undefined) return { ...measured, bound: null, holds: null };
  return { ...measured, bound, holds: measured.ratio === null ? measured.value < bound : measured.ratio >= bound };
}

/** The middle value; the mean of the middle two of an even number. @throws {RangeError} where there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError("there is no median of nothing");
  return (lower + upper) / 2;
}
