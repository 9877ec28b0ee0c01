/** Owns the two ways the fault scenario is driven: store faults in one process, SIGKILL of real ones. */

import assert from "node:assert/strict";
import {
  type Fault,
  type FaultKind,
  type FaultOperation,
  FaultyBackend,
  MemoryBackend,
  MemoryDisk,
} from "../../src/store/mod.ts";
import { runScenario, tracingBackend } from "./scenario.ts";
import { Trace, type TraceEvent } from "./trace.ts";

const FAULT_KINDS: readonly FaultKind[] = ["refused", "full", "unknown_lost", "unknown_kept"];
/** Restarts after which a scenario counts as stuck. */
const RESTARTS_MAX = 10;

/** How the scenario runs: with its transform in lanes, some of which die, or not. */
export interface ScenarioMode {
  readonly inLanes?: boolean;
}

/** Runs the scenario to its end with one fault, restarting after each failure. Undefined when the fault never came. */
export async function traceWithFault(fault: Fault, mode: ScenarioMode = {}): Promise<Trace | undefined> {
  const trace = new Trace();
  const record = (event: TraceEvent) => trace.record(event);
  const disk = new MemoryDisk();
  let faults: readonly Fault[] = [fault];
  let fired = 0;
  for (let start = 0; start < RESTARTS_MAX; start++) {
    const backend = new FaultyBackend(tracingBackend(new MemoryBackend(disk), record), faults);
    const { status } = await runScenario(backend, record, mode);
    fired += backend.fired;
    if (start === 0 && fired === 0) return undefined;
    if (status !== "failed") return trace;
    faults = [];
  }
  assert.fail(`the scenario did not complete in ${RESTARTS_MAX} starts`);
}

/** Runs the scenario once, over a store that does what it is asked. */
export async function traceWithoutFault(mode: ScenarioMode = {}): Promise<Trace> {
  const trace = new Trace();
  const record = (event: TraceEvent) => trace.record(event);
  await runScenario(new FaultyBackend(tracingBackend(new MemoryBackend(new MemoryDisk()), record), []), record, mode);
  return trace;
}

/** Every store call failing on its n-th use, n = 1, 2, 3, ..., in every way a call can fail. */
export async function* tracesUnderStoreFaults(
  mode: ScenarioMode = {},
): AsyncGenerator<{ readonly fault: Fault; readonly trace: Trace }> {
  for (const kind of FAULT_KINDS) {
    for (let nth = 1;; nth++) {
      const fault: Fault = { nth, kind };
      const trace = await traceWithFault(fault, mode);
      if (trace === undefined) break;
      yield { fault, trace };
    }
  }
}

/** Where a process dies: just before or just after the n-th use of a store call, or the n-th message a sink writes. */
export interface KillPoint {
  readonly operation: FaultOperation | "sinkWrite";
  readonly phase: "before" | "after";
  readonly use: number;
}

const CHILD = new URL("../faults/scenario_child.ts", import.meta.url);

/** Runs the scenario in real processes over a real store, the first of which dies at the point. */
export async function traceWithKill(
  folder: string,
  point: KillPoint,
): Promise<{ readonly trace: Trace; readonly killed: boolean }> {
  let killed = false;
  for (let start = 0; start < RESTARTS_MAX; start++) {
    const args = start === 0 ? [folder, JSON.stringify(point)] : [folder];
    const { success, signal, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "-A", CHILD.href, ...args],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    if (signal === "SIGKILL") killed = true;
    else if (!success) assert.fail(`the scenario failed: ${new TextDecoder().decode(stderr)}`);
    else return { trace: readTrace(folder), killed };
  }
  assert.fail(`the scenario did not complete in ${RESTARTS_MAX} starts`);
}

/** The events a folder's processes recorded, in order. */
function readTrace(folder: string): Trace {
  const lines = Deno.readTextFileSync(`${folder}/trace.ndjson`).split("\n").filter((line) => line !== "");
  return new Trace(lines.map((line) => JSON.parse(line)));
}
