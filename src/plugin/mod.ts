/** The contracts between the engine and what is plugged into it, and the registry. */
export * from "./codec.ts";
export * from "./context.ts";
export * from "./delivery.ts";
export * from "./encoding.ts";
export * from "./failure_reason.ts";
export * from "./joined_lines.ts";
export * from "./needs.ts";
export * from "./patient_emit.ts";
export * from "./registration.ts";
export * from "./registry.ts";
export * from "./sink.ts";
export * from "./source.ts";
export * from "./transform.ts";
export * from "./transform_result.ts";
export * from "./testing.ts";
