/** CEL: compiled predicates and keys. */
export * from "./expression.ts";
export { bindKey, compileCel } from "./compile.ts";
export { compileNamedCondition, type NamedCondition } from "./named.ts";
export { inspectCel } from "./inspect.ts";
export { CEL_DEPTH_MAX, CEL_SOURCE_UNITS_MAX } from "./limits.ts";
export { type CelTagged, type CelTaggedInput, type CelTaggedResult, evaluateCelTagged } from "./tagged.ts";
export type { CelKind } from "./value.ts";
