/** Owns the name under which plugins find the platform's JSON with numbers by their source text. */
export { sourceTextJson } from "../../base/mod.ts";
