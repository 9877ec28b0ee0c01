/** Owns the built-in sink `file`: lines appended to files. */

import { dirname, resolve, sep as SEPARATOR } from "node:path";
import type { Static } from "typebox";
import { OneAtATime, parseDuration } from "../../../base/mod.ts";
import { wholeReasonOf } from "../../../diagnostics/mod.ts";
import type { Scope } from "../../../languages/mod.ts";
import {
  type CheckContext,
  joinedLines,
  type Needs,
  type PartialFailure,
  PartialWriteError,
  type PluginContext,
  type PluginIssue,
  type Sink,
  type SinkBatch,
  SinkError,
  type SinkPlugin,
} from "../../../plugin/mod.ts";
import { block, choice, define, duration, integer, optional, text } from "../../../schema/mod.ts";
import { compileTemplate, type Template } from "../../shared/template.ts";
import { constantPath, pathFunction, templateRoot } from "./file_paths.ts";
import type { LineFileOptions } from "./line_file.ts";
import { OpenFiles } from "./open_files.ts";

/** Most messages an adaptive batch holds: one write and, in `power` durability, one sync for all of them. */
const BATCH_MESSAGES_MAX = 1000;
const ROTATE_BYTES_MAX = 2 ** 50;

const schema = block({
  path: text({
    description: "File the encoded messages are appended to, one a line. May hold `{{` CEL `}}`, evaluated per " +
      "message; a value with a slash or a control character in it is refused.",
    examples: ["out/orders.jsonl", "out/{{ payload.region }}.jsonl"],
  }),
  rotate: optional(block({
    max_bytes: optional(integer({
      description: "A file that would grow beyond this many bytes is renamed first, with the time in its name.",
      minimum: 1,
      maximum: ROTATE_BYTES_MAX,
    })),
    max_age: optional(duration({ description: "A file older than this is renamed before the next write." })),
  }, { description: "When to begin a new file. Without it a file grows for ever." })),
  fsync: optional(choice(["batch", "never"], {
    description: "`batch` syncs each batch before it counts as delivered. Default: `batch` where " +
      "`storage.durability` is `power`, else `never`; what is not synced then is synced before its source commits.",
  })),
  compression: choice(["none", "gzip"], {
    description: "`gzip` writes each batch as a gzip member, so that the file is one valid gzip file at any time.",
    default: "none",
  }),
});

type FileSinkConfig = Static<typeof schema>;

/** Appends messages to files, one a line, and never leaves half a line. */
export const fileSink: SinkPlugin<typeof schema> = {
  kind: "sink",
  name: "file",
  version: 1,
  summary: "Appends messages to files, one a line.",
  capabilities: [],
  definition: define(schema),
  check,
  constantsRead(config) {
    const result = compileTemplate(config.path);
    return result.ok ? result.program.constantsRead : [];
  },
  parametersRead(config) {
    const result = compileTemplate(config.path);
    return result.ok ? result.program.parametersRead : [];
  },
  needs,
  maxBatch: () => BATCH_MESSAGES_MAX,
  create: (config, context) => new FileSink(config, context),
};

function check(config: FileSinkConfig): readonly PluginIssue[] {
  const issues: PluginIssue[] = [];
  const compiled = compileTemplate(config.path);
  if (!compiled.ok) {
    for (const issue of compiled.issues) {
      issues.push({
        code: "expr_cel_compile",
        path: ["path"],
        offset: issue.offset,
        message: issue.message,
        ...(issue.hint === undefined ? {} : { hint: issue.hint }),
      });
    }
  } else if (compiled.program.constant?.endsWith("/")) {
    issues.push({ path: ["path"], message: "must name a file, and it ends in a slash" });
  }
  if (config.rotate !== undefined && config.rotate.max_bytes === undefined && config.rotate.max_age === undefined) {
    issues.push({ path: ["rotate"], message: "needs `max_bytes`, `max_age` or both" });
  }
  return issues;
}

/**
 * The file and what is set aside beside it; its folder where that may have to be created, or where names are made up
 * as messages come.
 */
function needs(config: FileSinkConfig, context: CheckContext): Needs {
  const compiled = compileTemplate(config.path);
  if (!compiled.ok) return {};
  const path = constantPath(compiled.program, context.directory);
  if (path === undefined) {
    const root = templateRoot(compiled.program, context.directory);
    return { read: [root], write: [root] };
  }
  const folder = dirname(path);
  const paths = config.rotate !== undefined || !isCertainlyThere(folder, resolve(context.directory))
    ? [folder]
    : [path, `${path}.torn`];
  return { read: paths, write: paths };
}

/** Without looking: the pipeline's own folder and those above it exist, and so do the ones at the root. */
function isCertainlyThere(folder: string, directory: string): boolean {
  const above = dirname(folder);
  return directory === folder || directory.startsWith(folder + SEPARATOR) || dirname(above) === above;
}

class FileSink implements Sink {
  readonly #path: string | undefined;
  readonly #pathOf: (scope: Scope) => string;
  readonly #files: OpenFiles;
  /** A write that timed out may still be on its way when the next is asked for. */
  readonly #turns = new OneAtATime();

  constructor(config: FileSinkConfig, context: PluginContext) {
    const template = compiled(config.path);
    this.#path = constantPath(template, context.directory);
    this.#pathOf = pathFunction(template, context.directory, context);
    this.#files = new OpenFiles(lineFileOptions(config, context));
  }

  async open(): Promise<void> {
    if (this.#path !== undefined) await (await this.#files.get(this.#path)).open();
  }

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    await this.#turns.run(signal, async () => {
      if (this.#path !== undefined) await (await this.#files.get(this.#path)).append(batch.lines(), batch.head);
      else await this.#writeByPath(batch);
    });
  }

  async sync(): Promise<void> {
    await this.#turns.run(undefined, () => this.#files.sync());
  }

  async close(): Promise<void> {
    await this.#turns.run(undefined, () => this.#files.close());
  }

  /** One write a file; what failed is told message by message. */
  async #writeByPath(batch: SinkBatch): Promise<void> {
    const failures: PartialFailure[] = [];
    const indexesByPath = new Map<string, number[]>();
    for (let index = 0; index < batch.size; index++) {
      try {
        const path = this.#pathOf(batch.message(index));
        const indexes = indexesByPath.get(path);
        if (indexes === undefined) indexesByPath.set(path, [index]);
        else indexes.push(index);
      } catch (caught) {
        failures.push({ index, error: asSinkError(caught) });
      }
    }
    for (const [path, indexes] of indexesByPath) {
      try {
        await (await this.#files.get(path)).append(linesOf(batch, indexes), batch.head);
      } catch (caught) {
        const error = asSinkError(caught);
        for (const index of indexes) failures.push({ index, error });
      }
    }
    if (failures.length === 0) return;
    const first = failures[0]?.error.message ?? "";
    throw new PartialWriteError(`${failures.length} of ${batch.size} messages were not written: ${first}`, failures);
  }
}

function lineFileOptions(config: FileSinkConfig, context: PluginContext): LineFileOptions {
  const { max_bytes: bytesMax, max_age: age } = config.rotate ?? {};
  const ageMaxMs = age === undefined ? undefined : parseDuration(age);
  return {
    syncEachBatch: config.fsync === undefined ? context.durability === "power" : config.fsync === "batch",
    compression: config.compression,
    ...(bytesMax === undefined ? {} : { bytesMax }),
    ...(ageMaxMs === undefined ? {} : { ageMaxMs }),
    clock: context.clock,
    log: context.log,
    openFile: Deno.open,
  };
}

function compiled(path: string): Template {
  const result = compileTemplate(path);
  if (result.ok) return result.program;
  throw new SinkError(`cannot make a file sink for ${JSON.stringify(path)}: ${result.issues[0]?.message ?? ""}`);
}

function linesOf(batch: SinkBatch, indexes: readonly number[]): Uint8Array<ArrayBuffer> {
  return indexes.length === batch.size ? batch.lines() : joinedLines(indexes.map((index) => batch.bytes(index)));
}

function asSinkError(caught: unknown): SinkError {
  if (caught instanceof SinkError) return caught;
  return new SinkError(wholeReasonOf(caught), { cause: caught });
}
