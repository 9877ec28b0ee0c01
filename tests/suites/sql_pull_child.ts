/** Runs a `sql` source to its end and prints what it emitted, for tests that need a process of its own: BLOCK texts|memory. */

import { systemClock } from "../../src/base/mod.ts";
import { type Emit, messagesOf, type PluginContext, type Source, testContext } from "../../src/plugin/mod.ts";
// deno-lint-ignore eventboat/rooms -- the memory of one source is measured, and the door loads all plugins
import { sqlSource } from "../../src/plugins/sources/sql/mod.ts";

const PEAK_REGEXP = /^VmHWM:\s+(\d+) kB$/m;

/** What is measured of a run. */
export interface Measured {
  readonly rows: number;
  /** The most memory the process has held. */
  readonly peakBytes: number;
}

// Not by the registry of all plugins: what they take to load is not this source's.
function makeSource(block: unknown): Source {
  const parsed = sqlSource.definition.parse(block);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const context: PluginContext = { ...testContext(), clock: systemClock };
  return sqlSource.create(parsed.value, context);
}

async function pull(source: Source, emit: Emit): Promise<void> {
  await source.init(undefined);
  await source.pull?.(emit, new AbortController().signal);
  await source.close();
}

async function texts(block: unknown): Promise<readonly string[]> {
  const all: string[] = [];
  await pull(makeSource(block), (emission) => {
    all.push(...messagesOf(emission).map(({ text }) => text));
    return Promise.resolve();
  });
  return all;
}

/** Counts the rows and keeps none. */
async function measured(block: unknown): Promise<Measured> {
  const source = makeSource(block);
  let rows = 0;
  await pull(source, async ({ ends }) => {
    rows += ends.length;
    // An engine takes a moment to make a batch durable: what the server sends meanwhile must not pile up.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await source.commit(rows, new AbortController().signal);
  });
  const peak = PEAK_REGEXP.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
  return { rows, peakBytes: Number(peak) * 1024 };
}

if (import.meta.main) {
  const [block = "{}", what] = Deno.args;
  console.log(JSON.stringify(await (what === "memory" ? measured : texts)(JSON.parse(block))));
}
