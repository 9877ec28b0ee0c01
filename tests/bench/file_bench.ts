/** Owns the measure of the main job: file to script to file, beside the bare loops. */

import { join } from "node:path";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { runChild } from "./child_program.ts";
import { cost, type Measurement, rate } from "./measurement.ts";
import type { PipelineEnded } from "./pipeline_child.ts";
import type { FloorEnded } from "./row_floor_child.ts";

/** The core that everything is held to. */
const CORE = 0;
const RATIO_BOUNDS = { process: 1.0, power: 1.3 };
const MEMORY_BOUND_MB = 300;

/** Name of the pipeline that {@linkcode filePipelineText} describes. */
export const PIPELINE_NAME = "bench";
/** Name of its source. */
export const SOURCE_NAME = "lines";

/** Text of the pipeline that reads, changes and writes lines. */
export function filePipelineText(input: string, output: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${PIPELINE_NAME} }
run: { mode: batch }
sources:
  ${SOURCE_NAME}:
    file: { path: ${input}, on_eof: stop }
transforms:
  price:
    depends_on: [${SOURCE_NAME}]
    script: |
      payload.total = payload.amount * payload.quantity
      payload.band = "gold" if payload.total > 1000 else "std"
sinks:
  priced:
    depends_on: [price]
    file: { path: ${output} }
`;
}

/** Both durabilities, each in turns with the loop of rows and the loop of segments. */
export async function fileBench(bench: Bench, input: string): Promise<readonly Measurement[]> {
  return [...await measure(bench, input, "process"), ...await measure(bench, input, "power")];
}

async function measure(
  bench: Bench,
  input: string,
  durability: "process" | "power",
): Promise<readonly Measurement[]> {
  const engine: (PipelineEnded & FloorEnded)[] = [];
  const rows: FloorEnded[] = [];
  const segments: FloorEnded[] = [];
  for (let turn = 1; turn <= bench.scale.turns; turn++) {
    engine.push(await runEngine(bench, input, durability));
    rows.push(await runFloor(bench, "row_floor_child", input, durability));
    segments.push(await runFloor(bench, "segment_floor_child", input, durability));
    const [last, row, segment] = [engine, rows, segments].map((runs) => ratesOf(runs).at(-1));
    bench.say(`file, ${durability}, turn ${turn}: engine ${last}, rows ${row}, segments ${segment} msg/s`);
  }
  const name = `file to script to file, ${durability}`;
  const unit = "msg/s";
  return [
    rate({ name, unit, values: ratesOf(engine), references: ratesOf(rows), bound: RATIO_BOUNDS[durability] }),
    rate({ name: `${name}, beside segments`, unit, values: ratesOf(engine), references: ratesOf(segments) }),
    cost({
      name: `${name}, peak memory`,
      unit: "MB",
      values: engine.map(({ peakMb }) => peakMb),
      bound: MEMORY_BOUND_MB,
    }),
  ];
}

/** One run of the pipeline; start-up is left out of its seconds. */
async function runEngine(bench: Bench, input: string, durability: string): Promise<PipelineEnded & FloorEnded> {
  using folder = turnFolder(bench);
  const config = join(folder.path, "pipeline.yaml");
  const output = join(folder.path, "out.jsonl");
  await Deno.writeTextFile(config, filePipelineText(input, output));
  const ended = await runChild<PipelineEnded>("pipeline_child", {
    args: [config, folder.path, durability],
    core: CORE,
    asProgram: true,
  });
  if (ended.status !== "completed" || ended.committed !== bench.scale.lines) {
    throw new Error(`the pipeline ended as ${ended.status} after ${ended.committed} of ${bench.scale.lines} lines`);
  }
  return { ...ended, lines: ended.committed, seconds: ended.runSeconds };
}

async function runFloor(
  bench: Bench,
  program: "row_floor_child" | "segment_floor_child",
  input: string,
  durability: string,
): Promise<FloorEnded> {
  using folder = turnFolder(bench);
  const args = [input, join(folder.path, "out.jsonl"), join(folder.path, "floor.db"), durability];
  return await runChild<FloorEnded>(program, { args, core: CORE });
}

function ratesOf(runs: readonly Pick<FloorEnded, "lines" | "seconds">[]): number[] {
  return runs.map(({ lines, seconds }) => Math.round(lines / seconds));
}
