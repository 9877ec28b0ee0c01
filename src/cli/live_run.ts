/** Owns what a terminal shows while a pipeline runs: log lines, and a status line below them. */

import { systemClock } from "../base/mod.ts";
import type { OperationContext } from "../ops/mod.ts";
import { createLogger } from "../telemetry/mod.ts";
import type { StatusLine } from "./status_line.ts";
import { liveText, RateMeter } from "./status_text.ts";
import type { Terminal } from "./terminal.ts";

/** What an operation that runs pipelines is given to tell how they do. Logs are text where they go to a terminal. */
export function liveRun(
  terminal: Terminal,
  line: StatusLine,
): Required<Pick<OperationContext, "openLog" | "onStatus">> {
  const meter = new RateMeter();
  return {
    openLog: ({ level, format }) =>
      createLogger({
        level,
        format: format ?? (terminal.errIsTerminal ? "text" : "json"),
        write: (text) => line.log(text),
      }),
    onStatus: (pipeline, counts) => {
      line.show(liveText(pipeline, counts, meter.rate(systemClock.monotonic(), counts.committed)));
    },
  };
}
