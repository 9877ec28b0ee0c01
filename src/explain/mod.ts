/** Walkthroughs and drawings of a plan. */
export * from "./drawing/topology.ts";
export * from "./outline.ts";
export * from "./permissions.ts";
export type { ExplainSample } from "./sample.ts";
export * from "./walk.ts";
export { explainMessage, Walker, type WalkerOptions } from "./walker.ts";
