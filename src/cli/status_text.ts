/** Owns the wording of a run's status: while it goes on and when it has ended. */

import type { EndedRun, EngineCounts } from "../ops/mod.ts";

/** The text of the live line. `rate`: messages committed a second. */
export function liveText(pipeline: string, counts: EngineCounts, rate: number): string {
  const { messagesIn, committed, deadLettered, inFlight, retrying } = counts;
  const waiting = retrying > 0 ? ` (retrying ${retrying})` : "";
  return `${pipeline}  in ${messagesIn}  committed ${committed}  dead ${deadLettered}  in flight ${inFlight}${waiting}  ` +
    `${Math.round(rate)}/s`;
}

/** The line that is printed when a run has ended. */
export function endedText({ pipeline, status, counts, durationMs }: Omit<EndedRun, "mode" | "failure">): string {
  const parts = [
    `in ${counts.messagesIn}`,
    `committed ${counts.committed}`,
    `dead ${counts.deadLettered}${deadText(counts)}`,
    ...(counts.optionalDrops > 0 ? [`dropped on optional edges ${counts.optionalDrops}`] : []),
    ...(counts.conditionErrors > 0 ? [`conditions not evaluated ${counts.conditionErrors}`] : []),
    ...(counts.filtered > 0 ? [`filtered ${counts.filtered}`] : []),
    ...(counts.replayed > 0 ? [`replayed ${counts.replayed}`] : []),
    ...(counts.inFlight > 0 ? [`left for the next start ${counts.inFlight}`] : []),
  ];
  return `${pipeline}: ${status} after ${(durationMs / 1000).toFixed(1)} s: ${parts.join(", ")}`;
}

/** Where dead letters arose, as ` (NODE CLASS COUNT, ...)`; empty when there are none. */
function deadText({ deadLetters }: EngineCounts): string {
  const places = Object.entries(deadLetters).flatMap(([node, classes]) =>
    Object.entries(classes).map(([deadLetterClass, count]) => `${node} ${deadLetterClass} ${count}`)
  );
  return places.length === 0 ? "" : ` (${places.join(", ")})`;
}

/** Tells the rate of commits over the last few seconds from readings of a counter. */
export class RateMeter {
  readonly #readings: { readonly timeMs: number; readonly count: number }[] = [];
  readonly #windowMs: number;

  /** @param windowMs how far back a reading counts */
  constructor(windowMs = 3000) {
    this.#windowMs = windowMs;
  }

  /** Takes a reading and gives the rate, events a second. A count below the last one is another run's: it begins anew. */
  rate(timeMs: number, count: number): number {
    if (count < (this.#readings.at(-1)?.count ?? 0)) this.#readings.length = 0;
    this.#readings.push({ timeMs, count });
    while (this.#readings.length > 2 && timeMs - (this.#readings[1]?.timeMs ?? timeMs) >= this.#windowMs) {
      this.#readings.shift();
    }
    const [first] = this.#readings;
    if (first === undefined || timeMs === first.timeMs) return 0;
    return ((count - first.count) * 1000) / (timeMs - first.timeMs);
  }
}
