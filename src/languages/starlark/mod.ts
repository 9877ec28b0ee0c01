/** Starlark: scripts compiled to JavaScript functions. */
export * from "./program.ts";
export { compileStarlark } from "./compile.ts";
