/** Owns the measure of how long the program takes to answer: from source and, where it is there, compiled. */

import { join } from "node:path";
import { PROJECT_ROOT } from "../../scripts/project_files.ts";
import { type Bench, turnFolder } from "./bench_scale.ts";
import { pinned, programFlags } from "./child_program.ts";
import { filePipelineText } from "./file_bench.ts";
import { cost, type Measurement } from "./measurement.ts";

const CORE = 0;
/** Starts each turn is the median of: a start is short, and others on the machine are long. */
const STARTS_PER_TURN = 3;
const COMPILED = new URL("dist/eventboat", PROJECT_ROOT).pathname;
const COMPILED_VERSION_BOUND_MS = 150;

/** A way to start the program. */
interface Start {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly bound?: number;
}

/** `verify` of a small pipeline and `version`. */
export async function startUpBench(bench: Bench): Promise<readonly Measurement[]> {
  using folder = turnFolder(bench);
  const config = join(folder.path, "pipeline.yaml");
  await Deno.writeTextFile(config, filePipelineText(join(folder.path, "in.jsonl"), join(folder.path, "out.jsonl")));
  const starts = startsOf(config);
  const times = starts.map((): number[] => []);
  for (let turn = 0; turn < bench.scale.turns * STARTS_PER_TURN; turn++) {
    for (const [i, { command }] of starts.entries()) times[i]?.push(await timeOf(command));
  }
  if (starts.length < 4) bench.say("start-up: dist/eventboat is not there (deno task compile makes it)");
  return starts.map(({ name, bound }, i) =>
    cost({ name, unit: "ms", values: times[i] ?? [], ...(bound === undefined ? {} : { bound }) })
  );
}

function startsOf(config: string): readonly Start[] {
  const source = [Deno.execPath(), "run", ...programFlags(), "--no-prompt", "--allow-all", "src/main.ts"] as const;
  const fromSource: readonly Start[] = [
    { name: "start of verify, from source", command: [...source, "verify", "--config", config] },
    { name: "start of version, from source", command: [...source, "version"] },
  ];
  if (!isThere(COMPILED)) return fromSource;
  return [
    ...fromSource,
    { name: "start of verify, compiled", command: [COMPILED, "verify", "--config", config] },
    { name: "start of version, compiled", command: [COMPILED, "version"], bound: COMPILED_VERSION_BOUND_MS },
  ];
}

/** Milliseconds from the start of the process to its end. @throws {Error} when it fails */
async function timeOf(command: readonly [string, ...string[]]): Promise<number> {
  const [program, ...args] = pinned(CORE, command);
  const startMs = performance.now();
  const { success, stderr } = await new Deno.Command(program, { args, cwd: PROJECT_ROOT, stdin: "null" }).output();
  const tookMs = performance.now() - startMs;
  if (!success) throw new Error(`${command.join(" ")} failed: ${new TextDecoder().decode(stderr)}`);
  return tookMs;
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return false;
    throw caught;
  }
}
