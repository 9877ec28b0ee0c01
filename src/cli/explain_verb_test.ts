import assert from "node:assert/strict";
import { plainJson, systemClock } from "../base/mod.ts";
import { explanationText } from "./explain_verb.ts";
import { verdictText } from "./verify_verb.ts";
import { type ExplainAnswer, openRegistry, OPERATIONS, perform } from "../ops/mod.ts";
import { builtins } from "../plugins/mod.ts";
import { define } from "../schema/mod.ts";
import { silentLogger } from "../telemetry/mod.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);
const GOLDEN = new URL("../../tests/golden/explain/", import.meta.url);
/** `UPDATE_GOLDEN=1` writes the files anew, to be looked at before they are committed. */
const UPDATE = Deno.env.get("UPDATE_GOLDEN") === "1";

async function explain(input: { readonly [field: string]: unknown }): Promise<ExplainAnswer> {
  const unused = new URL("unused.ts", import.meta.url);
  return await perform(OPERATIONS.explain, input, {
    registry: openRegistry(builtins()),
    entries: { pipeline: unused, store: unused },
    clock: systemClock,
    env: (name) => ENVIRONMENT[name],
    signal: new AbortController().signal,
    openLog: () => silentLogger,
  });
}

const ENVIRONMENT: { readonly [name: string]: string } = { REGION: "top-secret-region", TOKEN: "tok-98765" };

/** The explanation of a pipeline that passes. */
async function explained(input: { readonly [field: string]: unknown }) {
  const answer = await explain(input);
  assert.equal(answer.kind, "explained", answer.kind === "refused" ? verdictText(answer.verdict) : "");
  const { explanation } = answer as ExplainAnswer & { readonly kind: "explained" };
  const parsed = define(OPERATIONS.explain.output).parse(plainJson(explanation));
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return explanation;
}

function firstLine(path: string): string {
  return Deno.readTextFileSync(new URL(path, EXAMPLES)).split("\n", 1)[0] ?? "";
}

for (
  const [name, data] of [["linear", "orders.ndjson"], ["branching", "payments.ndjson"], [
    "order-lines",
    "orders.ndjson",
  ]] as const
) {
  Deno.test(`explain: the example ${name} in outline, drawn and walked shows its golden text`, async () => {
    const config = new URL(`${name}/pipeline.yaml`, EXAMPLES).pathname;
    const message = firstLine(`${name}/${data}`);
    const texts = [
      explanationText(await explained({ config })),
      explanationText(await explained({ config, topology: true })),
      explanationText(await explained({ config, message })),
      explanationText(await explained({ config, message: "{no json" })),
    ];
    const file = new URL(`${name}.txt`, GOLDEN);
    const text = texts.join("\n----\n\n");
    if (UPDATE) Deno.writeTextFileSync(file, text);
    assert.equal(text, Deno.readTextFileSync(file));
  });
}

const PIPELINE = `
apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: shown }
run: { mode: batch }
constants: { api_token: "\${TOKEN}" }
edge_defaults: { delivery: { retries: 1 } }
dlq: { retention: 2d }
telemetry: { redact: [payload.card, "meta.auth*"] }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  note:
    depends_on: in
    script: |
      print("card", payload.card)
      if payload.get("fail"): fail("no such card: " + payload.card)
      payload.seen = True
      payload.sent = "Bearer " + constants.api_token
      payload.copy = payload.card
      payload = [payload, payload] if payload.get("many") else payload
  parts:
    depends_on: { note: { when: "type(payload) == list" } }
    split: {}
  once:
    depends_on: parts
    dedupe: { key: payload.n }
sinks:
  out:
    order_key: payload.card
    encoder: json
    file: { path: out.ndjson }
    depends_on:
      - note: { when: "has(payload.region) && payload.region == '\${REGION}'", delivery: { retries: 5, timeout_ms: 50 } }
      - once
  copy:
    batch: { size: 10, timeout_ms: 20 }
    file: { path: copy.ndjson }
    depends_on: { note: { required: false, delivery: { backoff: constant } } }
`;

async function withFile<T>(use: (config: string) => Promise<T>, text = PIPELINE): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-explain-" });
  try {
    const config = `${folder}/pipeline.yaml`;
    Deno.writeTextFileSync(config, text);
    return await use(config);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("explain: policies are told as resolved, with who said so, and the strictest for mixed batches", async () => {
  const { edges, nodes, dead_letter_retention_ms: retentionMs } = await withFile((config) => explained({ config }));
  assert.equal(retentionMs, 2 * 24 * 60 * 60 * 1000);
  const edge = (name: string) => edges.find((each) => each.edge === name);
  assert.deepEqual(edge("note->out")?.delivery, {
    retries: { value: 5, from: "edge" },
    backoff: { value: "exponential", from: "default" },
    timeout_ms: { value: 50, from: "edge" },
  });
  assert.deepEqual(edge("note->copy")?.delivery, {
    retries: { value: 1, from: "edge_defaults" },
    backoff: { value: "constant", from: "edge" },
    timeout_ms: { value: 30_000, from: "engine" },
  });
  assert.equal(edge("note->copy")?.on_failure, "drop");
  assert.deepEqual(edge("note->parts")?.condition?.reads, ["payload"]);
  const node = (name: string) => nodes.find((each) => each.node === name);
  assert.deepEqual(node("out")?.mixed_batch, {
    retries: 5,
    backoff: "exponential",
    first_wait_ms: 100,
    longest_wait_ms: 30_000,
    timeout_ms: 50,
  });
  assert.equal(node("copy")?.mixed_batch, undefined);
  assert.deepEqual(node("copy")?.batch, { size: 10, timeout_ms: 20 });
  assert.deepEqual(node("once")?.explain_safe, false);
});

Deno.test("explain: nothing shows what redact masks, nor a condition that the environment has a share in", async () => {
  await withFile(async (config) => {
    for (const payload of [{ card: "4111-2222", n: 1 }, { card: "4111-2222", fail: true }]) {
      const meta = JSON.stringify({ authorization: "Bearer 99" });
      const explanation = await explained({
        config,
        message: JSON.stringify(payload),
        meta,
        topology: true,
        svg: true,
      });
      const all = JSON.stringify(explanation) + explanationText(explanation);
      for (const secret of ["top-secret-region", "Bearer 99", "tok-98765"]) assert.ok(!all.includes(secret), secret);
      // A script may copy a value to where nobody masks it; what it prints and fails with is masked all the same.
      const { steps } = explanation.sample ?? { steps: [] };
      const note = steps.find(({ node }) => node === "note");
      assert.deepEqual(note?.printed, ["card ***"]);
      if (payload.fail === true) assert.equal(note?.failure?.reason, "script: fail: no such card: ***");
    }
  });
});

Deno.test("explain: behind what is not executed nothing is decided", async () => {
  await withFile(async (config) => {
    const { sample } = await explained({ config, message: '{"card": "x", "many": true}' });
    const states = sample?.steps.map(({ node, state }) => [node, state]);
    assert.deepEqual(states, [
      ["in", "passed"],
      ["note", "passed"],
      ["parts", "passed"],
      ["once", "not_executed"],
      ["out", "unknown"],
      ["once", "not_executed"],
      ["copy", "given"],
    ]);
  });
});

Deno.test("explain: a message may enter at any node, in any codec of the pipeline", async () => {
  await withFile(async (config) => {
    const { sample } = await explained({ config, message: '{"card": "4111", "n": 1}', at: "out" });
    assert.deepEqual(sample?.steps.map(({ node, order_key: key }) => [node, key]), [["out", "***"]]);
    const raw = await explained({ config, message: "text", at: "copy", codec: "raw" });
    assert.equal(raw.sample?.steps[0]?.encoded?.text, '"text"');
    await assert.rejects(explain({ config, message: "{}", at: "nowhere" }), { code: "usage" });
    await assert.rejects(explain({ config, message: "{}", codec: "none" }), { code: "usage" });
    await assert.rejects(explain({ config, at: "out" }), { code: "usage" });
  });
});

Deno.test("explain: the line end of a file is no part of a message in a codec of text", async () => {
  await withFile(async (config) => {
    const input = { config, message: '{"card":"k"}\n', at: "copy" };
    const { sample } = await explained({ ...input, is_line: true });
    assert.equal(sample?.steps[0]?.encoded?.size, 12);
    const raw = await explained({ ...input, message: "text\n", codec: "raw", is_line: true });
    assert.equal(raw.sample?.payload, "text\n");
  });
});

Deno.test("explain: a walk that becomes too long is cut short and says so", async () => {
  const text = PIPELINE.replace("dedupe: { key: payload.n }", "fields: { fields: { a: 1 } }");
  await withFile(async (config) => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ n, card: "c" }));
    const explanation = await explained({ config, message: JSON.stringify(many), at: "parts" });
    assert.equal(explanation.sample?.truncated, true);
    assert.equal(explanation.sample?.steps.length, 1000);
    assert.match(explanationText(explanation), /cut short/);
  }, text);
});

Deno.test("explain: permissions by node and isolate; a pipeline that does not pass is judged instead", async () => {
  await withFile(async (config) => {
    const { permissions } = await explained({ config, permissions: true, data_dir: "/data" });
    assert.deepEqual(permissions?.isolates.map(({ role }) => role), ["pipeline", "store"]);
    assert.deepEqual(permissions?.isolates.at(-1)?.permissions, { read: ["/data/stores"], write: ["/data/stores"] });
    const copy = permissions?.nodes.find(({ node }) => node === "copy");
    assert.ok((copy?.permissions.write ?? []).length > 0);
    Deno.writeTextFileSync(config, PIPELINE.replace("payload.n", "payload.("));
    const answer = await explain({ config });
    assert.equal(answer.kind, "refused");
  });
});

const JOB = `
apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: nightly }
run: { mode: job, schedule: "0 3 * * *" }
parameters:
  from: { type: integer, default: 10 }
  tag: { type: string, required: true }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  mark:
    depends_on: in
    fields: { fields: { tag: "tag-\${parameters.tag}" } }
sinks:
  out:
    depends_on: { mark: { when: payload.n >= double(parameters.from) } }
    file: { path: out.ndjson }
`;

Deno.test("explain: a job's message is explained with the parameters of its run", async () => {
  await withFile(async (config) => {
    const input = { config, message: '{"n": 20}' };
    const tagged = await explained({ ...input, parameters: '{"tag": "x"}' });
    assert.equal(tagged.sample?.steps.at(-1)?.encoded?.text, '{"n":20,"tag":"tag-x"}');
    const later = await explained({ ...input, parameters: '{"tag": "x", "from": 21}' });
    assert.deepEqual(later.sample?.totals.filtered, 1);
    for (const parameters of ['{"frm": 1}', '{"from": "text"}', "[1]"]) {
      await assert.rejects(explain({ ...input, parameters }), { code: "usage" });
    }
  }, JOB);
});
