/** Runs a plan against a store: admission, graph, delivery, commit, recovery, outcome. */
export * from "./options.ts";
export * from "./outcome.ts";
