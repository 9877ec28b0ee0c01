import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import {
  type CodecPlugin,
  type Plugin,
  type PluginContext,
  Registry,
  type SinkPlugin,
  type Source,
  type SourcePlugin,
} from "../plugin/mod.ts";
import { block, define } from "../schema/mod.ts";
import { verifyText } from "../verify/mod.ts";
import { PipelineHost } from "./pipeline_host.ts";
import type { FromPipeline, PipelineStart } from "./protocol.ts";

const common = { version: 1, summary: "For tests.", capabilities: [], definition: define(block({})) };

const json: CodecPlugin = {
  ...common,
  kind: "codec",
  name: "json",
  create: () => ({ decode: (bytes) => bytes, encode: () => new Uint8Array(0) }),
};

const sink: SinkPlugin = {
  ...common,
  kind: "sink",
  name: "nowhere",
  maxBatch: () => 1,
  create: () => ({ write() {}, close() {} }),
};

/** A source that does as told, then ends. */
function sourceOf(told: (context: PluginContext) => void): SourcePlugin {
  const create = (_: unknown, context: PluginContext): Source => ({
    init() {},
    run: () => Promise.resolve(told(context)),
    commit: () => undefined,
    close() {},
  });
  return { ...common, kind: "source", name: "told", create };
}

function startOf(plugins: readonly Plugin[]): PipelineStart {
  const text = "apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: p }\n" +
    "sources: { in: { told: {} } }\nsinks: { out: { depends_on: in, nowhere: {} } }\n";
  const verdict = verifyText(
    { file: "p.yaml", text, directory: "/", env: () => undefined, readFile: () => new Uint8Array(0) },
    { registry: new Registry(plugins) },
  );
  assert.deepEqual(verdict.diagnostics.map(({ code, message }) => [code, message]), []);
  assert.ok(verdict.document);
  return {
    document: verdict.document,
    durability: "process",
    spoolRetention: 10,
    writeBatch: { maxRows: 10, maxWaitMs: 0 },
    parameters: {},
  };
}

/** A host with what it said, as it would cross a port. */
function heardHost(told: (context: PluginContext) => void = () => {}) {
  const plugins = [json, sink, sourceOf(told)];
  const said: FromPipeline[] = [];
  const host = new PipelineHost({ post: (message) => void said.push(structuredClone(message)) }, plugins);
  return { host, said, start: startOf(plugins) };
}

function endOf(said: readonly FromPipeline[]) {
  const last = said.at(-1);
  assert.equal(last?.kind, "ended");
  return last?.kind === "ended" ? last.outcome : undefined;
}

Deno.test("PipelineHost: a store isolate that dies before it has opened ends the pipeline at once", async () => {
  const { host, said, start } = heardHost();
  const { port1, port2 } = new MessageChannel();
  const running = host.receive({ kind: "start", start, store: port1 });
  const error = new EventboatError("isolate_died", "the store's isolate died");
  await host.receive({ kind: "store_died", error: error.toRecord() });
  await running;
  port2.close();
  const outcome = endOf(said);
  assert.deepEqual([outcome?.status, outcome?.failure?.code], ["failed", "isolate_died"]);
});

Deno.test("PipelineHost: a store isolate that died before the pipeline began ends it, too", async () => {
  const { host, said, start } = heardHost();
  const { port1, port2 } = new MessageChannel();
  const error = new EventboatError("isolate_died", "the store's isolate died");
  await host.receive({ kind: "store_died", error: error.toRecord() });
  await host.receive({ kind: "start", start, store: port1 });
  port2.close();
  assert.equal(endOf(said)?.failure?.code, "isolate_died");
});

Deno.test("PipelineHost: a log line that cannot cross a port loses what cannot, not its node", async () => {
  const { host, said, start } = heardHost((context) => {
    context.log.log("warn", "odd", { callback: () => {}, fine: 1 } as unknown as { fine: number });
  });
  await host.receive({ kind: "start", start, store: undefined });
  assert.equal(endOf(said)?.status, "completed");
  const line = said.find((message) => message.kind === "log" && message.message === "odd");
  assert.equal(line?.kind === "log" ? line.fields?.["fine"] : undefined, 1);
});
