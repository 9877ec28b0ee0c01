import assert from "node:assert/strict";
import { fixPipeline } from "./fix.ts";
import { loadRuntime } from "./runtime_loader.ts";
import { spanAt } from "./span_table.ts";
import { loadFixture, pipeline } from "./testing/annotated.ts";

const MUTATIONS = 400;
const SEED = 20_260_101;

const DOCUMENT = pipeline(`x-edge: &edge { delivery: { retries: 9, backoff: constant }, buffer: { max_events: 5 } }
run: { mode: job, schedule: "0 1 * * *", timezone: UTC, retention: { history: 90d } }
parameters: { from: { type: string, default: cursor }, n: { type: integer, enum: [1, 7], default: '\${COUNT}' } }
constants: { a: 1, b: { c: [x, "\${WORD}"] }, d: "\${constants.a}" }
hooks: { failure: { debug: {} } }
limits: { max_in_flight: 7, drain_timeout: 1m }
codecs: { wide: { type: csv } }
dlq: { retention: 7d }
telemetry: { redact: [payload.*], span_sample_rate: 0.5 }
sources:
  in: { decoder: wide, ticker: {}, grpc: { command: [t], schema: good.json, env: { A: b } } }
transforms:
  t:
    depends_on: [in, { in: { <<: *edge, when: payload.a > 1 } }]
    script: |
      payload.x = "\${constants.a} \${?EMPTY} $\${x}"
      y = 2
sinks:
  out:
    depends_on: { t: { route: eu } }
    batch: { size: 2 }
    drop: {}
    order_key: >-
      payload.id

      + "x"
  "2": { depends_on: t, file: { path: 'it''s', n: 0x1F, "q\\u0041": ~ } }
`);

/** A generator that gives the same numbers every time (mulberry32). */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const INTERESTING = [..."{}[],:#&*!|>'\"%@`-?<$\\\n\t \r\u0000"].map((character) => character.charCodeAt(0));

function mutated(bytes: Uint8Array, random: (limit: number) => number): Uint8Array {
  const changed = [...bytes];
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(changed.length);
    const byte = random(3) === 0 ? random(256) : INTERESTING[random(INTERESTING.length)] ?? 0;
    switch (random(4)) {
      case 0:
        changed[at] = byte;
        break;
      case 1:
        changed.splice(at, 1 + random(8));
        break;
      case 2:
        changed.splice(at, 0, byte);
        break;
      default:
        changed.splice(at, 0, ...changed.slice(random(changed.length)).slice(0, random(40)));
    }
  }
  return new Uint8Array(changed);
}

Deno.test("loaders: whatever a document becomes, they answer with findings and never throw", () => {
  assert.deepEqual(loadFixture(DOCUMENT).diagnostics, []);
  const random = seeded(SEED);
  const original = new TextEncoder().encode(DOCUMENT);
  let refused = 0;
  for (let i = 0; i < MUTATIONS; i++) {
    const bytes = mutated(original, random);
    const { document, diagnostics } = loadFixture(bytes);
    assert.ok(document !== undefined || diagnostics.length > 0, "neither a document nor a finding");
    for (const { line, column } of diagnostics) assert.ok(line >= 1 && column >= 1, `place ${line}:${column}`);
    for (const pointer of Object.keys(document?.spans ?? {})) {
      assert.ok(spanAt(document?.spans ?? {}, pointer.split("/").slice(1), 3));
    }
    loadRuntime({ file: "r.yaml", text: bytes, env: () => "x" });
    fixPipeline(new TextDecoder().decode(bytes));
    if (diagnostics.length > 0) refused++;
  }
  assert.ok(refused > MUTATIONS / 4, `only ${refused} of ${MUTATIONS} mutations were noticed`);
});
