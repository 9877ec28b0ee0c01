/** Clock, ids, backoff, queues, deadlines, durations and sizes: what every room may stand on. */
export * from "./abort.ts";
export * from "./backoff.ts";
export * from "./bounded_queue.ts";
export * from "./build_info.ts";
export * from "./byte_size.ts";
export * from "./clock.ts";
export * from "./constant_time.ts";
export * from "./cron_schedule.ts";
export * from "./data.ts";
export * from "./duration.ts";
export * from "./held_clock.ts";
export * from "./ids.ts";
export * from "./nearest_name.ts";
export * from "./zone_time.ts";
export * from "./suggestion.ts";
