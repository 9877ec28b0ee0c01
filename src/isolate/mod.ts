/** Pipelines in isolates of their own, with the permissions their plan needs. */
export { LaneClients } from "./lane_client.ts";
export { LaneKeeper, type LaneKeeperOptions } from "./lane_keeper.ts";
export * from "./permissions.ts";
export * from "./protocol.ts";
export * from "./run_pipeline.ts";
export * from "./serve_pipeline.ts";
export * from "./serve_process.ts";
export { type IsolateEntries, type RunPipelineOptions } from "./supervisor.ts";
