/** From document to plan: topology, plugins, codecs, expressions, lint. */
export * from "./build_plan.ts";
export * from "./document_codecs.ts";
export * from "./lane_plan.ts";
export { MASK, Masking } from "./masking.ts";
export { NEED_KINDS, unionNeeds } from "./needs.ts";
export * from "./plan.ts";
export * from "./redaction.ts";
