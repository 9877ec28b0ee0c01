/** Owns the measure of postgres to file, beside a bare loop over the client's cursor. */

import { join } from "node:path";
import { missingOf } from "../servers/installed.ts";
import { PostgresServer } from "../servers/postgres_server.ts";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { runChild } from "./child_program.ts";
import { cost, type Measurement, rate } from "./measurement.ts";
import type { PipelineEnded } from "./pipeline_child.ts";
import type { FloorEnded } from "./row_floor_child.ts";

/** Both sides have both: the server takes one, and the program's isolates run beside each other. */
const CORES: readonly number[] = [0, 1];
const RATIO_BOUND = 0.6;
const QUERY = "select * from orders";

function pipelineText(dsn: string, output: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: bench }
run: { mode: batch }
sources:
  orders:
    sql: { driver: postgres, dsn: "${dsn}", query: ${QUERY}, cursor: { column: id } }
sinks:
  lines:
    depends_on: [orders]
    file: { path: ${output} }
`;
}

/** Both durabilities, in turns with the bare loop. */
export async function sqlBench(bench: Bench): Promise<readonly Measurement[]> {
  const missing = missingOf("postgres");
  if (missing !== undefined) {
    bench.say(`sql: SKIPPED, ${missing}`);
    return [];
  }
  await using server = await PostgresServer.start();
  await server.sql(
    "create table orders as select i::bigint as id, now() as placed_at, 'customer ' || i as customer, " +
      "(i % 7919)::numeric(12,2) as amount, i % 7 as quantity, md5(i::text) as reference " +
      `from generate_series(1, ${bench.scale.lines}) i; alter table orders add primary key (id); analyze orders`,
  );
  const measurements: Measurement[] = [];
  for (const durability of ["process", "power"] as const) {
    measurements.push(...await measure(bench, server, durability));
  }
  return measurements;
}

async function measure(
  bench: Bench,
  server: PostgresServer,
  durability: "process" | "power",
): Promise<readonly Measurement[]> {
  const engine: PipelineEnded[] = [];
  const floor: FloorEnded[] = [];
  for (let turn = 1; turn <= bench.scale.turns; turn++) {
    engine.push(await runEngine(bench, server, durability));
    floor.push(await runFloor(bench, server));
    const last = `engine ${engineRates(engine).at(-1)}, bare cursor ${floorRates(floor).at(-1)} rows/s`;
    bench.say(`postgres to file, ${durability}, turn ${turn}: ${last}`);
  }
  const name = `postgres to file, ${durability}`;
  const values = engineRates(engine);
  return [
    rate({ name, unit: "rows/s", values, references: floorRates(floor), bound: RATIO_BOUND }),
    cost({ name: `${name}, peak memory`, unit: "MB", values: engine.map(({ peakMb }) => peakMb) }),
  ];
}

async function runEngine(bench: Bench, server: PostgresServer, durability: string): Promise<PipelineEnded> {
  using folder = turnFolder(bench);
  const config = join(folder.path, "pipeline.yaml");
  await Deno.writeTextFile(config, pipelineText(`${server.dsn}?sslmode=disable`, join(folder.path, "out.jsonl")));
  const args = [config, folder.path, durability];
  const ended = await runChild<PipelineEnded>("pipeline_child", { args, core: CORES, asProgram: true });
  if (ended.status !== "completed" || ended.committed !== bench.scale.lines) {
    throw new Error(`the pipeline ended as ${ended.status} after ${ended.committed} of ${bench.scale.lines} rows`);
  }
  return ended;
}

async function runFloor(bench: Bench, server: PostgresServer): Promise<FloorEnded> {
  using folder = turnFolder(bench);
  const args = [server.dsn, QUERY, join(folder.path, "out.jsonl")];
  return await runChild<FloorEnded>("sql_floor_child", { args, core: CORES });
}

function engineRates(runs: readonly PipelineEnded[]): number[] {
  return runs.map(({ committed, runSeconds }) => Math.round(committed / runSeconds));
}

function floorRates(runs: readonly FloorEnded[]): number[] {
  return runs.map(({ lines, seconds }) => Math.round(lines / seconds));
}
