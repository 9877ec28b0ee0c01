/** Conditions in CESQL in a running program: what they see of meta and payload, and what becomes of those that fail. */

import assert from "node:assert/strict";
import { jsonLines, programTest, runProgram } from "../e2e/program.ts";

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: orders }
run: { mode: batch }
sources:
  in:
    file: { path: in.ndjson, on_eof: stop }
transforms:
  typed:
    depends_on: [in]
    script: |
      meta.type = payload.get("kind")
      meta.ticket = payload.get("ticket")
sinks:
  large:
    depends_on: { typed: { when: { lang: cesql, expr: "type = 'order' AND data.amount > 100" } } }
    file: { path: large.ndjson }
  wanted:
    depends_on:
      typed:
        when:
          lang: cesql
          expr: >-
            data.customer.tags LIKE '%"vip"%' AND source = 'in' AND
            ticket IN (7, '1152921504606846977') AND offset < 200
    file: { path: wanted.ndjson }
  untyped:
    depends_on: { typed: { when: { lang: cesql, expr: NOT EXISTS type } } }
    file: { path: untyped.ndjson }
  never:
    depends_on: { typed: { when: { lang: cesql, expr: data.n + 1 } } }
    file: { path: never.ndjson }
`;

const INPUT = [
  `{"n":1,"kind":"order","amount":101}`,
  `{"n":2,"kind":"order","amount":100}`,
  `{"n":3,"kind":"order","amount":100.5,"ticket":"1152921504606846977","customer":{"tags":["a","vip"]}}`,
  `{"n":4,"kind":"refund"}`,
  `{"n":5,"customer":{"tags":["vip"]},"ticket":1152921504606846977}`,
  `{"n":6,"kind":"order"}`,
];

programTest(
  "CESQL: conditions part the messages, those that fail are not met and are counted",
  async (subject, folder) => {
    await Deno.writeTextFile(`${folder}/pipeline.yaml`, PIPELINE);
    await Deno.writeTextFile(`${folder}/in.ndjson`, INPUT.join("\n") + "\n");
    const verified = await runProgram(subject, ["verify", "--config", "pipeline.yaml"], { cwd: folder });
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    const args = ["run", "--json", "--config", "pipeline.yaml", "--data-dir", "data"];
    const { code, stdout, stderr } = await runProgram(subject, args, { cwd: folder });
    assert.equal(code, 0, stderr);
    const numbers = (name: string) => jsonLines(`${folder}/${name}.ndjson`).map((message) => message["n"]);
    assert.deepEqual(numbers("large"), [1]);
    assert.deepEqual(numbers("wanted"), [3, 5]);
    assert.deepEqual(numbers("untyped"), [5]);
    assert.deepEqual(numbers("never"), []);
    const { counts } = JSON.parse(stdout);
    // large: 3 a fraction, 5 no type, 6 no amount; wanted: all but 3 and 5 lack tags; never gives a number, six times.
    assert.equal(counts.conditionErrors, 3 + 4 + 6);
    assert.equal(counts.deadLettered, 0);
    assert.match(stderr, /there is no data\.amount/);
  },
);
