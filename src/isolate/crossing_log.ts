/** Owns the log of an isolate: every line crosses to the supervisor, whatever a plugin put into it. */

import type { LogFields, Logger } from "../telemetry/mod.ts";
import type { LogLine } from "./protocol.ts";

/** A logger whose lines are posted. */
export function crossingLog(post: (line: LogLine) => void): Logger {
  return {
    log: (level, message, fields) => {
      const line = { kind: "log", level, message } as const;
      try {
        post(fields === undefined ? line : { ...line, fields });
      } catch {
        // A plugin logged what cannot cross a port. That must not be its node's failure.
        post({ ...line, fields: crossable(fields) });
      }
    },
  };
}

/** The fields of a line, what is none as text. */
function crossable(fields: LogFields | undefined): LogFields {
  const entries: [string, unknown][] = Object.entries(fields ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, isPlain(value) ? value : String(value)]));
}

function isPlain(value: unknown): value is LogFields[string] {
  return value === undefined || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
