/** CEL: compiled predicates and keys. */
export * from "./expression.ts";
