/** Owns the `file` source: its registration, its rules, and the life of one instance. */

import { foundValue, regexpReason } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { SEGMENT_MESSAGES_MAX } from "../../../message/mod.ts";
import {
  type CheckContext,
  type Emit,
  type Needs,
  patientEmit,
  type PluginContext,
  type PluginIssue,
  type Source,
  type SourcePlugin,
} from "../../../plugin/mod.ts";
import { Charset } from "./charset.ts";
import { type FileConfig, fileDefinition } from "./file_config.ts";
import { FILE_META } from "./file_meta.ts";
import { FilePump } from "./file_pump.ts";
import { FileReading } from "./file_reading.ts";
import { FileRoster } from "./file_roster.ts";
import { FileTail } from "./file_tail.ts";
import { FramingRule } from "./framing_rule.ts";
import { GroupRule, type LineGroupRule } from "./line_group.ts";
import { linkTargetFolders } from "./link_targets.ts";
import { GlobError, isPlainPath, parseGlobs } from "./path_glob.ts";
import { Positions } from "./positions.ts";
import { compilePattern, repetitionTrouble } from "./regexp_guard.ts";
import { FileReadError } from "./tracked_file.ts";

/** Reads lines from files: follows them as they grow and rotate, or reads them once to their end. */
export const fileSource: SourcePlugin<typeof fileDefinition.schema> = {
  kind: "source",
  name: "file",
  version: 1,
  summary: "Reads lines from files: follows them as they grow and rotate, or reads them once to their end.",
  capabilities: ["pull", "finite"],
  meta: FILE_META,
  definition: fileDefinition,
  check: checkBlock,
  needs: needsOf,
  ends: (config) => config.on_eof === "stop",
  create: (config, context) => new FileSource(config, context),
};

function checkBlock(config: FileConfig, context: CheckContext): readonly PluginIssue[] {
  const issues: PluginIssue[] = [];
  try {
    parseGlobs(config.path, context.directory);
  } catch (caught) {
    if (!(caught instanceof GlobError)) throw caught;
    issues.push({ path: ["path"], offset: caught.offset, message: `path must be a pattern: ${caught.message}` });
  }
  if (Charset.of(config.encoding) === undefined) {
    issues.push({
      path: ["encoding"],
      message: `encoding must be one that lines can be read in, found ${JSON.stringify(config.encoding)}`,
      hint: "For example utf-8, utf-16le, utf-16be, latin1, windows-1252, iso-8859-15, shift_jis, gb18030.",
    });
  }
  if (config.compression !== "none" && config.on_eof !== "stop") {
    issues.push({
      path: ["compression"],
      message: `compression: ${config.compression} requires on_eof: stop: a compressed file cannot be followed`,
    });
  }
  return [...issues, ...checkPattern(config)];
}

function checkPattern({ multiline }: FileConfig): readonly PluginIssue[] {
  if (multiline === undefined) return [];
  const path = ["multiline", "pattern"];
  try {
    compilePattern(multiline.pattern);
  } catch (caught) {
    const { pattern } = multiline;
    const message = `multiline.pattern must be a regular expression (${regexpReason(caught)}), found ${
      foundValue(pattern)
    }`;
    return [{ path, message }];
  }
  const trouble = repetitionTrouble(multiline.pattern);
  if (trouble === undefined) return [];
  return [{
    path,
    message: `multiline.pattern could take exponential time on some lines: ${trouble}`,
    hint: "Most patterns need only tell how a line begins, such as ^\\d{4}-\\d{2}-\\d{2}.",
  }];
}

function needsOf(config: FileConfig, context: CheckContext): Needs {
  const read = rootsOf(config, context);
  return { read: [...new Set(read)], ...(config.host === undefined ? { sys: ["hostname"] } : {}) };
}

/**
 * The folders, or the file, that must be readable, and where links among them lead now. A pattern that cannot be read
 * needs nothing: `check` refuses it.
 */
function rootsOf(config: FileConfig, context: CheckContext): string[] {
  try {
    const globs = parseGlobs(config.path, context.directory);
    return [...globs.map((glob) => glob.root), ...linkTargetFolders(globs)];
  } catch (caught) {
    if (caught instanceof GlobError) return [];
    throw caught;
  }
}

/** What an instance works with, from `init` on. */
interface Life {
  readonly positions: Positions;
  readonly isResumed: boolean;
}

class FileSource implements Source {
  readonly #config: FileConfig;
  readonly #context: PluginContext;
  #life: Life | undefined;
  #roster: FileRoster | undefined;

  constructor(config: FileConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
  }

  init(state: Uint8Array | undefined): void {
    this.#life = { positions: new Positions(state), isResumed: state !== undefined };
  }

  run(emit: Emit, signal: AbortSignal): Promise<void> {
    return this.#config.on_eof === "stop" ? this.pull(emit, signal) : this.#work(emit, signal, "tail");
  }

  pull(emit: Emit, signal: AbortSignal): Promise<void> {
    return this.#work(emit, signal, "once");
  }

  commit(throughSrcSeq: number): Uint8Array | undefined {
    return this.#life?.positions.commit(throughSrcSeq);
  }

  close(): void {
    this.#roster?.open[Symbol.dispose]();
  }

  async #work(emit: Emit, signal: AbortSignal, mode: "tail" | "once"): Promise<void> {
    const life = this.#life;
    if (life === undefined) throw new EventboatError("internal", "the file source was run before init");
    const config = this.#config;
    const context = this.#context;
    const group = groupRule(config, context);
    const messagesMax = Math.max(1, Math.min(SEGMENT_MESSAGES_MAX, context.batchMessagesMax));
    const rules = { lineBytesMax: config.max_line_bytes, oversize: config.oversize, messagesMax, group };
    const pump = new FilePump(rules, life.positions, patientEmit(emit, context, signal), context);
    const globs = parseGlobs(config.path, context.directory);
    const options = {
      config,
      host: config.host ?? Deno.hostname(),
      charset: new Charset(config.encoding),
      isResumed: life.isResumed,
      isPatient: mode === "tail",
      isNamed: isPlainPath(globs),
    };
    const roster = this.#roster = new FileRoster(options, pump, context);
    const parts = { config, globs, pump, roster, context, groupTimeoutMs: group?.timeoutMs };
    const work = mode === "tail" ? new FileTail(parts) : new FileReading(parts);
    try {
      await work.run(signal);
    } catch (caught) {
      // What is still under way belongs to this source, and its refusal came before whatever else went wrong.
      const refusal = await pump.window.settle().then(() => undefined, (error: EventboatError) => error);
      const failure = refusal ?? this.#failure(caught);
      if (failure.code !== "shutdown") throw failure;
    }
  }

  #failure(caught: unknown): EventboatError {
    const { node } = this.#context;
    if (!(caught instanceof FileReadError)) return EventboatError.from(caught, "source_failed", { node });
    const code = caught.isDenied ? "permission" : "source_failed";
    return new EventboatError(code, caught.message, { cause: caught, node });
  }
}

/** Lines are joined as the block says, else as the decoder does. */
function groupRule({ multiline }: FileConfig, { framing }: PluginContext): LineGroupRule | undefined {
  if (multiline !== undefined) return new GroupRule(multiline);
  return framing === undefined ? undefined : new FramingRule(framing);
}
