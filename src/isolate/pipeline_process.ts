/** Owns a pipeline in a process of its own: it may run out of memory or hang, and only its process is lost. */

import { HOST_VERB, systemClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { emptyCounts, type EngineCounts, type Outcome } from "../engine/mod.ts";
import { decodeFrames, encodeFrame } from "./frames.ts";
import type { FromProcess, ToProcess } from "./process_protocol.ts";
import { type RunPipelineOptions, STOP_GRACE_MS } from "./supervisor.ts";

/** What a hosting process may take beyond a pipeline's own stop before it is killed. */
const PROCESS_GRACE_MS = 300;

/** Runs one pipeline in a child process, which takes the store's lock itself. */
export async function runPipelineProcess(options: RunPipelineOptions): Promise<Outcome> {
  const child = spawnHost();
  const writer = child.stdin.getWriter();
  // A write fails only when the child is dead, which its status tells.
  const say = (message: ToProcess) => writer.write(encodeFrame(message)).catch(() => {});
  const heard: Heard = { counts: emptyCounts(), outcome: undefined, refusal: undefined };
  const listening = listen(child.stdout, options, heard);
  const over = new AbortController();
  const stop = () => {
    void say({ kind: "stop" });
    const limitMs = options.document.limits.drainTimeoutMs + STOP_GRACE_MS + PROCESS_GRACE_MS;
    // Ends early when the process has ended: nothing is to be killed then.
    (options.clock ?? systemClock).sleep(limitMs, over.signal).then(() => kill(child), () => {});
  };
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const { document, needs, lanes = [], runtime, parameters = {}, runId, replay } = options;
    await say({
      kind: "run",
      document,
      needs,
      lanes,
      runtime,
      parameters,
      ...(runId === undefined ? {} : { runId }),
      ...(replay === undefined ? {} : { replay }),
    });
    if (options.signal.aborted) stop();
    await listening;
    // The child may have closed its side by itself.
    await writer.close().catch(() => {});
    return outcomeOf(await child.status, heard, options);
  } catch (caught) {
    // What it says cannot be understood: it is not left running, where nobody could stop it and nobody had its lock.
    kill(child);
    await child.status;
    throw caught;
  } finally {
    over.abort();
    options.signal.removeEventListener("abort", stop);
  }
}

/** The same program under its hidden verb. */
function spawnHost(): Deno.ChildProcess {
  const source = ["run", "--no-prompt", "--no-check", "--allow-all", Deno.mainModule];
  return new Deno.Command(Deno.execPath(), {
    args: [...(Deno.build.standalone ? [] : source), HOST_VERB],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
    // A signal of the terminal reaches the supervisor, which stops the pipeline in order.
    detached: true,
  }).spawn();
}

/** Kills a process that may have ended a moment ago. */
function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

interface Heard {
  counts: EngineCounts;
  outcome: Outcome | undefined;
  refusal: EventboatError | undefined;
}

async function listen(output: AsyncIterable<Uint8Array>, options: RunPipelineOptions, heard: Heard): Promise<void> {
  for await (const message of decodeFrames(output) as AsyncGenerator<FromProcess>) {
    if (message.kind === "ended") heard.outcome = message.outcome;
    else if (message.kind === "refused") heard.refusal = EventboatError.revive(message.error);
    else if (message.kind === "status") options.onStatus?.(heard.counts = message.counts);
    else if (message.kind === "started") options.onStarted?.();
    else if (message.kind === "replayed") options.onReplayed?.(message.report);
    else options.log.log(message.level, message.message, message.fields);
  }
}

function outcomeOf(status: Deno.CommandStatus, heard: Heard, options: RunPipelineOptions): Outcome {
  if (heard.refusal !== undefined) throw heard.refusal;
  if (heard.outcome !== undefined) return heard.outcome;
  if (options.signal.aborted) return { status: "interrupted", counts: heard.counts };
  const end = status.signal === null ? `exit code ${status.code}` : status.signal;
  const error = new EventboatError(
    "isolate_died",
    `the process of pipeline ${options.document.name} died (${end}) before it had ended`,
    {
      hint: "What it had not committed is replayed by the next start; 133 and SIGABRT mean that it ran out of memory.",
    },
  );
  return { status: "failed", counts: heard.counts, failure: error.toRecord() };
}
