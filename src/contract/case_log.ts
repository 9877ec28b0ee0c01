/** Owns what the engine logs of a case: kept for the report, where it says why a sink got nothing. */

import type { LogFields, Logger } from "../telemetry/mod.ts";

/** A line of the log. */
export interface CaseLogLine {
  readonly message: string;
  readonly fields: LogFields;
}

/** Lines that are kept: the engine tells what happens to many messages once. */
const LINES_MAX = 20;

/** Keeps warnings. */
export class CaseLog implements Logger {
  readonly lines: CaseLogLine[] = [];

  /** Keeps a warning. */
  log(level: Parameters<Logger["log"]>[0], message: string, fields: LogFields = {}): void {
    if (level === "warn" && this.lines.length < LINES_MAX) this.lines.push({ message, fields });
  }
}
