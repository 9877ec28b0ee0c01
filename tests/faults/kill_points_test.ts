/** A process dies just before and just after each durable step; what the next one finds keeps every promise. */

import assert from "node:assert/strict";
import { SCENARIO_VALUES } from "../suites/scenario.ts";
import { type KillPoint, traceWithKill } from "../suites/scenario_restarts.ts";
import type { Trace } from "../suites/trace.ts";

/** Uses of a step at which a process dies: the first, its successors, and one well into the run. */
const USES = [1, 2, 3, 7];

/** The durable steps by the store call that takes them; checkpoints and source states ride appends or go as marks. */
const STEPS: readonly (readonly [name: string, operation: KillPoint["operation"]])[] = [
  ["spool append", "append"],
  ["sink write", "sinkWrite"],
  ["checkpoint and source commit", "marks"],
  ["dead-letter write", "writeDeadLetters"],
  ["retention trim", "trim"],
];

function checkAll(trace: Trace): void {
  trace.checkSpoolBeforeVisible();
  trace.checkCheckpoints();
  trace.checkReplay();
  trace.checkDeadLetters();
  trace.checkOptionalIsolates(SCENARIO_VALUES);
  trace.checkIdentity();
  trace.checkWatermark();
  trace.checkBranches();
  trace.checkEnd();
}

for (const [name, operation] of STEPS) {
  for (const phase of ["before", "after"] as const) {
    Deno.test(`kill point: a process that dies just ${phase} a ${name} loses nothing`, async () => {
      let deaths = 0;
      for (const use of USES) {
        const folder = await Deno.makeTempDir();
        try {
          const { trace, killed } = await traceWithKill(folder, { operation, phase, use });
          if (killed) deaths++;
          if (killed) assert.ok(trace.starts >= 2);
          checkAll(trace);
        } finally {
          await Deno.remove(folder, { recursive: true });
        }
      }
      assert.ok(deaths > 0, `no process died ${phase} a ${name}`);
    });
  }
}
