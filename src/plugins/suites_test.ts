import assert from "node:assert/strict";
import type { Data } from "../base/mod.ts";
import { type PluginContext, Registry, type Sink, type Source, testContext } from "../plugin/mod.ts";
import { HttpPeer } from "../../tests/suites/http_peer.ts";
import { sinkSuite, type SinkTrial } from "../../tests/suites/sink_suite.ts";
import { sourceSuite, type SourceTrial } from "../../tests/suites/source_suite.ts";
import { builtins } from "./builtins.ts";
import { debugSinkTo } from "./sinks/debug/mod.ts";

const registry = new Registry(builtins());

const MINUTE_MS = 60_000;

type Block = { readonly [key: string]: Data };

function makeSink(name: string, block: Block, context: PluginContext): Sink {
  const plugin = registry.get("sink", name);
  const parsed = plugin?.definition.parse(block);
  assert.ok(plugin !== undefined && parsed?.ok);
  return plugin.create(parsed.value, context);
}

function makeSource(name: string, block: Block, context: PluginContext): Source {
  const plugin = registry.get("source", name);
  const parsed = plugin?.definition.parse(block);
  assert.ok(plugin !== undefined && parsed?.ok);
  return plugin.create(parsed.value, context);
}

sinkSuite("drop", () => ({
  sink: makeSink("drop", {}, testContext()),
  arrived: () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
}), false);

sinkSuite("debug", () => {
  const written: string[] = [];
  const plugin = debugSinkTo((bytes) => written.push(new TextDecoder().decode(bytes)));
  return {
    sink: plugin.create({ prefix: "" }, testContext()),
    arrived: () => written.join("").split("\n").slice(0, -1),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}, false);

function fileTrial(block: Block): SinkTrial {
  const directory = Deno.makeTempDirSync();
  return {
    sink: makeSink("file", block, testContext({ directory })),
    arrived: () => Deno.readTextFileSync(`${directory}/out/n.jsonl`).split("\n").slice(0, -1),
    async [Symbol.asyncDispose]() {
      await Deno.remove(directory, { recursive: true });
    },
  };
}

sinkSuite("file", () => fileTrial({ path: "out/n.jsonl" }), false);
sinkSuite("file with a template", () => fileTrial({ path: 'out/{{ has(payload.n) ? "n" : "m" }}.jsonl' }), false);
sinkSuite("file without fsync", () => fileTrial({ path: "out/n.jsonl", fsync: "never" }), false);

function httpTrial(block: Block): SinkTrial {
  const peer = new HttpPeer();
  let broken = false;
  const texts: string[] = [];
  peer.answer = ({ body }) => {
    if (broken) return new Response(null, { status: 503 });
    const items: string[] = block["body"] === "json_array"
      ? JSON.parse(body).map((item: unknown) => JSON.stringify(item))
      : body.split("\n").filter((line) => line !== "");
    texts.push(...items);
    return new Response();
  };
  return {
    sink: makeSink("http", { url: peer.url(), ...block }, testContext()),
    arrived: () => texts,
    break: () => void (broken = true),
    mend: () => void (broken = false),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

for (const body of ["message", "ndjson", "json_array"]) sinkSuite(`http ${body}`, () => httpTrial({ body }), true);

sinkSuite("victorialogs", () => {
  const peer = new HttpPeer();
  let broken = false;
  const texts: string[] = [];
  peer.answer = ({ body }) => {
    if (broken) return new Response(null, { status: 503 });
    texts.push(...body.split("\n").filter((line) => line !== ""));
    return new Response();
  };
  const fields = { stream_fields: ["n"], time_field: "_time", msg_field: "_msg" };
  return {
    sink: makeSink("victorialogs", { url: peer.url(), ...fields }, testContext()),
    arrived: () => texts,
    break: () => void (broken = true),
    mend: () => void (broken = false),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}, true);

sourceSuite("cron", (): SourceTrial => {
  const context = testContext();
  return {
    source: makeSource("cron", { expression: "* * * * *" }, context),
    feed: () => context.clock.advance(MINUTE_MS),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}, registry.get("source", "cron")?.meta);

sourceSuite("http_server", (): SourceTrial => {
  const context = testContext();
  const answers: Promise<unknown>[] = [];
  return {
    source: makeSource("http_server", { listen: "127.0.0.1:0" }, context),
    async feed() {
      await context.log.untilLines(1);
      const url = `http://127.0.0.1:${context.log.lines[0]?.fields["port"]}/`;
      answers.push(fetch(url, { method: "POST", body: "1" }).then((response) => response.text()));
    },
    async [Symbol.asyncDispose]() {
      // Whatever the answers are: they have to have come before the test ends.
      await Promise.allSettled(answers);
    },
  };
}, registry.get("source", "http_server")?.meta);
