/** Findings about what a user wrote, and the one error class of run-time trouble. */
export * from "./bag.ts";
export * from "./codes.ts";
export * from "./diagnostic.ts";
export * from "./eventboat_error.ts";
export * from "./reason.ts";
export * from "./render.ts";
export * from "./span.ts";
