/** Owns the printing of log lines: as text for people or as JSON for machines, from a level on. */

import { type Clock, systemClock } from "../base/mod.ts";
import type { LogFields, Logger, LogLevel } from "./logger.ts";

/** How lines are written. */
export type LogFormat = "text" | "json";

/** What a {@linkcode createLogger} needs; see each field for its default. */
export interface LineLoggerOptions {
  /** The least grave level that is written. Default: `info`. */
  readonly level?: LogLevel;
  /** Default: `json`. The caller decides what stderr is; on a terminal `text` reads better. */
  readonly format?: LogFormat;
  /** Takes whole lines with their newline. Default: stderr, written at once. */
  readonly write?: (line: string) => void;
  /** Default: the platform's clock. */
  readonly clock?: Clock;
}

/** Level names from least to most grave. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Longest line that is written, in UTF-16 units; what is beyond is cut and marked. */
export const LOG_LINE_MAX = 16_384;

const PLAIN_VALUE_REGEXP = /^[^\s"=\\\p{Cc}]+$/u;
const CONTROL_REGEXP = /\p{Cc}/gu;

/** Makes a logger that writes every line of at least the wanted level. */
export function createLogger(options: LineLoggerOptions = {}): Logger {
  const least = LOG_LEVELS.indexOf(options.level ?? "info");
  const format = options.format === "text" ? textLine : jsonLine;
  const write = options.write ?? writeStderr;
  const clock = options.clock ?? systemClock;
  return {
    log(level, message, fields = {}) {
      if (LOG_LEVELS.indexOf(level) < least) return;
      write(format(new Date(clock.now()).toISOString(), level, message, fields));
    },
  };
}

/** A logger that adds fields to each line, for instance a pipeline's name; a line's own fields win. */
export function loggerWith(logger: Logger, fields: LogFields): Logger {
  return { log: (level, message, more) => logger.log(level, message, { ...fields, ...more }) };
}

/** `2026-01-01T00:00:00.000Z INFO  message key=value`: one line whatever the message holds. */
function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  let line = `${time} ${level.toUpperCase().padEnd(5)} ${message.replace(CONTROL_REGEXP, escapeControl)}`;
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = String(value);
    line += ` ${key}=${PLAIN_VALUE_REGEXP.test(text) ? text : JSON.stringify(text)}`;
  }
  return cut(line) + "\n";
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const head = { time, level, message: cut(message) };
  // A field may not take the place of the line's own three; it stands behind them under a name of its own.
  const renamed: Record<string, string | number | boolean | undefined> = {};
  for (const [key, value] of Object.entries(fields)) {
    renamed[Object.hasOwn(head, key) ? `field_${key}` : key] = typeof value === "string" ? cut(value) : value;
  }
  return JSON.stringify({ ...head, ...renamed }) + "\n";
}

function escapeControl(control: string): string {
  return control === "\n" ? "\\n" : `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

function cut(text: string): string {
  return text.length <= LOG_LINE_MAX ? text : `${text.slice(0, LOG_LINE_MAX)}... (${text.length} characters)`;
}

const encoder = new TextEncoder();

/** Writes the whole line before it returns, so that the last words of a dying process are heard. */
function writeStderr(line: string): void {
  let bytes = encoder.encode(line);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(Deno.stderr.writeSync(bytes));
  } catch {
    // Nobody reads stderr any more: there is no better place to say so, and a log line must not stop the work.
  }
}
