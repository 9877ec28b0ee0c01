/** Clock, ids, backoff, queues, deadlines, durations and sizes: what every room may stand on. */
export * from "./clock.ts";
export * from "./ids.ts";
export * from "./data.ts";
