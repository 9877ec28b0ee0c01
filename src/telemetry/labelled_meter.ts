/** Owns a meter's view for one part of the program: the same instruments, some labels already given. */

import type { Labels, Meter } from "./meter.ts";

/** A meter that adds `labels` to whatever it is asked for; a label that is given twice keeps the value of `labels`. */
export function labelledMeter(meter: Meter, labels: Labels): Meter {
  return {
    counter: (name, more = {}) => meter.counter(name, { ...more, ...labels }),
    histogram: (name, more = {}) => meter.histogram(name, { ...more, ...labels }),
    gauge: (name, more = {}) => meter.gauge(name, { ...more, ...labels }),
  };
}

/** Counts nothing. */
export const silentMeter: Meter = {
  counter: () => ({ add() {} }),
  histogram: () => ({ record() {} }),
  gauge: () => ({ set() {} }),
};
