/** Links among the files of a pattern that lead out of its folder, as container logs are kept. */

import assert from "node:assert/strict";
import { jsonLines, programTest, RunningProgram, runProgram } from "../e2e/program.ts";

function writePipeline(folder: string, path: string, rest: string): void {
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: links }
sources:
  in: { file: { path: "${path}", poll_every_ms: 20, ${rest} } }
sinks:
  out: { depends_on: in, file: { path: out/all.ndjson } }
`,
  );
}

function writePod(folder: string, pod: string, lines: number): void {
  Deno.mkdirSync(`${folder}/pods/${pod}`, { recursive: true });
  const text = Array.from({ length: lines }, (_, n) => `{"pod":"${pod}","n":${n}}\n`);
  Deno.writeTextFileSync(`${folder}/pods/${pod}/0.log`, text.join(""));
  Deno.mkdirSync(`${folder}/containers`, { recursive: true });
  Deno.symlinkSync(`${folder}/pods/${pod}/0.log`, `${folder}/containers/${pod}.log`);
}

const ARGS = ["run", "--config", "pipeline.yaml"];

programTest(
  "file source: follows links out of its folder, also those of pods that come later",
  async (subject, folder) => {
    if (Deno.build.os === "windows") return;
    writePod(folder, "a", 3);
    writePod(folder, "b", 3);
    writePipeline(folder, "containers/*.log", "on_eof: tail");
    const arrived = () => jsonLines(`${folder}/out/all.ndjson`).length;
    await using program = new RunningProgram(subject, ARGS, { cwd: folder });
    await program.until("both were read", () => arrived() === 6 || undefined);
    writePod(folder, "c", 3);
    await program.until("the third was read", () => arrived() === 9 || undefined);
    program.kill("SIGTERM");
    assert.equal((await program.finished()).code, 0);
  },
);

programTest(
  "file source: a link to where the pipeline may not read is told once and left out",
  async (subject, folder) => {
    if (Deno.build.os === "windows") return;
    writePod(folder, "a", 3);
    Deno.writeTextFileSync(`${folder}/secret.log`, `{"secret":true}\n`);
    writePipeline(folder, "containers/*.log", "on_eof: tail");
    const lines = () => jsonLines(`${folder}/out/all.ndjson`);
    await using program = new RunningProgram(subject, ARGS, { cwd: folder });
    await program.until("the pod was read", () => lines().length === 3 || undefined);
    // It was not there when the plan was made, and lies in no folder that others lie in.
    Deno.symlinkSync(`${folder}/secret.log`, `${folder}/containers/s.log`);
    await program.until("it was told", () => program.said.includes("left out") || undefined);
    Deno.writeTextFileSync(`${folder}/pods/a/0.log`, `{"pod":"a","n":3}\n`, { append: true });
    await program.until("the pod is read on", () => lines().length === 4 || undefined);
    program.kill("SIGTERM");
    const { code, stderr } = await program.finished();
    assert.equal(code, 0, stderr);
    assert.equal(stderr.split("left out").length, 2, stderr);
    assert.ok(lines().every((line) => line["secret"] === undefined));
  },
);

programTest("file source: reads once what links lead to, and a plain path that is a link", async (subject, folder) => {
  if (Deno.build.os === "windows") return;
  writePod(folder, "a", 3);
  for (const [path, expected] of [["containers/*.log", 3], ["containers/a.log", 6]] as const) {
    writePipeline(folder, path, "on_eof: stop");
    const { code, stderr } = await runProgram(subject, [...ARGS, "--ephemeral"], { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.equal(jsonLines(`${folder}/out/all.ndjson`).length, expected);
  }
});
