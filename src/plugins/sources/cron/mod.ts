/** The built-in source `cron`. */
export * from "./cron_source.ts";
