/** Owns the loading of the Runtime document. */

import { resolve } from "node:path";
import { type Diagnostic, DiagnosticBag } from "../diagnostics/mod.ts";
import { didYouMeanOneOf, parseListenAddress, PORT_MAX } from "../base/mod.ts";
import { ConstantSubstitution } from "./constants.ts";
import { processEnvironment, readSource } from "./pipeline_files.ts";
import type { RuntimeDocument } from "./runtime_document.ts";
import { RUNTIME_KEYS, type RuntimeKey, type RuntimePath } from "./runtime_keys.ts";
import type { ReadFile } from "./shape/external.ts";
import { checkHead } from "./shape/metadata.ts";
import { type Environment, EnvironmentSubstitution } from "./substitution.ts";
import { isNull, type MappingTree, type Tree } from "./tree.ts";
import { ValueReader } from "./value_reader.ts";
import type { SourceText } from "./yaml_text.ts";
import { readTree } from "./yaml_tree.ts";

/** What a Runtime document is loaded from. */
export interface RuntimeInput extends SourceText {
  /** The environment that `${VAR}` is read from. */
  readonly env: Environment;
}

/** What loading gives: the document where nothing is wrong with it. */
export interface LoadedRuntime {
  readonly document?: RuntimeDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/** The name that is looked for in the working folder. */
export const RUNTIME_FILE = "eventboat.yaml";

const CODES = { type: "runtime_type", range: "runtime_range" } as const;
const HEAD: readonly string[] = ["apiVersion", "kind"];

/** Values by dotted path; what is not there has its default. */
type Values = { readonly [path: string]: unknown };

/** Loads a Runtime document from text. */
export function loadRuntime(input: RuntimeInput): LoadedRuntime {
  const bag = new DiagnosticBag();
  const tree = readTree(input, bag);
  if (tree === undefined) return { diagnostics: bag.list() };
  const substituted = new EnvironmentSubstitution(input.env, bag).mapping(tree);
  // There are no constants and no parameters here: the pass tells so.
  const resolved = new ConstantSubstitution(bag, false, substituted).document(substituted);
  const reader = new ValueReader(bag);
  checkHead(resolved, "Runtime", reader);
  const entries = new Map([...resolved.entries].filter(([name]) => !HEAD.includes(name)));
  const values: [string, unknown][] = [];
  readMapping({ ...resolved, entries }, "", values, reader);
  if (bag.hasErrors) return { diagnostics: bag.list() };
  return { document: runtimeDocument(Object.fromEntries(values)), diagnostics: bag.list() };
}

/** Where the Runtime document is read from. */
export interface RuntimeFiles {
  /** The file the user named; without it `eventboat.yaml` in the working folder, and without that the defaults. */
  readonly file?: string;
  /** Default: the process's environment. */
  readonly env?: Environment;
  /** Default: the disk. */
  readonly readFile?: ReadFile;
}

/** Reads the Runtime document; the defaults where none is named and none is there. */
export function readRuntime(files: RuntimeFiles = {}): LoadedRuntime {
  const readFile = files.readFile ?? Deno.readFileSync;
  const bag = new DiagnosticBag();
  if (files.file === undefined && !isThere(RUNTIME_FILE, readFile)) {
    return { document: defaultRuntime(), diagnostics: [] };
  }
  const source = readSource(files.file ?? RUNTIME_FILE, readFile, bag);
  if (source === undefined) return { diagnostics: bag.list() };
  return loadRuntime({ ...source, env: files.env ?? processEnvironment });
}

/** The Runtime document of an installation that has none. */
export function defaultRuntime(): RuntimeDocument {
  return runtimeDocument({});
}

/** Whether there is such a file. One that cannot be read is there: why, its reading tells. */
function isThere(file: string, readFile: ReadFile): boolean {
  try {
    readFile(resolve(file));
    return true;
  } catch (caught) {
    return !(caught instanceof Deno.errors.NotFound);
  }
}

function readMapping(mapping: MappingTree, path: string, values: [string, unknown][], reader: ValueReader): void {
  const known = namesBelow(path);
  for (const [name, { key, value }] of mapping.entries) {
    const at = path === "" ? name : `${path}.${name}`;
    if (isRuntimePath(at)) {
      const read = readValue(value, RUNTIME_KEYS[at], at, reader);
      if (read !== undefined) values.push([at, read]);
    } else if (known.includes(name)) {
      const section = isNull(value) ? undefined : reader.mapping(value, "runtime_type", at);
      if (section !== undefined) readMapping(section, at, values, reader);
    } else {
      reader.report("runtime_unknown_key", key, `unknown key "${at}"`, didYouMeanOneOf(name, known));
    }
  }
}

/** Names that may stand in the mapping at `path`. */
function namesBelow(path: string): readonly string[] {
  const prefix = path === "" ? "" : `${path}.`;
  const names = Object.keys(RUNTIME_KEYS)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length).split(".")[0] ?? "");
  return [...new Set(names)];
}

function isRuntimePath(path: string): path is RuntimePath {
  return Object.hasOwn(RUNTIME_KEYS, path);
}

function readValue(tree: Tree, key: RuntimeKey, path: string, reader: ValueReader): unknown {
  const range = key.range ?? { min: -Infinity, max: Infinity };
  switch (key.type) {
    case "text":
      if (key.mayBeEmpty === true && tree.kind === "scalar" && tree.value === "") return "";
      return reader.text(tree, CODES.type, path);
    case "address":
      return readAddress(tree, path, reader);
    case "flag":
      return reader.flag(tree, CODES.type, path);
    case "integer":
      return reader.integer(tree, CODES, path, range);
    case "number":
      return reader.number(tree, CODES, path, range);
    case "word": {
      const isText = tree.kind === "scalar" && typeof tree.value === "string";
      return reader.word(tree, key.words ?? [], isText ? CODES.range : CODES.type, path);
    }
    case "texts":
      return reader.texts(tree, CODES.type, path);
    case "list": {
      if (tree.kind !== "list") return reader.wrong(CODES.type, tree, path, "a list of texts");
      const items = tree.items.map((item, index) => reader.text(item, CODES.type, `${path}[${index}]`));
      return items.filter((item) => item !== undefined);
    }
  }
}

function readAddress(tree: Tree, path: string, reader: ValueReader): string | undefined {
  const address = reader.text(tree, CODES.type, path);
  if (address === undefined) return undefined;
  if (parseListenAddress(address) !== undefined) return address;
  const required = `a host and a port from 0 to ${PORT_MAX}, as in 127.0.0.1:7788`;
  reader.report(CODES.range, tree.span, `${path} must be ${required}`);
  return undefined;
}

function runtimeDocument(values: Values): RuntimeDocument {
  // Every value was read by its key's own type, so the type of its default is the type of the value.
  const value = <Path extends RuntimePath>(path: Path) => {
    const key: RuntimeKey = RUNTIME_KEYS[path];
    return (values[path] ?? key.default) as RuntimeValue<Path>;
  };
  return {
    storage: {
      dataDir: value("storage.data_dir"),
      ephemeral: value("storage.ephemeral"),
      spoolRetention: value("storage.spool_retention"),
      writeBatch: {
        maxRows: value("storage.write_batch.max_rows"),
        maxWaitMs: value("storage.write_batch.max_wait_ms"),
      },
      durability: value("storage.durability"),
    },
    admin: { listen: value("admin.listen"), enable: value("admin.enable"), token: value("admin.token") },
    mcp: { enable: value("mcp.enable") },
    plugins: { allow: value("plugins.allow") },
    telemetry: {
      otlpEndpoint: value("telemetry.otlp_endpoint"),
      otlpHeaders: value("telemetry.otlp_headers"),
      sampleRatio: value("telemetry.sample_ratio"),
      prometheus: value("telemetry.prometheus"),
    },
    isolation: value("isolation"),
    log: { level: value("log.level"), format: values["log.format"] as "text" | "json" | undefined },
  };
}

type RuntimeTypes = {
  readonly text: string;
  readonly address: string;
  readonly flag: boolean;
  readonly integer: number;
  readonly number: number;
  readonly list: readonly string[];
  readonly texts: { readonly [name: string]: string };
};

type RuntimeValue<Path extends RuntimePath> = (typeof RUNTIME_KEYS)[Path] extends
  { readonly words: readonly (infer Word)[] } ? Word
  : (typeof RUNTIME_KEYS)[Path]["type"] extends keyof RuntimeTypes ? RuntimeTypes[(typeof RUNTIME_KEYS)[Path]["type"]]
  : never;
