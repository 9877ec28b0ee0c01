/** From YAML text to a typed document with positions. */
export * from "./document.ts";
export * from "./fix.ts";
export * from "./parameter_text.ts";
export * from "./parameter_value.ts";
export * from "./pipeline_files.ts";
export * from "./pipeline_loader.ts";
export * from "./runtime_document.ts";
export * from "./runtime_keys.ts";
export * from "./runtime_loader.ts";
export type { ReadFile } from "./shape/external.ts";
export * from "./span_table.ts";
export type { Environment } from "./substitution.ts";
export * from "./tree.ts";
export type { SourceText } from "./yaml_text.ts";
export * from "./yaml_tree.ts";
