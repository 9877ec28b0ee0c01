/** Owns the hosting process's side: it runs the one pipeline it is told, in isolates of its own, and reports. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { Plugin } from "../plugin/mod.ts";
import type { Logger } from "../telemetry/mod.ts";
import { decodeFrames, encodeFrame } from "./frames.ts";
import type { FromProcess, ToProcess } from "./process_protocol.ts";
import { type IsolateEntries, supervisePipeline } from "./supervisor.ts";

/** What a hosting process works with. */
export interface ProcessHostOptions {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  readonly entries: IsolateEntries;
  readonly plugins: readonly Plugin[];
}

/** Runs the pipeline that the first frame names. Resolves when it has ended and that is said. */
export async function servePipelineProcess(options: ProcessHostOptions): Promise<void> {
  const writer = options.output.getWriter();
  // A write fails only when the supervisor is gone, which the input's end tells too.
  const say = (message: FromProcess) => writer.write(encodeFrame(message)).catch(() => {});
  const stop = new AbortController();
  const frames = decodeFrames(options.input) as AsyncGenerator<ToProcess>;
  const first = await frames.next();
  if (first.done === true || first.value.kind !== "run") return;
  const watching = watch(frames, stop);
  try {
    const outcome = await run(first.value, options, stop.signal, say);
    await say({ kind: "ended", outcome });
  } catch (caught) {
    await say({ kind: "refused", error: EventboatError.from(caught).toRecord() });
  }
  // With the supervisor gone nobody is left to tell.
  await Promise.race([watching, writer.close().catch(() => {})]);
}

/** Stops at the word of the supervisor, or when it is gone. */
async function watch(frames: AsyncGenerator<ToProcess>, stop: AbortController): Promise<void> {
  try {
    for await (const frame of frames) if (frame.kind === "stop") stop.abort();
  } finally {
    stop.abort();
  }
}

async function run(
  start: Extract<ToProcess, { kind: "run" }>,
  { entries, plugins }: ProcessHostOptions,
  signal: AbortSignal,
  say: (message: FromProcess) => Promise<void>,
) {
  const log: Logger = {
    log: (level, message, fields) =>
      void say({ kind: "log", level, message, ...(fields === undefined ? {} : { fields }) }),
  };
  return await supervisePipeline({
    ...start,
    runtime: { ...start.runtime, isolation: "isolate" },
    entries,
    plugins,
    signal,
    log,
    onStarted: () => void say({ kind: "started" }),
    onStatus: (counts) => void say({ kind: "status", counts }),
    onReplayed: (report) => void say({ kind: "replayed", report }),
  });
}
