/** Owns the measure of codecs: each beside the bare library that does the same. */

import type { Bench } from "./bench_scale.ts";
import { ChildProgram } from "./child_program.ts";
import type { CodecMeasured } from "./codec_child.ts";
import { cost, type Measurement } from "./measurement.ts";

const CORE = 0;
/** A codec may cost one and a half times the library. */
const LIBRARY_RATIO_LEAST = 1 / 1.5;

/** Each beside a library, in turns, in one process; and how large the same messages are in each codec. */
export async function codecBench({ scale, say }: Bench): Promise<readonly Measurement[]> {
  await using child = new ChildProgram("codec_child", {
    args: [String(scale.computeMs), String(scale.turns)],
    core: CORE,
    asProgram: true,
  });
  const measurements: Measurement[] = [];
  for (let one = await child.next<CodecMeasured | null>(); one !== null; one = await child.next()) {
    const bound = one.unit === "ns/msg" ? { bound: LIBRARY_RATIO_LEAST } : {};
    measurements.push(cost({ ...one, ...bound }));
    say(`${one.name}: ${one.values.map((value) => value.toFixed(1)).join(", ")} ${one.unit}`);
  }
  return measurements;
}
