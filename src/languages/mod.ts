/** The languages in a pipeline: source text to a bounded, deterministic function. */
export * from "./scope.ts";
export * from "./cel/mod.ts";
export * from "./starlark/mod.ts";
