/** The built-in codec `csv`. */
export * from "./csv_codec.ts";
