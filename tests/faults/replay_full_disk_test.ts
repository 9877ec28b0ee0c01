/** A replay on a disk that is full: it fails, no letter is lost, and with room it goes through. */

import assert from "node:assert/strict";
import { jsonLines, runProgram } from "../e2e/program.ts";
import { faultTest } from "./machine.ts";
import { SmallDisk } from "./small_disk.ts";

const LETTERS = 200;
/** Bytes of a message: together more than what a store keeps in reserve. */
const PADDING_BYTES = 60_000;
const DISK_MEGABYTES = 64;

function pipeline(script: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: narrow }
run: { mode: batch }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  work: { depends_on: in, script: "${script}" }
sinks:
  out: { depends_on: work, file: { path: out.ndjson } }
`;
}

faultTest("replay: a full disk refuses it, and no letter is lost", ["mount"], async (subject, cwd) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  const args = ["--config", "pipeline.yaml", "--data-dir", disk.folder];
  const run = (...verb: string[]) => runProgram(subject, [...verb, ...args], { cwd });
  const padding = "x".repeat(PADDING_BYTES);
  const input = Array.from({ length: LETTERS }, (_, n) => `{"n":${n},"padding":"${padding}"}\n`);
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, input.join(""));
  Deno.writeTextFileSync(`${cwd}/pipeline.yaml`, pipeline("fail('not yet')"));
  assert.equal((await run("run")).code, 1);
  const count = async () => {
    const { code, stdout, stderr } = await run("dlq", "count", "--json");
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { readonly total: number }).total;
  };
  assert.equal(await count(), LETTERS);
  Deno.writeTextFileSync(`${cwd}/pipeline.yaml`, pipeline("remove(payload, 'padding')"));
  disk.fill("ballast");
  const refused = await run("replay", "--dlq", "--delete", "--limit", String(LETTERS), "--json");
  assert.equal(refused.code, 1, refused.stdout);
  const arrived = () => new Set(jsonLines(`${cwd}/out.ndjson`).map(({ n }) => n));
  assert.ok(arrived().size + await count() >= LETTERS);
  Deno.removeSync(`${disk.folder}/ballast`);
  const done = await run("replay", "--dlq", "--delete", "--limit", String(LETTERS), "--json");
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual([arrived().size, await count()], [LETTERS, 0]);
});
