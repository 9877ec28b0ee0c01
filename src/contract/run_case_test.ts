import assert from "node:assert/strict";
import { testFolder } from "../../tests/suites/contract_folder.ts";
import { TransformError, type TransformPlugin } from "../plugin/mod.ts";
import { block, define } from "../schema/mod.ts";
import type { Transform } from "../plugin/mod.ts";

const schema = block({});

/** A transform plugin without a block. */
function plugin(name: string, make: () => Partial<Transform>): TransformPlugin<typeof schema> {
  return {
    kind: "transform",
    name,
    version: 1,
    summary: "For tests.",
    capabilities: [],
    definition: define(schema),
    create: () => ({ init() {}, apply: (message) => message, close() {}, ...make() }),
  };
}

/** A pipeline with one transform before its sink. */
function pipeline(transform: string, more = ""): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: demo}
${more}
sources:
  in: {file: {path: in.ndjson}}
transforms:
  work: {depends_on: {in: {delivery: {retries: 9}}}, ${transform}}
sinks:
  out: {depends_on: work, batch: {size: 100, timeout_ms: 60000}, file: {path: out.ndjson}}
`;
}

function suite(inject: string, expect: string, more = ""): string {
  return `suite: s\npipeline: ../pipeline.yaml\ncases:\n  - {name: one, inject: ${inject}, expect: ${expect}${more}}\n`;
}

const run = (pipeline: string, suite: string, options: Parameters<typeof testFolder>[1] = {}) =>
  testFolder({ "pipeline.yaml": pipeline, "tests/s.yaml": suite }, options);
const ONE = "{at: in, messages: [{n: 1}]}";

Deno.test("runCase: a backoff of minutes and a batch's time-out cost no time", async () => {
  let attempts = 0;
  const flaky = plugin("flaky", () => ({
    apply(message) {
      if (++attempts < 10) throw new TransformError("other", "not yet");
      return message;
    },
  }));
  const startedMs = performance.now();
  const { text, report } = await run(pipeline("flaky: {}"), suite(ONE, "{capture: {at: out, count: 1}}"), {
    plugins: [flaky],
  });
  assert.equal(report.passed, 1, text);
  assert.equal(attempts, 10);
  // 100 ms, doubled eight times, is 51 s; the limit is generous, since other tests run beside this one.
  assert.ok(performance.now() - startedMs < 20_000);
});

Deno.test("runCase: more messages than may be in flight come through, batch by batch", async () => {
  const messages = Array.from({ length: 25 }, (_, n) => `{n: ${n}}`).join(", ");
  const { text, report } = await run(
    pipeline("fields: {fields: {x: 1}}", "limits: {max_in_flight: 4}"),
    suite(
      `{at: in, messages: [${messages}]}`,
      "{capture: {at: out, count: 25, messages: [{payload.n: 0}, {payload.n: 24}]}}",
    ),
  );
  assert.equal(report.passed, 1, text);
});

Deno.test("runCase: a transform that never answers is given up, with a clear word", async () => {
  const hanging = plugin("hanging", () => ({ apply: () => new Promise<never>(() => {}) }));
  const { text, report } = await run(pipeline("hanging: {}"), suite(ONE, "{capture: {at: out, count: 1}}"), {
    plugins: [hanging],
    caseMsMax: 150,
  });
  assert.equal(report.failed, 1);
  assert.match(text, /the run\n {12}expected {2}it ends\n {12}found {5}still under way after 0\.15 s, with 1 message/);
});

Deno.test("runCase: a transform that takes real time is waited for, its limit is not moved past it", async () => {
  const slow = plugin("slow", () => ({
    apply: (message) => new Promise((resolve) => setTimeout(() => resolve(message), 60)),
  }));
  const { text, report } = await run(pipeline("slow: {}"), suite(ONE, "{capture: {at: out, count: 1}}"), {
    plugins: [slow],
  });
  assert.equal(report.passed, 1, text);
});

Deno.test("runCase: a node that cannot start fails the case and says why", async () => {
  const broken = plugin("broken", () => ({ init: () => Promise.reject(new Error("no module")) }));
  const { text, report } = await run(pipeline("broken: {}"), suite(ONE, "{capture: {at: out, count: 1}}"), {
    plugins: [broken],
  });
  assert.equal(report.failed, 1);
  assert.match(text, /found {5}node "work": no module/);
});

Deno.test("runCase: ids are counted and the clock stands, so that a whole outcome is the same every time", async () => {
  const files = {
    "pipeline.yaml": pipeline('script: "payload.at = meta.ingest_time"'),
    "tests/s.yaml": suite(
      "[{at: in, messages: [{n: 1}, {n: 2}]}, {at: work, messages: [{n: 3}], meta: {by: hand}}]",
      "{golden: all.json}",
    ),
    "tests/all.json": `{
  "sinks": {
    "out": [
      {
        "payload": {
          "n": 1,
          "at": "2026-01-01T00:00:00.000Z"
        },
        "meta": {
          "ingest_time": "2026-01-01T00:00:00.000Z",
          "source": "in",
          "message_id": "019b76da-a800-7000-8000-000100000000"
        }
      },
      {
        "payload": {
          "n": 2,
          "at": "2026-01-01T00:00:00.000Z"
        },
        "meta": {
          "ingest_time": "2026-01-01T00:00:00.000Z",
          "source": "in",
          "message_id": "019b76da-a800-7000-8000-000100000001"
        }
      },
      {
        "payload": {
          "n": 3,
          "at": "2026-01-01T00:00:00.000Z"
        },
        "meta": {
          "ingest_time": "2026-01-01T00:00:00.000Z",
          "source": "work",
          "injected_at": "work",
          "by": "hand",
          "message_id": "019b76da-a800-7000-8000-000200000000"
        }
      }
    ]
  },
  "dead_letters": [],
  "filtered": 0
}
`,
  };
  for (let round = 0; round < 2; round++) {
    const { text, report } = await testFolder(files);
    assert.equal(report.passed, 1, text);
  }
});

Deno.test("runCase: a job's messages carry its run, and parameters reach scripts and texts", async () => {
  const job = pipeline(
    "script: \"payload.at = parameters.since; payload.text = '${parameters.since}!'\"".replace("; ", "\\n"),
    "run: {mode: job, retention: {history: 9d}}\nparameters: {since: {type: integer, default: 2}, now: {type: string, default: now}}",
  )
    .replace("in.ndjson", "in.ndjson, on_eof: stop");
  const expect = "{capture: {at: out, messages: [{payload: {at: 7, text: 7!}, meta.job_trigger: manual}]}}";
  const { text, report } = await run(job, suite(ONE, expect, ", parameters: {since: 7}"));
  assert.equal(report.passed, 1, text);
});

Deno.test("runCase: whatever workers says there is one, and the order stays", async () => {
  // Each answers sooner than the one before it: with several at work the order would be another one.
  let waitMs = 40;
  const waning = plugin("waning", () => ({
    apply: (message) => new Promise((resolve) => setTimeout(() => resolve(message), waitMs -= 2)),
  }));
  const injections = Array.from({ length: 20 }, (_, n) => `{at: in, messages: [{n: ${n}}]}`).join(", ");
  const expected = Array.from({ length: 20 }, (_, n) => `{payload.n: ${n}}`).join(", ");
  const { text, report } = await run(
    pipeline("workers: 4, waning: {}"),
    suite(`[${injections}]`, `{capture: {at: out, messages: [${expected}]}}`),
    { plugins: [waning] },
  );
  assert.equal(report.passed, 1, text);
});
