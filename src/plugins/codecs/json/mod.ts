/** The built-in codec `json`. */
export * from "./json_codec.ts";
export { decodeJson } from "./json_decoder.ts";
