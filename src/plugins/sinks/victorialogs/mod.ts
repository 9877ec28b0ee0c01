/** The built-in sink `victorialogs`. */
export * from "./victorialogs_sink.ts";
