/** Counters, histograms and logs. */
export * from "./catalogue.ts";
export * from "./frugal_log.ts";
export * from "./instrument_registry.ts";
export * from "./labelled_meter.ts";
export * from "./line_logger.ts";
export * from "./logger.ts";
export * from "./meter.ts";
export * from "./naming.ts";
