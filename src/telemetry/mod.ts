/** Counters, histograms and logs. */
export * from "./logger.ts";
export * from "./meter.ts";
