/** The built-in codec `json`. */
export * from "./json_codec.ts";
