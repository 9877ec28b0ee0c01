/** The eight promises, each by itself, under every store fault, and under SIGKILL of a real process. */

import type { FaultOperation } from "../../src/store/mod.ts";
import { SCENARIO_VALUES } from "../suites/scenario.ts";
import {
  type ScenarioMode,
  tracesUnderStoreFaults,
  traceWithKill,
  traceWithoutFault,
} from "../suites/scenario_restarts.ts";
import type { Trace } from "../suites/trace.ts";

/** Name and question of each promise; the names are never changed. */
const INVARIANTS: readonly (readonly [name: string, check: (trace: Trace) => void])[] = [
  ["spool before visible", (trace) => trace.checkSpoolBeforeVisible()],
  ["checkpoint only over committed", (trace) => trace.checkCheckpoints()],
  ["crash replays all uncommitted", (trace) => (trace.checkReplay(), trace.checkEnd())],
  ["dead-letter failure blocks commit", (trace) => trace.checkDeadLetters()],
  ["optional edge isolates", (trace) => trace.checkOptionalIsolates(SCENARIO_VALUES)],
  ["redelivery keeps identity", (trace) => trace.checkIdentity()],
  ["watermark follows commit", (trace) => trace.checkWatermark()],
  ["branches are isolated", (trace) => trace.checkBranches()],
];

/** Where processes die in these tests; the sweep over every durable step is a suite of its own. */
const KILLS: readonly { readonly operation: FaultOperation; readonly use: number }[] = [
  { operation: "append", use: 3 },
  { operation: "marks", use: 2 },
  { operation: "writeDeadLetters", use: 2 },
];

/** Traces are made once and asked eight times. */
const traces = {
  lanes: undefined as Promise<readonly { readonly label: string; readonly trace: Trace }[]> | undefined,
  faults: undefined as Promise<readonly { readonly label: string; readonly trace: Trace }[]> | undefined,
  kills: undefined as Promise<readonly { readonly label: string; readonly trace: Trace }[]> | undefined,
};

async function faultTraces(mode: ScenarioMode): Promise<readonly { readonly label: string; readonly trace: Trace }[]> {
  const found = [];
  for await (const { fault, trace } of tracesUnderStoreFaults(mode)) {
    found.push({ label: JSON.stringify(fault), trace });
  }
  return found;
}

async function killTraces(): Promise<readonly { readonly label: string; readonly trace: Trace }[]> {
  const found = [];
  for (const { operation, use } of KILLS) {
    for (const phase of ["before", "after"] as const) {
      const folder = await Deno.makeTempDir();
      try {
        const { trace, killed } = await traceWithKill(folder, { operation, phase, use });
        if (!killed) throw new Error(`no process died ${phase} use ${use} of ${operation}`);
        found.push({ label: `SIGKILL ${phase} use ${use} of ${operation}`, trace });
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    }
  }
  return found;
}

for (const [name, check] of INVARIANTS) {
  Deno.test(`invariant: ${name}`, async (t) => {
    await t.step("by itself", async () => {
      check(await traceWithoutFault());
    });
    await t.step("under every store fault", async () => {
      for (const { label, trace } of await (traces.faults ??= faultTraces({}))) checkLabelled(label, trace, check);
    });
    await t.step("in lanes that die, under every store fault", async () => {
      check(await traceWithoutFault({ inLanes: true }));
      for (const { label, trace } of await (traces.lanes ??= faultTraces({ inLanes: true }))) {
        checkLabelled(label, trace, check);
      }
    });
    await t.step("under SIGKILL of a real process", async () => {
      for (const { label, trace } of await (traces.kills ??= killTraces())) checkLabelled(label, trace, check);
    });
  });
}

function checkLabelled(label: string, trace: Trace, check: (trace: Trace) => void): void {
  try {
    check(trace);
  } catch (caught) {
    throw new Error(`${label}: ${caught instanceof Error ? caught.message : caught}`, { cause: caught });
  }
}
