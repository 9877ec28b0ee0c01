/** Owns the one way to judge a pipeline file: load, build, verdict. Every surface that runs a pipeline goes this way. */

import {
  type Environment,
  type LoadedPipeline,
  loadPipeline,
  type PipelineDocument,
  type PipelineInput,
  type ReadFile,
  readPipeline,
} from "../config/mod.ts";
import { countFindings, type Diagnostic, DiagnosticBag } from "../diagnostics/mod.ts";
import { buildPlan, type Plan } from "../plan/mod.ts";
import type { Needs, Registry } from "../plugin/mod.ts";

/** How a pipeline is judged. */
export interface JudgeOptions {
  readonly registry: Registry;
  /** Let warnings fail the verdict too. Default false. */
  readonly strict?: boolean;
}

/** What is judged, and how. */
export interface VerifyOptions extends JudgeOptions {
  /** The document, as the user named it; findings are shown under this name. */
  readonly file: string;
  /** Overlays, in order. Default: none. */
  readonly overlays?: readonly string[];
  /** The environment that `${VAR}` is read from. Default: the process's. */
  readonly env?: Environment;
  /** Reads files by absolute path. Default: the disk. */
  readonly readFile?: ReadFile;
}

/** The verdict on a pipeline. */
export interface Verdict {
  /** No error was found, and with `strict` no warning. */
  readonly ok: boolean;
  readonly file: string;
  readonly errors: number;
  readonly warnings: number;
  /** Everything that was found, in document order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The permissions the pipeline needs; empty where there is no plan. */
  readonly permissions: Needs;
  /** The document as far as it could be read. */
  readonly document?: PipelineDocument;
  /** Present where no error was found. */
  readonly plan?: Plan;
}

/** Judges a file with its overlays. Nothing is started; plugins may read the files their blocks name. */
export function verifyFile(options: VerifyOptions): Verdict {
  const { file, overlays, env, readFile, registry } = options;
  const loaded = readPipeline({
    file,
    codecNames: codecNames(registry),
    ...(overlays === undefined ? {} : { overlays }),
    ...(env === undefined ? {} : { env }),
    ...(readFile === undefined ? {} : { readFile }),
  });
  return judge([file, ...(overlays ?? [])], loaded, options);
}

/** Judges a document that is no file, such as one that was sent. */
export function verifyText(input: Omit<PipelineInput, "codecNames">, options: JudgeOptions): Verdict {
  const files = [input.file, ...(input.overlays ?? []).map((overlay) => overlay.file)];
  return judge(files, loadPipeline({ ...input, codecNames: codecNames(options.registry) }), options);
}

/** `files`: the document, then its overlays. */
function judge(files: readonly string[], { document, diagnostics }: LoadedPipeline, options: JudgeOptions): Verdict {
  const bag = new DiagnosticBag();
  bag.add(diagnostics);
  const built = document === undefined ? undefined : buildPlan(document, options.registry);
  bag.add(built?.diagnostics ?? []);
  // The bag keeps files in the order they were first mentioned; a reader wants them in the order they were named.
  const all = [...bag.list()].sort((a, b) => rank(files, a.file) - rank(files, b.file));
  const { errors, warnings } = countFindings(all);
  // A plan of a document that did not load whole is a plan of something else.
  const plan = errors === 0 ? built?.plan : undefined;
  return {
    // Without a plan nothing may pass, also where the error is one of more findings than are listed.
    ok: plan !== undefined && (options.strict !== true || warnings === 0),
    file: files[0] ?? "",
    errors,
    warnings,
    diagnostics: all,
    permissions: plan?.needs ?? {},
    ...(document === undefined ? {} : { document }),
    ...(plan === undefined ? {} : { plan }),
  };
}

/** Other files, such as manifests, come behind those that were named. */
function rank(files: readonly string[], file: string): number {
  const index = files.indexOf(file);
  return index === -1 ? files.length : index;
}

function codecNames(registry: Registry): readonly string[] {
  return registry.list("codec").map((codec) => codec.name);
}
