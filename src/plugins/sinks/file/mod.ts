/** The built-in sink `file`. */
export * from "./file_sink.ts";
