/** The framework's vocabulary and the typed definitions of config blocks. */
export * from "./definition.ts";
