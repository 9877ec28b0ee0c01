/** The plugins that come with the program. */
export * from "./builtins.ts";
export { decodeJson, jsonCodec } from "./codecs/json/mod.ts";
