/** One table of operations: what every surface offers, decided once. */
export { anyPluginSchema, documentSchema, pluginSchema } from "./document_schema.ts";
export type { JsonSchema } from "./key_schema.ts";
export { type Effect, openRegistry, type Operation, type OperationContext, perform } from "./operation.ts";
export { OPERATIONS } from "./operations.ts";
export type { CatalogEntry } from "./plugin_operations.ts";
export type { EndedRun, EngineCounts, RunAnswer } from "./run_answer.ts";
export type { StoreCheckAnswer, StoreSalvageAnswer, StoreStatsAnswer } from "./store_operations.ts";
export type { VerifyAnswer } from "./verify_operation.ts";
export { type IsolateEntries, servePipelineProcess } from "../isolate/mod.ts";
