import assert from "node:assert/strict";
import { testReport } from "./report.ts";
import { reportText } from "./report_text.ts";
import { testFolder } from "../../tests/suites/contract_folder.ts";

const GOLDEN = new URL("../../tests/golden/contract/report.txt", import.meta.url);
/** `UPDATE_GOLDEN=1 deno test src/contract/report_text_test.ts` writes the file anew, to be looked at. */
const UPDATE = Deno.env.get("UPDATE_GOLDEN") === "1";
const DURATION_REGEXP = /\(\d+ ms\)/g;

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: orders}
sources:
  ingest: {file: {path: in.ndjson}}
transforms:
  price:
    depends_on: ingest
    script: |
      payload.total = payload.price * payload.quantity
      meta.tier = "vip" if payload.total > 10000 else "standard"
sinks:
  eu-out: {depends_on: {price: {when: payload.region == "eu"}}, file: {path: eu.ndjson}}
  us-out: {depends_on: {price: {when: payload.region == "us"}}, file: {path: us.ndjson}}
`;

const SUITE = `suite: orders
pipeline: ../pipeline.yaml
x-eu: &eu {order_id: A-1, region: eu, price: 40, quantity: 3, note: "tea\\ttin"}
x-us: &us {order_id: B-1, region: us, price: 1, quantity: 1}
cases:
  - name: as expected
    inject: {at: ingest, messages: [*eu]}
    expect: {capture: [{at: eu-out, messages: [{payload.total: 120}]}, {at: us-out, count: 0}]}
  - name: another value, a misspelt key, another pattern
    inject: {at: ingest, messages: [*eu]}
    expect:
      capture:
        at: eu-out
        messages: [{payload.total: 121, payload.quantty: 3, meta.tier: {matches: ^v}, payload.note: {absent: true}}]
  - name: too many, too few
    inject: {at: ingest, messages: [*eu, *eu, *us]}
    expect:
      capture:
        - {at: eu-out, messages: [{payload.order_id: A-1}]}
        - {at: us-out, messages: [{payload.order_id: B-1}, {payload.order_id: B-2, payload.region: us}]}
  - name: another order
    inject: {at: ingest, messages: [*us, {<<: *us, order_id: B-2}]}
    expect: {capture: {at: us-out, messages: [{payload.order_id: B-2}, {payload.order_id: B-1}]}}
  - name: no edge takes it, and one condition cannot even be evaluated
    inject: {at: ingest, messages: [{order_id: D-1, price: 1, quantity: 1}]}
    expect: {capture: {at: us-out, messages: [{payload.order_id: D-1}]}}
  - name: no edge takes it
    inject: {at: ingest, messages: [{<<: *eu, region: mars}]}
    expect: {capture: {at: us-out, count: 1}}
  - name: a dead letter that nobody expects
    inject: {at: ingest, messages: [{order_id: C-1, region: eu}]}
    expect: {capture: {at: eu-out, count: 1}}
  - name: another dead letter, nothing filtered
    inject: {at: ingest, raw: "{not json"}
    expect: {dlq: {count: 1, class: runtime, node: price}, filtered: 1}
`;

Deno.test("reportText: a wrong expectation is told so that a newcomer understands it", async () => {
  const broken = SUITE.slice(0, SUITE.indexOf("  - name: another value")).replace("suite: orders", "suite: misspelt")
    .replace("at: eu-out", "at: eu-ot");
  const { text } = await testFolder({
    "pipeline.yaml": PIPELINE,
    "tests/a.yaml": SUITE,
    "tests/b.yaml": broken,
    "tests/c.yaml": "suite: [\n",
    "refused/pipeline.yaml": PIPELINE.replace("depends_on: ingest", "depends_on: ingset"),
    "refused/tests/d.yaml": SUITE,
  });
  const shown = text.replaceAll(DURATION_REGEXP, "(N ms)");
  if (UPDATE) Deno.writeTextFileSync(GOLDEN, shown);
  assert.equal(shown, Deno.readTextFileSync(GOLDEN));
});

Deno.test("reportText: where no file could be read, nothing passed and nothing failed", () => {
  const report = testReport([{ file: "no.yaml", name: "", cases: [] }]);
  const text = reportText(report, { skipped: 0, written: [] });
  assert.equal(text, "no.yaml\n1 file could not be read as a suite\n");
});
