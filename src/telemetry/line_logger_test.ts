import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { createLogger, type LineLoggerOptions, LOG_LINE_MAX, loggerWith } from "./line_logger.ts";
import type { Logger } from "./logger.ts";

const START_MS = Date.UTC(2026, 10, 30, 12, 0, 0, 7);

function capture(options: LineLoggerOptions): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { logger: createLogger({ clock: new HeldClock(START_MS), write, ...options }), lines };
}

Deno.test("createLogger: text is one readable line, with quotes where a value needs them", () => {
  const { logger, lines } = capture({ format: "text" });
  logger.log("warn", "write failed", { node: "out", attempt: 2, reason: "disk is full", gone: undefined, empty: "" });
  assert.deepEqual(lines, [
    '2026-11-30T12:00:00.007Z WARN  write failed node=out attempt=2 reason="disk is full" empty=""\n',
  ]);
});

Deno.test("createLogger: text stays one line without control characters, whatever a message holds", () => {
  const { logger, lines } = capture({ format: "text" });
  logger.log("info", "first\nsecond \u001b[31mred", { key: "a\nb\u0007" });
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines[0]?.slice(0, -1) ?? "", /\p{Cc}/u);
});

Deno.test("createLogger: json is one object a line, and fields cannot take the place of time, level and message", () => {
  const { logger, lines } = capture({ format: "json" });
  logger.log("error", "two\nlines", { message: "forged", level: "debug", pipeline: "p" });
  assert.equal(lines[0]?.indexOf("\n"), (lines[0]?.length ?? 0) - 1);
  assert.deepEqual(JSON.parse(lines[0] ?? ""), {
    time: "2026-11-30T12:00:00.007Z",
    level: "error",
    message: "two\nlines",
    field_message: "forged",
    field_level: "debug",
    pipeline: "p",
  });
});

Deno.test("createLogger: writes its level and what is graver", () => {
  const { logger, lines } = capture({ level: "warn", format: "json" });
  for (const level of ["debug", "info", "warn", "error"] as const) logger.log(level, level);
  assert.deepEqual(lines.map((line) => JSON.parse(line).level), ["warn", "error"]);
});

Deno.test("createLogger: writes info and above unless told otherwise", () => {
  const { logger, lines } = capture({});
  logger.log("debug", "no");
  logger.log("info", "yes");
  assert.equal(lines.length, 1);
});

Deno.test("createLogger: cuts what is too long and says so", () => {
  for (const format of ["text", "json"] as const) {
    const { logger, lines } = capture({ format });
    logger.log("info", "x".repeat(LOG_LINE_MAX * 2), { body: "y" });
    assert.ok((lines[0]?.length ?? 0) < LOG_LINE_MAX + 200);
    assert.match(lines[0] ?? "", /\(\d+ characters\)/);
  }
});

Deno.test("loggerWith: adds fields; the line's own win", () => {
  const { logger, lines } = capture({ format: "json" });
  loggerWith(logger, { pipeline: "p", node: "outer" }).log("info", "m", { node: "inner" });
  const line = JSON.parse(lines[0] ?? "");
  assert.equal(line.pipeline, "p");
  assert.equal(line.node, "inner");
});
