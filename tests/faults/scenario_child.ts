/** One life of the fault scenario in a process of its own: FOLDER [KILL POINT]. It dies by SIGKILL at the point. */

import { FaultyBackend, SqliteBackend } from "../../src/store/mod.ts";
import { runScenario, tracingBackend } from "../suites/scenario.ts";
import type { KillPoint } from "../suites/scenario_restarts.ts";
import type { TraceEvent } from "../suites/trace.ts";

const [folder, pointText] = Deno.args;
const point: KillPoint | undefined = pointText === undefined ? undefined : JSON.parse(pointText);

using file = Deno.openSync(`${folder}/trace.ndjson`, { create: true, append: true });
const encoder = new TextEncoder();
const dieAt = (operation: KillPoint["operation"], phase: KillPoint["phase"], use: number) => {
  if (operation === point?.operation && phase === point.phase && use === point.use) Deno.kill(Deno.pid, "SIGKILL");
};
let written = 0;
const record = (event: TraceEvent) => {
  // The trace is the sinks' output: a message is written with its line.
  if (event.e === "wrote") dieAt("sinkWrite", "before", ++written);
  const line = encoder.encode(JSON.stringify(event) + "\n");
  // One write a line: a killed process leaves whole lines.
  if (file.writeSync(line) !== line.length) throw new Error("short write");
  if (event.e === "wrote") dieAt("sinkWrite", "after", written);
};

const sqlite = new SqliteBackend(`${folder}/scenario.db`, { durability: "process" });
const backend = new FaultyBackend(tracingBackend(sqlite, record), [], dieAt);
const { status } = await runScenario(backend, record);
if (status === "failed") throw new Error(`the scenario ended as ${status}`);
