/** The built-in sink `http`. */
export * from "./http_sink.ts";
