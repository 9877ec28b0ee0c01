/** The built-in sink `debug`. */
export * from "./debug_sink.ts";
