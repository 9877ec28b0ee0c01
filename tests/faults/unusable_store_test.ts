/** A store that cannot be used: read-only, a newer program's, damaged. `run` says so, `store` verbs save what is readable. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { programTest, RunningProgram, runProgram, type Subject } from "../e2e/program.ts";
import { storePath } from "../../src/store/mod.ts";
import { faultTest } from "./machine.ts";
import { NumberSink } from "./number_sink.ts";
import { SmallDisk } from "./small_disk.ts";

const LINES = 3_000;
const PADDING_BYTES = 500;
const DISK_MEGABYTES = 32;
const NAME = "kept";
const PAGE_BYTES = 4_096;

/** A pipeline that has accepted everything and delivered nothing, and the program that is asked about it. */
class KeptStore implements AsyncDisposable {
  readonly sink = new NumberSink();
  readonly dataDir: string;
  readonly #subject: Subject;
  readonly #folder: string;

  constructor(subject: Subject, folder: string, dataDir = `${folder}/data`) {
    this.#subject = subject;
    this.#folder = folder;
    this.dataDir = dataDir;
    const padding = "x".repeat(PADDING_BYTES);
    const lines = Array.from({ length: LINES }, (_, n) => `${JSON.stringify({ n, padding })}\n`);
    Deno.writeTextFileSync(`${folder}/in.ndjson`, lines.join(""));
    // Many small segments, so that damage in one place leaves others.
    const batch = "write_batch: { max_rows: 100 }";
    Deno.writeTextFileSync(
      `${folder}/eventboat.yaml`,
      `apiVersion: eventboat/v1\nkind: Runtime\nstorage: { ${batch} }\n`,
    );
    Deno.writeTextFileSync(
      `${folder}/pipeline.yaml`,
      `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${NAME} }
limits: { drain_timeout: 100ms }
sources:
  in: { file: { path: in.ndjson } }
sinks:
  out:
    depends_on: [in: { delivery: { retries: 1000000, backoff: constant } }]
    http: { url: "${this.sink.url}", body: ndjson }
`,
    );
  }

  get path(): string {
    return storePath(this.dataDir, NAME);
  }

  /** Accepts every line and ends: by a stop, which closes the store, or killed, which leaves its log beside it. */
  async fill(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    await using program = new RunningProgram(this.#subject, this.#args("run", this.dataDir), { cwd: this.#folder });
    await program.until("every line was accepted", async () => {
      const { code, stdout } = await this.verb("stats");
      return code === 0 && stdout["messages"] === LINES ? true : undefined;
    });
    program.kill(signal);
    const { code, stderr } = await program.finished();
    if (signal === "SIGTERM") assert.equal(code, 0, stderr);
  }

  /** Runs a verb of `store`, as JSON. */
  async verb(verb: "stats" | "check" | "salvage", dataDir = this.dataDir, ...more: string[]) {
    const args = ["store", verb, NAME, "--json", "--data-dir", dataDir, ...more];
    const { code, stdout } = await runProgram(this.#subject, args, { cwd: this.#folder });
    return { code, stdout: JSON.parse(stdout) };
  }

  /** Runs the pipeline, which cannot; answers the error that was told, as text and as data. */
  async refused(): Promise<{ readonly code: string; readonly message: string; readonly hint: string }> {
    const text = await runProgram(this.#subject, this.#args("run", this.dataDir), { cwd: this.#folder });
    const json = await runProgram(this.#subject, [...this.#args("run", this.dataDir), "--json"], { cwd: this.#folder });
    assert.deepEqual([text.code, json.code], [1, 1]);
    const { error, failure } = JSON.parse(json.stdout);
    const told = error ?? failure;
    assert.ok(text.stderr.includes(`error[${told.code}]`), text.stderr);
    assert.ok(text.stderr.includes(told.hint), text.stderr);
    assert.ok(told.message.includes(this.path), told.message);
    return told;
  }

  /** Runs over another data folder until so many messages have arrived by replay, and stops it. */
  async runSalvaged(dataDir: string, messages: number): Promise<void> {
    this.sink.takes = true;
    const args = [...this.#args("run", dataDir), "--json"];
    await using program = new RunningProgram(this.#subject, args, { cwd: this.#folder });
    await program.until("everything arrived", () => this.sink.taken.size === LINES ? true : undefined);
    program.kill("SIGTERM");
    const { code, stdout, stderr } = await program.finished();
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).counts.replayed, messages);
  }

  #args(verb: string, dataDir: string): readonly string[] {
    return [verb, "--config", "pipeline.yaml", "--data-dir", dataDir];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sink[Symbol.asyncDispose]();
  }
}

/** Overwrites a part of a file with bytes that nothing can be made of. */
function overwrite(path: string, at: number, bytes: number): void {
  using file = Deno.openSync(path, { write: true });
  file.seekSync(at, Deno.SeekMode.Start);
  file.writeSync(crypto.getRandomValues(new Uint8Array(bytes)));
}

const DAMAGES: { readonly [what: string]: (path: string) => void } = {
  "cut to two thirds": (path) => Deno.truncateSync(path, Math.floor(Deno.statSync(path).size * 2 / 3)),
  "without its first page": (path) => overwrite(path, 0, PAGE_BYTES),
  "with a hole in its middle": (path) => overwrite(path, Math.floor(Deno.statSync(path).size / 2), PAGE_BYTES * 8),
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  programTest(`damaged store: one ${what} is told, saved, and the saved one runs`, async (subject, folder) => {
    await using kept = new KeptStore(subject, folder);
    await kept.fill();
    damage(kept.path);
    const before = Deno.readFileSync(kept.path);
    const { code, hint } = await kept.refused();
    assert.equal(code, "store_corrupt");
    assert.match(hint, /eventboat store check.*eventboat store salvage/);
    const check = await kept.verb("check");
    assert.equal(check.code, 1);
    assert.equal(check.stdout.ok, false);
    assert.ok(check.stdout.findings.length > 0);
    const saved = `${folder}/saved`;
    const salvage = await kept.verb("salvage", kept.dataDir, "--to", storePath(saved, NAME));
    assert.equal(salvage.code, 0, JSON.stringify(salvage.stdout));
    assert.ok(salvage.stdout.uncommitted > 0, JSON.stringify(salvage.stdout));
    assert.deepEqual(Deno.readFileSync(kept.path), before, "a salvage only reads");
    await kept.runSalvaged(saved, salvage.stdout.uncommitted);
    assert.equal((await kept.verb("check", saved)).code, 0);
  });
}

programTest(
  "damaged store: where nothing can be saved, nobody claims that nothing was lost",
  async (subject, folder) => {
    await using kept = new KeptStore(subject, folder);
    await kept.fill();
    const bytes = Deno.statSync(kept.path).size;
    for (let at = 0; at < bytes; at += PAGE_BYTES) overwrite(kept.path, at, Math.min(PAGE_BYTES, bytes - at));
    const salvage = await kept.verb("salvage", kept.dataDir, "--to", storePath(`${folder}/saved`, NAME));
    const { messages, messagesLost, lossKnown } = salvage.stdout;
    assert.deepEqual([salvage.code, messages, messagesLost, lossKnown], [1, 0, 0, false]);
  },
);

programTest("damaged store: one that is empty beside its log is not taken for a new one", async (subject, folder) => {
  await using kept = new KeptStore(subject, folder);
  await kept.fill();
  Deno.truncateSync(kept.path, 0);
  const { code, hint } = await kept.refused();
  assert.equal(code, "store_corrupt");
  assert.match(hint, /eventboat store salvage/);
  assert.equal(Deno.statSync(kept.path).size, 0);
});

programTest("newer store: it is refused by every verb and left as it is", async (subject, folder) => {
  await using kept = new KeptStore(subject, folder);
  await kept.fill();
  const db = new DatabaseSync(kept.path);
  db.exec("UPDATE meta SET value = 99 WHERE key = 'schema_version'");
  db.close();
  const before = Deno.readFileSync(kept.path);
  const { code, message, hint } = await kept.refused();
  assert.equal(code, "store_version");
  assert.match(message, /schema version 99/);
  assert.match(hint, /the Eventboat version that wrote the store/);
  for (const verb of ["stats", "check"] as const) {
    const { code, stdout } = await kept.verb(verb);
    assert.deepEqual([code, stdout.error.code], [1, "store_version"]);
  }
  const salvage = await kept.verb("salvage", kept.dataDir, "--to", storePath(`${folder}/saved`, NAME));
  assert.deepEqual([salvage.code, salvage.stdout.error.code], [1, "store_version"]);
  assert.deepEqual(Deno.readFileSync(kept.path), before);
});

faultTest("read-only store: it is refused, and can be saved to another disk", ["mount"], async (subject, folder) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  await using kept = new KeptStore(subject, folder, `${disk.folder}/data`);
  await kept.fill();
  await disk.remount("ro");
  const { code, hint } = await kept.refused();
  assert.equal(code, "store_readonly");
  assert.match(hint, /must be writable/);
  assert.equal((await kept.verb("stats")).stdout.messages, LINES);
  assert.equal((await kept.verb("check")).code, 0);
  const saved = `${folder}/saved`;
  const salvage = await kept.verb("salvage", kept.dataDir, "--to", storePath(saved, NAME));
  assert.equal(salvage.code, 0, JSON.stringify(salvage.stdout));
  assert.equal(salvage.stdout.uncommitted, LINES);
  await kept.runSalvaged(saved, LINES);
});

faultTest("read-only store: one of a killed program can be saved too", ["mount"], async (subject, folder) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  await using kept = new KeptStore(subject, folder, `${disk.folder}/data`);
  await kept.fill("SIGKILL");
  // A power cut may leave no index of the log, without which SQLite cannot read it here.
  await Deno.remove(`${kept.path}-shm`);
  await disk.remount("ro");
  const check = await kept.verb("check");
  assert.deepEqual([check.code, check.stdout.error.code], [1, "store_readonly"]);
  assert.match(check.stdout.error.hint, /eventboat store salvage/);
  const salvage = await kept.verb("salvage", kept.dataDir, "--to", storePath(`${folder}/saved`, NAME));
  assert.deepEqual([salvage.code, salvage.stdout.uncommitted], [0, LINES]);
});

faultTest("read-only data folder: a run is refused before it begins", ["mount"], async (subject, folder) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  await using kept = new KeptStore(subject, folder, `${disk.folder}/data`);
  await disk.remount("ro");
  const { code, hint } = await kept.refused();
  assert.equal(code, "store_readonly");
  assert.match(hint, /must be writable/);
});
