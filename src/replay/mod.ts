/** Dead letters and spool windows: chosen, counted, brought in again, deleted. */
export * from "./check_request.ts";
export * from "./letter_choice.ts";
export * from "./letter_condition.ts";
export * from "./preview.ts";
export * from "./replay.ts";
export * from "./replay_request.ts";
