/** Owns the measure of lanes: a script that costs much, on one isolate and on two, with two cores for all of it. */

import { join } from "node:path";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { runChild } from "./child_program.ts";
import { writeInput } from "./input_lines.ts";
import { type Measurement, rate } from "./measurement.ts";
import type { PipelineEnded } from "./pipeline_child.ts";

/** The cores that everything is held to, together. */
const CORES: readonly number[] = [0, 1];
const RATIO_BOUND = 1.6;
/** One line of the input in this many: each costs twenty times what a line of the main job does. */
const LINES_DIVISOR = 5;
/** Below this, nothing but the isolates' warming up is measured. */
const LINES_MIN = 40_000;
/** Turns of the script's loop that cost about 50 µs. */
const LOOP_TURNS = 6_000;

function pipelineText(input: string, output: string, workers: number): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: lanes }
run: { mode: batch }
sources:
  lines:
    file: { path: ${input}, on_eof: stop }
transforms:
  work:
    depends_on: [lines]
    workers: ${workers}
    script: |
      def sum_of(quantity):
          total = 0
          for n in range(${LOOP_TURNS}):
              total += n * quantity
          return total
      payload.total = sum_of(payload.quantity)
sinks:
  out:
    depends_on: [work]
    file: { path: ${output} }
`;
}

/** Two workers beside one, in turns. */
export async function lanesBench(bench: Bench): Promise<readonly Measurement[]> {
  const lines = Math.max(LINES_MIN, Math.round(bench.scale.lines / LINES_DIVISOR));
  const input = join(bench.folder, "lanes.jsonl");
  writeInput(input, lines);
  const [one, two]: [number[], number[]] = [[], []];
  for (let turn = 1; turn <= bench.scale.turns; turn++) {
    one.push(await runWorkers(bench, input, lines, 1));
    two.push(await runWorkers(bench, input, lines, 2));
    bench.say(`lanes, turn ${turn}: one worker ${one.at(-1)}, two ${two.at(-1)} msg/s`);
  }
  const name = "script of 50 µs with two workers, beside one";
  return [rate({ name, unit: "msg/s", values: two, references: one, bound: RATIO_BOUND })];
}

async function runWorkers(bench: Bench, input: string, lines: number, workers: number): Promise<number> {
  using folder = turnFolder(bench);
  const config = join(folder.path, "pipeline.yaml");
  await Deno.writeTextFile(config, pipelineText(input, join(folder.path, "out.jsonl"), workers));
  const ended = await runChild<PipelineEnded>("pipeline_child", {
    args: [config, folder.path, "process"],
    core: CORES,
    asProgram: true,
  });
  if (ended.status !== "completed" || ended.committed !== lines) {
    throw new Error(`the pipeline ended as ${ended.status} after ${ended.committed} of ${lines} lines`);
  }
  return Math.round(lines / ended.runSeconds);
}
