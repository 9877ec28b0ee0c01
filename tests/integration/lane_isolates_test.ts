/** The isolates of lanes: granted or not, opened, refused, and gone when their pipeline has ended. */

import assert from "node:assert/strict";
import { defaultRuntime } from "../../src/config/mod.ts";
import { LaneClients, LaneKeeper, type LaneKeeperOptions, runPipeline } from "../../src/isolate/mod.ts";
import { type LaneGrant, laneGrants } from "../../src/plan/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { silentLogger } from "../../src/telemetry/mod.ts";
import { verifyText } from "../../src/verify/mod.ts";

const ENTRIES = {
  pipeline: new URL("../../src/pipeline_isolate.ts", import.meta.url),
  store: new URL("../../src/store_isolate.ts", import.meta.url),
};

function verified(folder: string) {
  const text = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: lanes }
run: { mode: batch }
sources:
  in: { file: { path: ${folder}/in.ndjson, on_eof: stop } }
transforms:
  one: { depends_on: in, script: "payload.a = 1" }
  two: { depends_on: one, workers: 2, script: "payload.b = 2" }
sinks:
  out: { depends_on: two, file: { path: ${folder}/out.ndjson } }
`;
  const place = { file: "p.yaml", text, directory: folder, env: () => undefined };
  const { document, plan } = verifyText({ ...place, readFile: () => assert.fail("no file is read") }, {
    registry: new Registry(builtins()),
  });
  assert.ok(document !== undefined && plan !== undefined);
  return { document, plan };
}

async function inFolder(fn: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-lanes-" });
  try {
    await fn(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const lanes of ["granted", "not granted"] as const) {
  Deno.test(`runPipeline: with lanes ${lanes} everything arrives, and no isolate is left`, () =>
    inFolder(async (folder) => {
      const { document, plan } = verified(folder);
      await Deno.writeTextFile(`${folder}/in.ndjson`, Array.from({ length: 700 }, (_, n) => `{"n":${n}}\n`).join(""));
      const outcome = await runPipeline({
        document,
        needs: plan.needs,
        lanes: lanes === "granted" ? laneGrants(plan) : [],
        runtime: { ...defaultRuntime(), storage: { ...defaultRuntime().storage, dataDir: folder } },
        entries: ENTRIES,
        plugins: [],
        signal: new AbortController().signal,
        log: silentLogger,
      });
      assert.equal(outcome.status, "completed");
      const written = Deno.readTextFileSync(`${folder}/out.ndjson`).trimEnd().split("\n").sort();
      assert.deepEqual(written, Array.from({ length: 700 }, (_, n) => `{"n":${n},"a":1,"b":2}`).sort());
    }));
}

Deno.test("laneGrants: a transform with several workers, with what its block needs and nothing else", () => {
  const { plan } = verified("/");
  assert.deepEqual(laneGrants(plan), [{ node: "two", lanes: 2, needs: {} }]);
});

/** A keeper and the clients of its pipeline's isolate, joined without an isolate between them. */
function joined(grants: readonly LaneGrant[], start: Partial<LaneKeeperOptions["start"]> = {}) {
  const { document } = verified("/");
  const keeper = new LaneKeeper({
    entry: ENTRIES.pipeline,
    grants,
    start: {
      document,
      durability: "process",
      spoolRetention: 10,
      writeBatch: { maxRows: 10, maxWaitMs: 0 },
      parameters: {},
      ...start,
    },
    post(message) {
      if (message.kind === "lane" || message.kind === "lane_died") queueMicrotask(() => clients.receive(message));
    },
    log: () => {},
  });
  const clients = new LaneClients(["two", "absent", "other"], (message) => {
    if (message.kind === "open_lane" || message.kind === "drop_lane") keeper.receive(message);
  });
  return { keeper, clients };
}

const never = new AbortController().signal;

Deno.test("LaneKeeper: opens as many lanes as were granted, and another only when one was dropped", async () => {
  const { keeper, clients } = joined([{ node: "two", lanes: 1, needs: {} }]);
  using _ = keeper;
  const lane = await clients.open("two", never);
  assert.ok(lane.codecs.has("json"));
  await assert.rejects(clients.open("two", never), { code: "isolate_died" });
  await assert.rejects(clients.open("other", never), { code: "isolate_died" });
  await lane.close();
  const next = await clients.open("two", never);
  next.abandon();
});

Deno.test("LaneKeeper: a lane whose transform cannot be made says why", async () => {
  const { keeper, clients } = joined([{ node: "absent", lanes: 1, needs: {} }]);
  using _ = keeper;
  await assert.rejects(clients.open("absent", never), { code: "config_invalid", node: "absent" });
});

Deno.test("LaneClients: a lane that nobody waits for any more is dropped", async () => {
  const { keeper, clients } = joined([{ node: "two", lanes: 1, needs: {} }]);
  using _ = keeper;
  const stop = new AbortController();
  const opening = clients.open("two", stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(opening, { message: "stopped" });
  // Its place is free again.
  (await clients.open("two", never)).abandon();
});
