/** Owns the measure of what costs on every message: tracker, predicates, script. */

import type { Bench } from "./bench_scale.ts";
import { ChildProgram } from "./child_program.ts";
import type { ComputeMeasured } from "./compute_child.ts";
import { cost, type Measurement } from "./measurement.ts";

const CORE = 0;

/** Each beside a function written by hand, in turns, in one process. */
export async function computeBench({ scale, say }: Bench): Promise<readonly Measurement[]> {
  await using child = new ChildProgram("compute_child", {
    args: [String(scale.computeMs), String(scale.turns)],
    core: CORE,
    asProgram: true,
  });
  const measurements: Measurement[] = [];
  for (let one = await child.next<ComputeMeasured | null>(); one !== null; one = await child.next()) {
    measurements.push(cost({ unit: "ns/msg", ...one }));
    say(`${one.name}: ${one.values.map((ns) => ns.toFixed(1)).join(", ")} ns a message`);
  }
  return measurements;
}
