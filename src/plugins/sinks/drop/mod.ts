/** The built-in sink `drop`. */
export * from "./drop_sink.ts";
