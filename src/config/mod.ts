/** From YAML text to a typed document with positions. */
export * from "./document.ts";
export * from "./runtime_document.ts";
