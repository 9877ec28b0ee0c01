/** Owns the loading of a pipeline document: from texts to a typed document with places, and all that is wrong. */

import { type Diagnostic, DiagnosticBag } from "../diagnostics/mod.ts";
import { didYouMeanOneOf } from "../base/mod.ts";
import { EXTENSION_PREFIX, TOP_LEVEL_KEYS } from "../schema/mod.ts";
import { ConstantSubstitution } from "./constants.ts";
import type { PipelineDocument } from "./document.ts";
import { mergeOverlay } from "./overlay.ts";
import { readCodecs } from "./shape/codecs.ts";
import { readEdgeDefaults } from "./shape/edge_attributes.ts";
import type { ReadFile } from "./shape/external.ts";
import { readHooks } from "./shape/hooks.ts";
import { checkHead, readMetadata } from "./shape/metadata.ts";
import { readNodes } from "./shape/nodes.ts";
import { readParameters } from "./shape/parameters.ts";
import { readRun, runMode } from "./shape/run.ts";
import { readDeadLetterRetention, readLimits, readTelemetry } from "./shape/settings.ts";
import { documentPlaces } from "./span_table.ts";
import { type Environment, EnvironmentSubstitution } from "./substitution.ts";
import { type MappingTree, treeData } from "./tree.ts";
import { ValueReader } from "./value_reader.ts";
import type { SourceText } from "./yaml_text.ts";
import { readTree } from "./yaml_tree.ts";

/** What a pipeline is loaded from. Nothing else is looked at: the same input gives the same answer. */
export interface PipelineInput extends SourceText {
  /** Absolute folder that relative paths of the document are read from. */
  readonly directory: string;
  /** Merged onto the document, in this order. Default: none. */
  readonly overlays?: readonly SourceText[];
  /** The environment that `${VAR}` is read from. */
  readonly env: Environment;
  /** Reads manifests of external plugins, by absolute path; throws where it cannot. */
  readonly readFile: ReadFile;
  /** Names of registered codecs, which no named codec may have. Default: none. */
  readonly codecNames?: readonly string[];
}

/** What loading gives. */
export interface LoadedPipeline {
  /**
   * The document. Where there are errors it is as complete as it can be (`brokenNodes` names the nodes that are left
   * out), so that the passes after this one find what else is wrong; it is undefined where no shape can be seen.
   */
  readonly document?: PipelineDocument;
  /** Everything that was found, in document order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads a pipeline from texts. */
export function loadPipeline(input: PipelineInput): LoadedPipeline {
  const bag = new DiagnosticBag();
  const merged = mergedTree(input, bag);
  if (merged === undefined) return { diagnostics: bag.list() };
  const root = new EnvironmentSubstitution(input.env, bag).mapping(merged);
  const mode = runMode(root);
  // Where the mode is unknown, parameters get the benefit of the doubt.
  const constants = new ConstantSubstitution(bag, mode === "job" || mode === undefined, root);
  const resolved = constants.document(root);
  const document = shapedDocument(resolved, constants.used, input, bag);
  return { document, diagnostics: bag.list() };
}

/** Base and overlays in one tree, without the keys that are left alone. */
function mergedTree(input: PipelineInput, bag: DiagnosticBag): MappingTree | undefined {
  const base = readTree(input, bag);
  const overlays = (input.overlays ?? []).map((overlay) => readTree(overlay, bag));
  if (base === undefined || overlays.includes(undefined)) return undefined;
  let merged = base;
  for (const overlay of overlays) {
    if (overlay !== undefined) merged = mergeOverlay(merged, overlay, bag);
  }
  const entries = [...merged.entries].filter(([name]) => !name.startsWith(EXTENSION_PREFIX));
  return { ...merged, entries: new Map(entries) };
}

function shapedDocument(
  root: MappingTree,
  constantsUsed: readonly string[],
  input: PipelineInput,
  bag: DiagnosticBag,
): PipelineDocument {
  const reader = new ValueReader(bag);
  checkTopLevel(root, reader);
  checkHead(root, "Pipeline", reader);
  const metadata = readMetadata(root, reader);
  const defaults = readEdgeDefaults(root, reader);
  const { nodes, broken, unread } = readNodes(root, {
    bag,
    defaults,
    directory: input.directory,
    readFile: input.readFile,
  });
  const deadLetterRetentionMs = readDeadLetterRetention(root, reader);
  const constants = reader.field(root, "constants", (tree) => reader.mapping(tree, "cfg_section_type", "constants"));
  return {
    file: input.file,
    directory: input.directory,
    ...metadata,
    run: readRun(root, reader),
    parameters: readParameters(root, reader),
    constants: constants === undefined ? {} : treeData(constants) as PipelineDocument["constants"],
    hooks: readHooks(root, reader),
    limits: readLimits(root, reader),
    codecs: readCodecs(root, input.codecNames ?? [], reader),
    ...(deadLetterRetentionMs === undefined ? {} : { deadLetterRetentionMs }),
    telemetry: readTelemetry(root, reader),
    nodes,
    brokenNodes: broken,
    unread,
    constantsUsed,
    ...documentPlaces(root),
  };
}

function checkTopLevel(root: MappingTree, reader: ValueReader): void {
  const known = Object.keys(TOP_LEVEL_KEYS);
  for (const [name, { key }] of root.entries) {
    if (Object.hasOwn(TOP_LEVEL_KEYS, name)) continue;
    const hint = didYouMeanOneOf(name, known);
    reader.report("cfg_unknown_top_section", key, `unknown top-level key "${name}"`, hint);
  }
}
