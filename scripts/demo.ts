/** Owns `deno task demo`: the main job before your eyes, with a killed process in the middle. Ends by itself. */

import { exampleData } from "./example_data.ts";
import { PROJECT_ROOT } from "./project_files.ts";

const FOLDER = new URL(".demo/", PROJECT_ROOT);
const INPUT = new URL("orders.ndjson", FOLDER);
const OUTPUT = new URL("priced.ndjson", FOLDER);
const OVERLAY = new URL("live.yaml", FOLDER);

const ORDERS = 40;
const WRITE_EVERY_MS = 60;
const LOOK_EVERY_MS = 40;
/** The process is killed once so many orders have arrived. */
const KILL_AFTER = 15;
/** How long the demo waits for orders before it gives up: a first start downloads what the program imports. */
const PATIENCE_MS = 120_000;

/** Turns the example into one that follows a file which grows while we watch. */
const OVERLAY_TEXT = `run: { mode: continuous }
sources:
  orders:
    file: { path: ../../.demo/orders.ndjson, on_eof: tail, poll_every_ms: 50 }
sinks:
  priced:
    file: { path: ../../.demo/priced.ndjson }
`;

interface PricedOrder {
  readonly order_id: string;
  readonly customer: { readonly name: string };
  readonly currency: string;
  readonly total: number;
  readonly tier: string;
}

async function main(): Promise<number> {
  await Deno.remove(FOLDER, { recursive: true }).catch(ignoreNotFound);
  await Deno.mkdir(FOLDER);
  await Deno.writeTextFile(INPUT, "");
  await Deno.writeTextFile(OVERLAY, OVERLAY_TEXT);
  say("examples/linear/pipeline.yaml: orders.ndjson -> script -> priced.ndjson");
  const orders = (exampleData().get("linear/orders.ndjson") ?? "").split("\n").slice(0, ORDERS);
  const arrivals = new Arrivals();
  const writing = writeSlowly(orders);
  let pipeline = start();
  try {
    await arrivals.until(KILL_AFTER, pipeline);
    pipeline.kill("SIGKILL");
    await pipeline.status;
    say(`-- the pipeline's process was killed with SIGKILL after ${arrivals.lines} orders; started again --`);
    pipeline = start();
    await writing;
    await arrivals.until(ORDERS, pipeline);
  } finally {
    stop(pipeline);
  }
  // On a slow machine everything may have arrived before the second process was far enough to take the signal.
  const { code, signal } = await pipeline.status;
  return summarise(arrivals, signal === "SIGTERM" ? 0 : code);
}

/** Starts the pipeline as a user would; its log goes to our stderr. */
function start(): Deno.ChildProcess {
  const args = ["run", "-A", "--no-prompt", "src/main.ts", "run", "--config", "examples/linear/pipeline.yaml"];
  args.push("--overlay", OVERLAY.pathname, "--data-dir", new URL("data", FOLDER).pathname);
  return new Deno.Command(Deno.execPath(), { args, cwd: PROJECT_ROOT, stdin: "null", stdout: "null" }).spawn();
}

/** Asks the process to stop; one that has ended by itself (its error is on the screen) needs no asking. */
function stop(pipeline: Deno.ChildProcess): void {
  try {
    pipeline.kill("SIGTERM");
  } catch (caught) {
    if (!(caught instanceof TypeError)) throw caught;
  }
}

async function writeSlowly(lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    await Deno.writeTextFile(INPUT, `${line}\n`, { append: true });
    await sleep(WRITE_EVERY_MS);
  }
}

/** What has arrived in the output so far, each order printed as it comes. */
class Arrivals {
  readonly seen = new Set<string>();
  lines = 0;
  #bytes = 0;

  /** Looks until so many different orders have arrived; a pipeline that has ended brings no more. */
  async until(count: number, pipeline: Deno.ChildProcess): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    let ended = false;
    void pipeline.status.then(() => ended = true);
    while (this.seen.size < count) {
      if (ended) throw new Error(`the pipeline ended when ${this.seen.size} of ${count} orders had arrived`);
      if (performance.now() > endMs) {
        throw new Error(`only ${this.seen.size} of ${count} orders arrived within ${PATIENCE_MS / 1000} s`);
      }
      this.#look();
      await sleep(LOOK_EVERY_MS);
    }
  }

  #look(): void {
    const bytes = readFrom(OUTPUT, this.#bytes);
    const whole = bytes.lastIndexOf(10) + 1;
    this.#bytes += whole;
    for (const line of new TextDecoder().decode(bytes.subarray(0, whole)).split("\n")) {
      if (line !== "") this.#print(JSON.parse(line) as PricedOrder);
    }
  }

  #print({ order_id, customer, currency, total, tier }: PricedOrder): void {
    const again = this.seen.has(order_id) ? "  (again: it was in flight at the kill)" : "";
    this.seen.add(order_id);
    this.lines++;
    const amount = `${currency} ${(total / 100).toFixed(2)}`;
    say(`  ${order_id}  ${customer.name.padEnd(18)} ${amount.padStart(12)}  ${tier}${again}`);
  }
}

function summarise(arrivals: Arrivals, code: number): number {
  const missing = ORDERS - arrivals.seen.size;
  const repeated = arrivals.lines - arrivals.seen.size;
  say(`${ORDERS} orders written, ${arrivals.seen.size} arrived, ${missing} missing, ${repeated} delivered twice.`);
  say("Everything is in .demo/; the pipeline is examples/linear/pipeline.yaml. Next: README.md, A first pipeline.");
  return missing === 0 ? code : 1;
}

function readFrom(file: URL, offset: number): Uint8Array<ArrayBuffer> {
  try {
    return Deno.readFileSync(file).subarray(offset);
  } catch (caught) {
    ignoreNotFound(caught);
    return new Uint8Array();
  }
}

function ignoreNotFound(caught: unknown): void {
  if (!(caught instanceof Deno.errors.NotFound)) throw caught;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function say(line: string): void {
  console.log(line);
}

if (import.meta.main) Deno.exit(await main());
