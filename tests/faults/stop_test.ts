/** The program is asked to stop while a sink hangs. */

import assert from "node:assert/strict";
import { programTest, RunningProgram, runProgram, type Subject } from "../e2e/program.ts";
import { HttpPeer } from "../suites/http_peer.ts";

const LINES = 50;
const DRAIN_MS = 2_000;
/** What a stop may take beyond the drain. */
const LAST_STEPS_MS = 1_000;
/** Much less than the drain: whoever ends within it has not waited. */
const AT_ONCE_MS = 1_000;
/** What the shell's convention makes of SIGTERM. */
const TERMINATED = 143;

/** A receiver that takes lines of `{"n":NUMBER}`, or takes a request and never answers. */
class HangingPeer implements AsyncDisposable {
  readonly taken = new Set<number>();
  hangs = true;
  /** Requests that were left without an answer. */
  hanging = 0;
  readonly #end = Promise.withResolvers<Response>();
  readonly #peer = new HttpPeer(({ body }) => {
    if (this.hangs) {
      this.hanging++;
      return this.#end.promise;
    }
    for (const line of body.trimEnd().split("\n")) this.taken.add(JSON.parse(line).n);
    return new Response();
  });

  get url(): string {
    return this.#peer.url();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.resolve(new Response());
    await this.#peer[Symbol.asyncDispose]();
  }
}

function write(folder: string, peer: HangingPeer): void {
  const lines = Array.from({ length: LINES }, (_, n) => `{"n":${n}}\n`);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, lines.join(""));
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: hanging }
limits: { drain_timeout: ${DRAIN_MS}ms }
sources:
  in: { file: { path: in.ndjson } }
sinks:
  out: { depends_on: in, http: { url: "${peer.url}", body: ndjson, timeout_ms: 60000 } }
`,
  );
}

function start(subject: Subject, cwd: string, heard: (text: string) => void = () => {}): RunningProgram {
  return new RunningProgram(subject, ["run", "--json", "--config", "pipeline.yaml"], { cwd, heard });
}

/** What a process costs that does nothing: its start and its end. */
async function startMs(subject: Subject, cwd: string): Promise<number> {
  const beganMs = performance.now();
  await runProgram(subject, ["version"], { cwd });
  return performance.now() - beganMs;
}

/** The next start delivers everything, by replay. */
async function assertReplayed(subject: Subject, cwd: string, peer: HangingPeer): Promise<void> {
  assert.equal(peer.taken.size, 0);
  peer.hangs = false;
  await using program = start(subject, cwd);
  await program.until("everything arrived", () => peer.taken.size === LINES ? true : undefined);
  program.kill("SIGTERM");
  const { code, stdout, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).counts.replayed > 0, stdout);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  programTest(`stop: ${signal} ends a run whose sink hangs when the drain is over`, async (subject, cwd) => {
    const slackMs = await startMs(subject, cwd);
    await using peer = new HangingPeer();
    write(cwd, peer);
    await using program = start(subject, cwd);
    await program.until("the sink hangs", () => peer.hanging > 0 ? true : undefined);
    const beganMs = performance.now();
    program.kill(signal);
    const { code, stdout, stderr } = await program.finished();
    const tookMs = performance.now() - beganMs;
    assert.ok(tookMs >= DRAIN_MS, `it ended after ${tookMs} ms, before the drain was over`);
    assert.ok(tookMs < DRAIN_MS + LAST_STEPS_MS + slackMs, `it ended after ${tookMs} ms, a start takes ${slackMs} ms`);
    assert.equal(code, 0, stderr);
    const { status, counts } = JSON.parse(stdout);
    assert.deepEqual([status, counts.committed], ["interrupted", 0]);
    await assertReplayed(subject, cwd, peer);
  });
}

programTest("stop: a second signal ends a run whose sink hangs at once", async (subject, cwd) => {
  const slackMs = await startMs(subject, cwd);
  await using peer = new HangingPeer();
  write(cwd, peer);
  let said = "";
  await using program = start(subject, cwd, (text) => void (said += text));
  await program.until("the sink hangs", () => peer.hanging > 0 ? true : undefined);
  program.kill("SIGTERM");
  await program.until("it stops", () => said.includes("pipeline stops") ? true : undefined);
  const beganMs = performance.now();
  program.kill("SIGTERM");
  const { code } = await program.finished();
  assert.equal(code, TERMINATED);
  const tookMs = performance.now() - beganMs;
  assert.ok(tookMs < AT_ONCE_MS + slackMs, `it ended ${tookMs} ms after the second signal`);
  await assertReplayed(subject, cwd, peer);
});
