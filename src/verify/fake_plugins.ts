/** Owns the plugins that tests verify documents with: blocks and rules like the real ones, and nothing behind them. */

import {
  CodecError,
  type CodecPlugin,
  type Plugin,
  type PluginIssue,
  Registry,
  type SinkPlugin,
  type SourcePlugin,
  type TransformPlugin,
} from "../plugin/mod.ts";
import { block, choice, data, define, flag, integer, list, optional, record, text } from "../schema/mod.ts";

/** The registry that tests verify with. */
export function fakeRegistry(): Registry {
  return new Registry(PLUGINS);
}

const describe = (description: string) => ({ description });
const any = text(describe("Text."));

function neverMade(): never {
  throw new Error("verification makes no node");
}

const fileSource: SourcePlugin = source("file", ["pull", "finite"], {
  path: any,
  on_eof: choice(["tail", "stop"], { description: "At the end.", default: "tail" }),
  max_line_bytes: integer({ description: "Longest line.", default: 262144, minimum: 1, maximum: 1e9 }),
  multiline: optional(
    block({ timeout_ms: integer({ description: "Wait.", default: 2000, minimum: 0, maximum: 9e4 }) }),
  ),
});

const sources: Plugin[] = [
  {
    ...fileSource,
    ends: (config: { readonly on_eof: string }) => config.on_eof === "stop",
    needs: (config: { readonly path: string }, { directory }) => ({ read: [`${directory}/${config.path}`] }),
  } as SourcePlugin,
  source("http_server", [], { listen: any, token: optional(any) }),
  source("pages", ["pull", "finite"], {
    page_size: integer({ ...describe("Rows."), default: 9, minimum: 1, maximum: 99 }),
  }),
  source("sql", ["pull", "finite"], { dsn: any, cursor: optional(data(describe("Cursor."))) }),
];

const transforms: Plugin[] = [
  script(),
  transform("split", {}),
  transform("fields", { wrap_field: optional(any), fields: optional(record(any, describe("Fields."))) }),
  { ...transform("keep", {}), writes: () => [] },
  { ...transform("dedupe", {}), oneWorker: true },
];

const sinks: Plugin[] = [
  sink("drop", {}, 1000),
  sink("http", {
    url: any,
    headers: record(any, { description: "Headers.", default: {} }),
    retry: optional(flag(describe("Again."))),
  }, 1),
  sink("victorialogs", {
    url: any,
    max_line_bytes: integer({ description: "Longest line.", default: 262144, minimum: 1, maximum: 1e9 }),
  }, 1000),
];

const codecs: Plugin[] = [
  codec("json", {}),
  codec("raw", {}),
  codec("csv", { columns: list(any, describe("Columns.")) }),
];

const PLUGINS = [...sources, ...transforms, ...sinks, ...codecs];

type Fields = Parameters<typeof block>[0];

function common(name: string, fields: Fields) {
  return { name, version: 1, summary: `Stands in for ${name}.`, capabilities: [], definition: define(block(fields)) };
}

function source(name: string, capabilities: SourcePlugin["capabilities"], fields: Fields): SourcePlugin {
  return { ...common(name, fields), kind: "source", capabilities, create: neverMade };
}

function transform(name: string, fields: Fields): TransformPlugin {
  return { ...common(name, fields), kind: "transform", create: neverMade };
}

function sink(name: string, fields: Fields, maxBatch: number): SinkPlugin {
  return { ...common(name, fields), kind: "sink", maxBatch: () => maxBatch, create: neverMade };
}

function codec(name: string, fields: Fields): CodecPlugin {
  const create = (config: unknown) => {
    if (JSON.stringify(config).includes("impossible")) throw new CodecError("no codec can be made of this");
    return { decode: neverMade, encode: neverMade };
  };
  return { ...common(name, fields), kind: "codec", create };
}

/** A script whose only mistake is the word `mistake`, and whose names of constants and parameters are `constants.<name>` and the like. */
function script(): TransformPlugin {
  return {
    ...common("script", {}),
    definition: define(any),
    kind: "transform",
    check: (config: unknown) => mistakes(String(config)),
    assignsRoute: (config: unknown) => String(config).includes("meta.route ="),
    constantsRead: (config: unknown) => [...String(config).matchAll(/constants\.(\w+)/g)].map(([, name]) => name ?? ""),
    parametersRead: (config: unknown) =>
      [...String(config).matchAll(/parameters\.(\w+)/g)].map(([, name]) => name ?? ""),
    create: neverMade,
  };
}

function mistakes(text: string): PluginIssue[] {
  return [...text.matchAll(/mistake/g)].map(({ index }) => ({
    code: "expr_starlark_compile",
    path: [],
    offset: index,
    message: "this is a mistake",
  }));
}
