/** Owns the measure of `http_server` to `drop` under load, beside a bare server that syncs groups. */

import { join } from "node:path";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { ChildProgram, runChild } from "./child_program.ts";
import type { HttpFloorEnded } from "./http_floor_child.ts";
import type { LoadEnded } from "./http_load_child.ts";
import { cost, type Measurement, rate } from "./measurement.ts";
import type { PipelineEnded, PipelineListens } from "./pipeline_child.ts";

const SERVER_CORE = 0;
const LOAD_CORE = 1;
const RATIO_BOUND = 0.7;

const PIPELINE_TEXT = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: bench }
sources:
  requests:
    http_server: { listen: "127.0.0.1:0" }
sinks:
  nothing:
    depends_on: [requests]
    drop: {}
`;

/** A server under load. */
interface Served extends LoadEnded {
  readonly peakMb: number;
}

/** The pipeline in `power` durability and the bare server, in turns. */
export async function httpBench(bench: Bench): Promise<readonly Measurement[]> {
  const engine: Served[] = [];
  const floor: Served[] = [];
  for (let turn = 1; turn <= bench.scale.turns; turn++) {
    engine.push(await serveEngine(bench));
    floor.push(await serveFloor(bench));
    const [last, bare] = [engine, floor].map((served) => served.at(-1)?.requestsPerSecond);
    bench.say(`http_server, turn ${turn}: engine ${last}, bare server ${bare} requests/s`);
  }
  const pick = (served: readonly Served[], key: keyof Served) => served.map((one) => one[key]);
  const both = (key: keyof Served) => ({ values: pick(engine, key), references: pick(floor, key) });
  const name = "http_server to drop, power";
  return [
    rate({ name, unit: "req/s", ...both("requestsPerSecond"), bound: RATIO_BOUND }),
    cost({ name: `${name}, median latency`, unit: "ms", ...both("medianMs") }),
    cost({ name: `${name}, peak memory`, unit: "MB", ...both("peakMb") }),
  ];
}

async function serveEngine(bench: Bench): Promise<Served> {
  using folder = turnFolder(bench);
  const config = join(folder.path, "pipeline.yaml");
  await Deno.writeTextFile(config, PIPELINE_TEXT);
  return await serve<PipelineEnded>(bench, "pipeline_child", [config, folder.path, "power"]);
}

async function serveFloor(bench: Bench): Promise<Served> {
  using folder = turnFolder(bench);
  return await serve<HttpFloorEnded>(bench, "http_floor_child", [join(folder.path, "floor.db")]);
}

async function serve<Ended extends { readonly peakMb: number }>(
  bench: Bench,
  program: "pipeline_child" | "http_floor_child",
  args: readonly string[],
): Promise<Served> {
  const asProgram = program === "pipeline_child";
  await using server = new ChildProgram(program, { args, core: SERVER_CORE, asProgram });
  const { port } = await server.next<PipelineListens>();
  const load = await runChild<LoadEnded>("http_load_child", {
    args: [String(port), String(bench.scale.httpSeconds)],
    core: LOAD_CORE,
  });
  server.stop();
  const { peakMb } = await server.next<Ended>();
  return { ...load, peakMb };
}
