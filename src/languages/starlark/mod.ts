/** Starlark: scripts compiled to JavaScript functions. */
export * from "./program.ts";
