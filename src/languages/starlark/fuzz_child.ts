/** Owns a process that tries random and hostile scripts and says how much memory it took at its peak: SEED COUNT. */

import { compileStarlark } from "./compile.ts";
import { tryScript } from "./fuzz_trial.ts";
import { ScriptWriter } from "./fuzz_writer.ts";
import { ScriptError } from "./program.ts";

const HOSTILE = new URL("./hostile/", import.meta.url);
const MEGABYTE = 1 << 20;
/** Scripts after which the engine has compiled what it runs. */
const WARM_UP = 20;

/** The most memory the process ever took, where the system tells; else what it takes now. */
function peakBytes(): number {
  if (Deno.build.os !== "linux") return Deno.memoryUsage().rss;
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
  return Number(kilobytes) * 1024;
}

function runToTheEnd(source: string): void {
  const compiled = compileStarlark(source);
  if (!compiled.ok) return;
  try {
    compiled.program.bind({ constants: {}, parameters: {} })({ payload: { list: [1], text: "abc" }, meta: {} });
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
  }
}

function main([seed = "", count = ""]: readonly string[]): void {
  const writer = new ScriptWriter(Number(seed));
  for (let index = 0; index < WARM_UP; index++) tryScript(writer.program());
  const hostile = [...Deno.readDirSync(HOSTILE)].flatMap(({ name }) => {
    return Deno.readTextFileSync(new URL(name, HOSTILE)).split(/^---\n/m);
  });
  const before = peakBytes();
  let peak = before;
  for (let index = 0; index < Number(count); index++) {
    tryScript(writer.program());
    peak = Math.max(peak, peakBytes());
  }
  for (const source of hostile) {
    runToTheEnd(source);
    peak = Math.max(peak, peakBytes());
  }
  const found = { growthMb: (peak - before) / MEGABYTE, scripts: Number(count) + hostile.length };
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(found)));
}

if (import.meta.main) main(Deno.args);
