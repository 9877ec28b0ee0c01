/** Runs a plan against a store: admission, graph, delivery, commit, recovery, outcome. */
export type { InjectedMessage, ReplayedMessage } from "./admission.ts";
export { type Advance, CommitTracker } from "./commit_tracker.ts";
export * from "./engine.ts";
export type { Feed } from "./feed.ts";
export type * from "./lane.ts";
export { LaneWork, type LaneWorkOptions } from "./lane_work.ts";
export * from "./options.ts";
export * from "./outcome.ts";
