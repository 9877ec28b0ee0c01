/** The built-in codec `raw`. */
export * from "./raw_codec.ts";
