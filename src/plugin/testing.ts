/** Owns the door of the testing kit for plugin authors: what the engine gives a plugin, held and open to inspection. */
export * from "./testing/collecting_emit.ts";
export * from "./testing/test_batch.ts";
export * from "./testing/test_context.ts";
export * from "./testing/test_message.ts";
