/** Pipelines in isolates of their own, with the permissions their plan needs. */
export * from "./permissions.ts";
export * from "./protocol.ts";
export * from "./serve_pipeline.ts";
export * from "./supervisor.ts";
