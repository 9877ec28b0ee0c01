/** `isolation: process`: whose death is whose. */

import assert from "node:assert/strict";
import { jsonLines, programTest, RunningProgram, type Subject } from "../e2e/program.ts";

async function startTail(subject: Subject, folder: string, isolation: string): Promise<RunningProgram> {
  await Deno.writeTextFile(`${folder}/in.ndjson`, `{"n":1}\n`);
  await Deno.writeTextFile(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: tail }
sources:
  in:
    file: { path: in.ndjson, poll_every_ms: 20 }
sinks:
  out:
    depends_on: [in]
    file: { path: out.ndjson }
`,
  );
  await Deno.writeTextFile(
    `${folder}/runtime.yaml`,
    `apiVersion: eventboat/v1\nkind: Runtime\nisolation: ${isolation}\n`,
  );
  const args = ["run", "--json", "--config", "pipeline.yaml", "--runtime", "runtime.yaml", "--data-dir", "data"];
  return new RunningProgram(subject, args, { cwd: folder });
}

const arrived = (folder: string, count: number) => () =>
  jsonLines(`${folder}/out.ndjson`).length >= count ? true : undefined;

/** The process that a program hosts its pipeline in. */
function hostOf(program: RunningProgram): number {
  const children = Deno.readTextFileSync(`/proc/${program.pid}/task/${program.pid}/children`).trim();
  // Anything but one positive number would name a group of processes when it is killed.
  assert.match(children, /^[1-9]\d*$/, `expected one child process, found "${children}"`);
  return Number(children);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false; // No such process.
  }
}

programTest("isolation: process carries messages, and a signal stops it in order", async (subject, folder) => {
  await using program = await startTail(subject, folder, "process");
  await program.until("the message arrived", arrived(folder, 1));
  program.kill("SIGTERM");
  const { code, stdout } = await program.finished();
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).status, "interrupted");
});

programTest("isolation: process outlives the death of its pipeline and says how it died", async (subject, folder) => {
  await using program = await startTail(subject, folder, "process");
  await program.until("the message arrived", arrived(folder, 1));
  Deno.kill(hostOf(program), "SIGKILL");
  const { code, stdout } = await program.finished();
  assert.equal(code, 1);
  const { status, failure } = JSON.parse(stdout);
  assert.equal(status, "failed");
  assert.equal(failure.code, "isolate_died");
  assert.match(failure.message, /SIGKILL/);
});

programTest("isolation: a hosting process ends when its supervisor is killed", async (subject, folder) => {
  await using program = await startTail(subject, folder, "process");
  await program.until("the message arrived", arrived(folder, 1));
  const host = hostOf(program);
  program.kill("SIGKILL");
  await program.finished();
  for (let looks = 0; isRunning(host) && looks < 500; looks++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(isRunning(host), false);
});

programTest("isolation: inline carries messages in the program's own isolate", async (subject, folder) => {
  await using program = await startTail(subject, folder, "inline");
  await program.until("the message arrived", arrived(folder, 1));
  program.kill("SIGTERM");
  assert.equal((await program.finished()).code, 0);
});
