/** Starlark: scripts compiled to JavaScript functions. */
export * from "./program.ts";
export { compileStarlark, starlarkNames } from "./compile.ts";
export { type StarlarkLines, starlarkLines } from "./syntax/line_end.ts";
