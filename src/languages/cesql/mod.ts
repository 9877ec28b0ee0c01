/** CESQL: compiled conditions over the attributes of an event. */
export * from "./expression.ts";
export { type CesqlResult, compileCesql, evaluateCesql } from "./compile.ts";
export { inspectCesql } from "./inspect.ts";
export { CESQL_DEPTH_MAX, CESQL_SOURCE_UNITS_MAX } from "./limits.ts";
export type { CesqlErrorClass, CesqlValue } from "./value.ts";
