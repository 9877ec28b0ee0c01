/** The lock of a store whose isolate does not end in time. */

import assert from "node:assert/strict";
import { HeldClock } from "../../src/base/mod.ts";
import { defaultRuntime } from "../../src/config/mod.ts";
import { EventboatError } from "../../src/diagnostics/mod.ts";
import type { Outcome } from "../../src/engine/mod.ts";
import { runPipeline } from "../../src/isolate/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { StoreLock, storePath } from "../../src/store/mod.ts";
import { silentLogger } from "../../src/telemetry/mod.ts";
import { verifyText } from "../../src/verify/mod.ts";

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: late }
sources:
  in: { cron: { expression: "0 0 1 1 *" } }
sinks:
  out: { depends_on: in, drop: {} }
`;

/** More than a stop takes: draining, its grace, the closing of the store. */
const STOP_SECONDS_MAX = 60;

const isLocked = (caught: unknown) => caught instanceof EventboatError && caught.code === "store_locked";

Deno.test("runPipeline: a store whose isolate does not end in time stays locked until it has", async () => {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-late-" });
  try {
    const text = { file: "p.yaml", text: PIPELINE, directory: folder, env: () => undefined };
    const { document, plan } = verifyText({ ...text, readFile: () => assert.fail("no file is read") }, {
      registry: new Registry(builtins()),
    });
    assert.ok(document !== undefined && plan !== undefined);
    const clock = new HeldClock();
    const running = runPipeline({
      document,
      needs: plan.needs,
      runtime: { ...defaultRuntime(), storage: { ...defaultRuntime().storage, dataDir: folder } },
      entries: {
        pipeline: new URL("../../src/pipeline_isolate.ts", import.meta.url),
        store: new URL("./late_store_isolate.ts", import.meta.url),
      },
      plugins: [],
      signal: AbortSignal.abort(),
      log: silentLogger,
      clock,
    });
    // The pipeline waits for a store that never opens and is given up; then the store is waited for, in vain.
    let outcome: Outcome | undefined;
    const ended = running.then((given) => outcome = given);
    for (let seconds = 0; outcome === undefined && seconds < STOP_SECONDS_MAX; seconds++) await clock.advance(1000);
    assert.equal(outcome?.status, "interrupted");
    await ended;
    const path = storePath(folder, "late");
    await assert.rejects(StoreLock.take(path), isLocked);
    await Deno.writeTextFile(`${folder}/stores/end`, "");
    (await untilUnlocked(path))[Symbol.dispose]();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Takes the lock as soon as it is free. */
async function untilUnlocked(path: string): Promise<StoreLock> {
  for (let tries = 0; tries < 500; tries++) {
    try {
      return await StoreLock.take(path);
    } catch (caught) {
      if (!isLocked(caught)) throw caught;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  assert.fail("the lock was never released");
}
