/** `workers: N` on transforms that compute, in isolates of their own: the same comes out as with one. */

import assert from "node:assert/strict";
import { programTest, RunningProgram, runProgram } from "../e2e/program.ts";

/** Values that a clone or a text could spoil on the way to a lane and back. */
const LINES: readonly string[] = [
  '{"kind":"same","text":"left as it came",  "spaced" : true}',
  '{"kind":"number","values":[9007199254740993,18446744073709551615,-0.0,1e-7,0.1,1000000000000000000000000000000]}',
  '{"kind":"text","values":["\\ud83d\\ude00","\\u0000","é","\\u0301","ü"]}',
  '{"kind":"names","__proto__":{"constructor":1},"toString":2}',
  '{"kind":"none"}',
  '{"kind":"fails"}',
  '{"kind":"list","items":[{"a":1},{"a":9007199254740993},[1,null]]}',
];

const COPIES = 60;

function pipeline(workers: number): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: lanes-${workers} }
run: { mode: batch }
constants: { rate: 3 }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  change:
    depends_on: in
    workers: ${workers}
    script: |
      print("saw " + payload.kind)
      if payload.kind == "none":
          payload = None
      elif payload.kind == "fails":
          payload.a = payload.absent.b
      elif payload.kind != "same":
          payload.rate = constants.rate
          payload.half = 0.5
          meta.tier = payload.kind
  mark:
    depends_on: [change: { when: 'payload.kind != "same"' }]
    workers: ${workers}
    fields: { from_meta: [tier], fields: { at: { zero: -0.0, big: 9007199254740993 } } }
  parts:
    depends_on: [mark: { when: 'meta.tier == "list"' }]
    workers: ${workers}
    split: { path: items }
sinks:
  all: { depends_on: mark, file: { path: all.ndjson } }
  same: { depends_on: [change: { when: 'payload.kind == "same"' }], file: { path: same.ndjson } }
  each: { depends_on: parts, file: { path: each.ndjson } }
`;
}

interface Ran {
  readonly files: readonly (readonly string[])[];
  readonly counts: { readonly [name: string]: unknown };
  readonly stderr: string;
}

programTest("lanes: what comes out is what comes out of one worker", async (subject, folder) => {
  const ran: Ran[] = [];
  for (const [workers, isolation] of [[1, "isolate"], [3, "isolate"], [2, "process"], [2, "inline"]] as const) {
    const cwd = `${folder}/${workers}-${isolation}`;
    await Deno.mkdir(cwd);
    await Deno.writeTextFile(`${cwd}/in.ndjson`, Array(COPIES).fill(LINES.join("\n")).join("\n"));
    await Deno.writeTextFile(`${cwd}/pipeline.yaml`, pipeline(workers));
    await Deno.writeTextFile(
      `${cwd}/runtime.yaml`,
      `apiVersion: eventboat/v1\nkind: Runtime\nisolation: ${isolation}\nlog: { level: debug }\n`,
    );
    const args = ["run", "--json", "--config", "pipeline.yaml", "--runtime", "runtime.yaml", "--data-dir", "data"];
    const { code, stdout, stderr } = await runProgram(subject, args, { cwd });
    assert.equal(code, 1, stderr);
    const { status, counts } = JSON.parse(stdout);
    assert.equal(status, "partial", stderr);
    const { committed, filtered, deadLettered, deadLetters } = counts;
    const files = ["all", "same", "each"].map((name) =>
      Deno.readTextFileSync(`${cwd}/${name}.ndjson`).trimEnd().split("\n").sort()
    );
    ran.push({ files, counts: { committed, filtered, deadLettered, deadLetters }, stderr });
  }
  const [one, ...others] = ran;
  assert.deepEqual(one?.files.map((lines) => lines.length), [4 * COPIES, COPIES, 3 * COPIES]);
  assert.ok(one.files[0]?.some((line) => line.includes("9007199254740993,18446744073709551615,")));
  // Nobody changed it, so it has its very bytes.
  assert.equal(one.files[1]?.[0], LINES[0]);
  for (const other of others) {
    assert.deepEqual(other.files, one.files);
    assert.deepEqual(other.counts, one.counts);
    assert.match(other.stderr, /saw list/);
  }
});

programTest("lanes: a signal stops a pipeline with lanes in order, and nothing is lost", async (subject, cwd) => {
  const count = 3_000;
  const lines = Array.from({ length: count }, (_, n) => `{"n":${n}}\n`);
  await Deno.writeTextFile(`${cwd}/in.ndjson`, lines.join(""));
  await Deno.writeTextFile(
    `${cwd}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: stopped }
sources:
  in: { file: { path: in.ndjson } }
transforms:
  work: { depends_on: in, workers: 2, script: "payload.seen = len([n for n in range(3000)])" }
sinks:
  out: { depends_on: work, file: { path: out.ndjson } }
`,
  );
  const args = ["run", "--json", "--config", "pipeline.yaml", "--data-dir", "data"];
  const written = () => {
    try {
      return Deno.readTextFileSync(`${cwd}/out.ndjson`).split("\n").filter((line) => line !== "").length;
    } catch {
      return 0; // Not there yet.
    }
  };
  await using program = new RunningProgram(subject, args, { cwd });
  await program.until("some of it is written", () => written() > 0 ? true : undefined);
  program.kill("SIGTERM");
  const { code, stdout, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  const { status, counts } = JSON.parse(stdout);
  assert.equal(status, "interrupted");
  // Everything that was accepted was written, once: the stop waited for the lanes.
  assert.equal(counts.inFlight, 0);
  assert.equal(written(), counts.committed);
});
