/** The plugins that come with the program. */
export * from "./builtins.ts";
export { decodeJson } from "./codecs/json/mod.ts";
