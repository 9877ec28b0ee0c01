/** The disk of the data folder fills up while a sink does not take anything: case D04, through the whole program. */

import assert from "node:assert/strict";
import { freePort, RunningProgram, type Subject } from "../e2e/program.ts";
import { faultTest } from "./machine.ts";
import { NumberSink } from "./number_sink.ts";
import { RequestLoad } from "./request_load.ts";
import { SmallDisk } from "./small_disk.ts";

const DISK_MEGABYTES = 24;
const CLIENTS = 4;
/** Bytes of a message: a few thousand of them fill the disk. */
const PADDING_BYTES = 4_000;
/** How long a full disk is watched refusing. */
const WATCH_MS = 300;
const FULL_REGEXP = /the disk of the store is full: intake is refused/;
const ROOM_REGEXP = /the disk of the store has room again: intake goes on/;

/** Refusals are waited for as long as it takes, a hundred milliseconds at a time. */
const PATIENT = "delivery: { retries: 1000000, backoff: constant }";

interface Setup {
  readonly folder: string;
  readonly disk: SmallDisk;
  readonly source: string;
  readonly sink: NumberSink;
  readonly mode?: "batch" | "continuous";
}

function writePipeline({ folder, disk, source, sink, mode = "continuous" }: Setup): void {
  const runtime = `apiVersion: eventboat/v1
kind: Runtime
storage: { data_dir: "${disk.folder}" }
`;
  const pipeline = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: narrow }
run: { mode: ${mode} }
limits: { max_in_flight: 100000 }
sources:
  in: ${source}
sinks:
  out: { depends_on: [in: { ${PATIENT} }], http: { url: "${sink.url}", body: ndjson } }
`;
  Deno.writeTextFileSync(`${folder}/eventboat.yaml`, runtime);
  Deno.writeTextFileSync(`${folder}/pipeline.yaml`, pipeline);
}

/** A program and what it has said so far. */
class Heard implements AsyncDisposable {
  readonly program: RunningProgram;
  #text = "";

  constructor(subject: Subject, cwd: string) {
    const heard = (text: string) => void (this.#text += text);
    this.program = new RunningProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd, heard });
  }

  /** Waits until the program says so, from here on. */
  async says(what: RegExp): Promise<void> {
    await this.program.until(`it said ${what}`, () => what.test(this.#text) ? true : undefined);
    this.#text = "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

faultTest(
  "full disk: http_server refuses, and goes on by itself when messages are delivered or the disk grows",
  ["mount"],
  async (subject, folder) => {
    await using disk = await SmallDisk.mount(DISK_MEGABYTES);
    await using sink = new NumberSink();
    const port = freePort();
    const url = `http://127.0.0.1:${port}/`;
    writePipeline({ folder, disk, source: `{ http_server: { listen: "127.0.0.1:${port}" } }`, sink });
    await using heard = new Heard(subject, folder);
    const { program } = heard;
    const load = new RequestLoad({ url, clients: CLIENTS, first: 1, padding: PADDING_BYTES });
    try {
      await fill(heard, load);
      // Room by delivery: what is committed gives way.
      sink.takes = true;
      await heard.says(ROOM_REGEXP);
      await growth(program, load);
      sink.takes = false;
      await fill(heard, load);
      // Room by hand.
      await disk.remount(`size=${DISK_MEGABYTES * 3}m`);
      await heard.says(ROOM_REGEXP);
      await growth(program, load);
      sink.takes = true;
      await growth(program, load);
    } finally {
      await load.stop();
    }
    await program.until("everything accepted has arrived", () => sink.lacks(load.accepted) ? undefined : true);
    program.kill("SIGTERM");
    const { code, stderr } = await program.finished();
    assert.equal(code, 0, stderr);
  },
);

/** Waits until the disk is full, and sees that nothing is accepted then. */
async function fill(heard: Heard, load: RequestLoad): Promise<void> {
  const refused = load.refusals.length;
  await heard.says(FULL_REGEXP);
  await heard.program.until("it refused", () => load.refusals.length > refused ? true : undefined);
  const accepted = load.accepted.length;
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  assert.equal(load.accepted.length, accepted, "a full disk accepted more");
  const last = load.refusals.at(-1);
  assert.deepEqual([last?.status, last?.body], [503, "not accepted, the disk is full: send it again later\n"]);
}

/** Waits until more is accepted. */
async function growth(program: RunningProgram, load: RequestLoad): Promise<void> {
  const before = load.accepted.length;
  await program.until("more was accepted", () => load.accepted.length > before + 50 ? true : undefined);
}

faultTest("full disk: a file source waits and goes on by itself", ["mount"], async (subject, folder) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  await using sink = new NumberSink();
  const numbers = Array.from({ length: 12_000 }, (_, n) => n);
  const padding = "x".repeat(PADDING_BYTES);
  const lines = numbers.map((n) => `${JSON.stringify({ n, padding })}\n`);
  await Deno.writeTextFile(`${folder}/in.ndjson`, lines.join(""));
  writePipeline({ folder, disk, source: "{ file: { path: in.ndjson, on_eof: stop } }", sink, mode: "batch" });
  await using heard = new Heard(subject, folder);
  await heard.says(FULL_REGEXP);
  await disk.remount(`size=${DISK_MEGABYTES + 16}m`);
  await heard.says(ROOM_REGEXP);
  await heard.says(FULL_REGEXP);
  sink.takes = true;
  const { code, stdout, stderr } = await heard.program.finished();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /completed/);
  assert.ok(!sink.lacks(numbers), "a line is missing");
});
