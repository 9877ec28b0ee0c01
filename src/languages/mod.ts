/** The languages in a pipeline: source text to a bounded, deterministic function. */
export * from "./scope.ts";
export { bindPredicate, type Condition, type ConditionLanguage, type Predicate } from "./condition.ts";
export type { Inspection } from "./inspection.ts";
export * from "./cel/mod.ts";
export * from "./cesql/mod.ts";
export * from "./starlark/mod.ts";
