/** The plugins that come with the program. */
export * from "./builtins.ts";
