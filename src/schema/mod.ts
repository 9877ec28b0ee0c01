/** The framework's vocabulary and the typed definitions of config blocks. */
export * from "./coercion.ts";
export * from "./core_scalar.ts";
export * from "./define.ts";
export * from "./definition.ts";
export * from "./fields.ts";
export * from "./name_rule.ts";
export * from "./vocabulary.ts";
