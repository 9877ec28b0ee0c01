/** Owns the log: structured lines to stderr, or to whoever hosts an isolate. */

/** How grave a log line is, from least to most. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Values a log line may carry. */
export type LogFields = { readonly [key: string]: string | number | boolean | undefined };

/** Takes log lines. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** Takes nothing. */
export const silentLogger: Logger = { log() {} };
