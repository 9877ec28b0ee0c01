/** The power of the data folder's disk is cut under load, again and again. */

import assert from "node:assert/strict";
import { freePort, jsonLines, RunningProgram, runProgram, type Subject } from "../e2e/program.ts";
import { checkStore, storePath } from "../../src/store/mod.ts";
import { LossyDisk } from "./lossy_disk.ts";
import { faultTest } from "./machine.ts";
import { postOnce, RequestLoad } from "./request_load.ts";
import { storedNumbers } from "./stored_numbers.ts";

const CLIENTS = 8;
/** Cuts: all of them from source, where the clock of the whole is kept, and a few of the compiled program. */
const POWER_ROUNDS = { source: 20, compiled: 5 };
const PROCESS_ROUNDS = { source: 5, compiled: 2 };
/** Accepted messages after which the power is cut, at random between the two. */
const ACCEPTED = { min: 100, max: 1_500 };
/** More than any round sends: each number is sent once. */
const NUMBERS_PER_ROUND = 1_000_000;

type Durability = "power" | "process";

/** A pipeline on a disk whose power fails, and what it told its clients. */
class PowerLoss {
  readonly accepted: number[] = [];
  readonly #subject: Subject;
  readonly #folder: string;
  readonly #disk: LossyDisk;
  readonly #port = freePort();
  #round = 0;

  constructor(subject: Subject, folder: string, disk: LossyDisk, durability: Durability) {
    this.#subject = subject;
    this.#folder = folder;
    this.#disk = disk;
    const runtime = `apiVersion: eventboat/v1
kind: Runtime
storage: { data_dir: "${disk.folder}/data", durability: ${durability}, spool_retention: 1000000 }
`;
    const pipeline = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: cut }
sources:
  in: { http_server: { listen: "127.0.0.1:${this.#port}" } }
sinks:
  out: { depends_on: in, file: { path: "${disk.folder}/out.ndjson" } }
`;
    Deno.writeTextFileSync(`${folder}/eventboat.yaml`, runtime);
    Deno.writeTextFileSync(`${folder}/pipeline.yaml`, pipeline);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get dataDir(): string {
    return `${this.#disk.folder}/data`;
  }

  get outPath(): string {
    return `${this.#disk.folder}/out.ndjson`;
  }

  start(): RunningProgram {
    return new RunningProgram(this.#subject, ["run", "--config", "pipeline.yaml"], { cwd: this.#folder });
  }

  /** Runs until a few messages are accepted, cuts the power and plugs the disk in again; answers what was accepted. */
  async round(): Promise<readonly number[]> {
    const enough = ACCEPTED.min + Math.random() * (ACCEPTED.max - ACCEPTED.min);
    const accepted = await this.#cutUnderLoad(enough);
    await this.#disk.restart();
    // The cut was one: what lay in memory beside the store is gone.
    assert.equal(await textOf(`${this.#disk.folder}/unsynced-${this.#round}.txt`), "");
    this.accepted.push(...accepted);
    return accepted;
  }

  async #cutUnderLoad(enough: number): Promise<readonly number[]> {
    await using program = this.start();
    const load = new RequestLoad({ url: this.url, clients: CLIENTS, first: ++this.#round * NUMBERS_PER_ROUND });
    try {
      await program.until("enough was accepted", () => load.accepted.length >= enough ? true : undefined);
      Deno.writeTextFileSync(`${this.#disk.folder}/unsynced-${this.#round}.txt`, "not synced");
      // What is answered while the disk goes down counts for nothing: a machine without power would not answer, and
      // this kernel may let a sync succeed that the shutdown overtakes.
      const accepted = [...load.accepted];
      this.#disk.cutPower();
      return accepted;
    } finally {
      await load.stop();
    }
  }

  async verb(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runProgram(this.#subject, args, { cwd: this.#folder });
    assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return "";
  }
}

function missing(wanted: readonly number[], found: Iterable<number>): readonly number[] {
  const there = new Set(found);
  return wanted.filter((n) => !there.has(n));
}

function numbersOut(path: string): readonly number[] {
  return jsonLines(path).map((line) => Number(line["n"]));
}

faultTest("power loss: what was answered 2xx is there afterwards", ["power loss"], async (subject, folder) => {
  await using disk = await LossyDisk.make();
  const cut = new PowerLoss(subject, folder, disk, "power");
  for (let round = 0; round < POWER_ROUNDS[subject.compiled ? "compiled" : "source"]; round++) {
    const accepted = await cut.round();
    const { numbers, checkpoint } = await storedNumbers(cut.dataDir, "cut");
    assert.deepEqual(missing(accepted, numbers.values()), [], `round ${round}: answered 2xx and not in the store`);
    const committed = [...numbers].filter(([seq]) => seq <= checkpoint).map(([, n]) => n);
    assert.deepEqual(missing(committed, numbersOut(cut.outPath)), [], `round ${round}: committed and not written`);
  }
  await using last = cut.start();
  await last.until("it serves", async () => (await postOnce(cut.url, '{"n":0}'))?.status === 202 ? true : undefined);
  await last.until("everything accepted has arrived", () => {
    return missing(cut.accepted, numbersOut(cut.outPath)).length === 0 ? true : undefined;
  });
  last.kill("SIGTERM");
  const { code, stderr } = await last.finished();
  assert.equal(code, 0, stderr);
  assert.match(await cut.verb("store", "check", "cut"), /: ok\n$/);
});

faultTest("power loss: in process durability the store opens and is whole", ["power loss"], async (subject, folder) => {
  await using disk = await LossyDisk.make();
  const cut = new PowerLoss(subject, folder, disk, "process");
  let lost = 0;
  for (let round = 0; round < PROCESS_ROUNDS[subject.compiled ? "compiled" : "source"]; round++) {
    const accepted = await cut.round();
    assert.deepEqual(checkStore(storePath(cut.dataDir, "cut")), [], `round ${round}`);
    lost += missing(accepted, (await storedNumbers(cut.dataDir, "cut")).numbers.values()).length;
  }
  assert.ok(lost > 0, "nothing was lost: the power was not really cut");
});
