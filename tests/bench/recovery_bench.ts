/** Owns the measure of a start that finds a full spool: every message of it is uncommitted and is replayed. */

import { join } from "node:path";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { runChild } from "./child_program.ts";
import { filePipelineText } from "./file_bench.ts";
import { cost, type Measurement } from "./measurement.ts";
import type { PipelineEnded } from "./pipeline_child.ts";

const CORE = 0;

/** From the call to run to the moment the sources run, of file to script to file. */
export async function recoveryBench(bench: Bench): Promise<readonly Measurement[]> {
  const runs: PipelineEnded[] = [];
  for (let turn = 1; turn <= bench.scale.turns; turn++) {
    runs.push(await recover(bench));
    bench.say(`recovery, turn ${turn}: ${runs.at(-1)?.startSeconds.toFixed(2)} s`);
  }
  const name = `recovery of ${bench.scale.lines.toLocaleString("en-US")} messages`;
  return [
    cost({ name, unit: "s", values: runs.map(({ startSeconds }) => startSeconds) }),
    cost({ name: `${name}, peak memory`, unit: "MB", values: runs.map(({ peakMb }) => peakMb) }),
  ];
}

async function recover(bench: Bench): Promise<PipelineEnded> {
  using folder = turnFolder(bench);
  const config = join(folder.path, "pipeline.yaml");
  const input = join(folder.path, "in.jsonl");
  await Deno.writeTextFile(config, filePipelineText(input, join(folder.path, "out.jsonl")));
  await Deno.writeTextFile(input, "");
  await runChild<null>("spool_fill_child", { args: [folder.path, String(bench.scale.lines)], core: CORE });
  const ended = await runChild<PipelineEnded>("pipeline_child", {
    args: [config, folder.path, "process"],
    core: CORE,
    asProgram: true,
  });
  if (ended.status === "completed" && ended.replayed === bench.scale.lines) return ended;
  throw new Error(`the pipeline ended as ${ended.status} after a replay of ${ended.replayed} of ${bench.scale.lines}`);
}
