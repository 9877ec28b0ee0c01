/** Owns `deno task bench`: runs the benchmarks beside their floors and prints one table. */

import { join } from "node:path";
import { type Bench, FULL_SCALE, QUICK_SCALE } from "./bench_scale.ts";
import { codecBench } from "./codec_bench.ts";
import { computeBench } from "./compute_bench.ts";
import { fileBench } from "./file_bench.ts";
import { httpBench } from "./http_bench.ts";
import { writeInput } from "./input_lines.ts";
import { lanesBench } from "./lanes_bench.ts";
import { kafkaBench } from "./kafka_bench.ts";
import type { Measurement } from "./measurement.ts";
import { recoveryBench } from "./recovery_bench.ts";
import { sqlBench } from "./sql_bench.ts";
import { startUpBench } from "./start_up_bench.ts";
import { tableText } from "./table.ts";

const USAGE = `Usage: deno task bench [--quick] [--json] [--only NAME]

Measures the program beside bare loops that do the same work. A bound that does not hold is said, and is no failure.

  --quick      fewer lines and shorter turns; ends within three minutes
  --json       print an array of {name, value, unit, reference, ratio, bound, most, holds} instead of a table
  --only NAME  one of file, http, compute, codecs, lanes, sql, start, recovery, kafka; may be given several times
`;

/** A benchmark: measures, given the input file. */
type Benchmark = (bench: Bench, input: string) => Promise<readonly Measurement[]>;

const BENCHMARKS: ReadonlyMap<string, Benchmark> = new Map<string, Benchmark>([
  ["file", fileBench],
  ["http", httpBench],
  ["compute", computeBench],
  ["lanes", lanesBench],
  ["codecs", codecBench],
  ["sql", sqlBench],
  ["start", startUpBench],
  ["recovery", recoveryBench],
  ["kafka", kafkaBench],
]);

interface Choice {
  readonly quick: boolean;
  readonly json: boolean;
  readonly names: readonly string[];
}

/** What was asked for; undefined where it cannot be understood. */
function parseArguments(args: readonly string[]): Choice | undefined {
  const names: string[] = [];
  let [quick, json] = [false, false];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--quick") quick = true;
    else if (args[i] === "--json") json = true;
    else if (args[i] === "--only" && BENCHMARKS.has(args[i + 1] ?? "")) names.push(args[++i] ?? "");
    else return undefined;
  }
  return { quick, json, names: names.length === 0 ? [...BENCHMARKS.keys()] : names };
}

async function run({ quick, names }: Choice): Promise<readonly Measurement[]> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-bench-" });
  try {
    const bench: Bench = {
      scale: quick ? QUICK_SCALE : FULL_SCALE,
      folder,
      say: (text) => console.error(text),
    };
    const input = join(folder, "input.jsonl");
    writeInput(input, bench.scale.lines);
    const measurements: Measurement[] = [];
    for (const name of names) measurements.push(...await BENCHMARKS.get(name)?.(bench, input) ?? []);
    if (quick) bench.say("A quick look: warming up weighs more in it than in the whole measure.");
    return measurements;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function main(): Promise<number> {
  const choice = parseArguments(Deno.args);
  if (choice === undefined) {
    console.error(USAGE);
    return 2;
  }
  const measurements = await run(choice);
  console.log(choice.json ? JSON.stringify(measurements, null, 2) : tableText(measurements).trimEnd());
  return 0;
}

if (import.meta.main) Deno.exit(await main());
