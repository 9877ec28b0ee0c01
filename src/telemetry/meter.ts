/** Owns the counting of what happens: cheap counters, read at export. */

/** A number that only grows. */
export interface Counter {
  add(count: number): void;
}

/** A distribution of seconds. */
export interface Histogram {
  record(seconds: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number): void;
}

/** Label values by label name. */
export type Labels = { readonly [name: string]: string };

/** Gives instruments; the same name and labels give the same instrument. Names carry no prefix here. */
export interface Meter {
  counter(name: string, labels?: Labels): Counter;
  histogram(name: string, labels?: Labels): Histogram;
  gauge(name: string, labels?: Labels): Gauge;
}
