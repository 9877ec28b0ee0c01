/** Owns the way to the dead letters of the pipeline in a file, beside whoever runs it. */

import type { Static } from "typebox";
import type { PipelineDocument } from "../../config/mod.ts";
import { EventboatError, renderDiagnosticInline } from "../../diagnostics/mod.ts";
import { optional } from "../../schema/mod.ts";
import { storePath, StoreReader } from "../../store/mod.ts";
import { verifyFile } from "../../verify/mod.ts";
import { configField, dataDirField, overlaysField, runtimeField } from "../fields.ts";
import type { OperationContext } from "../operation.ts";
import { openRuntime } from "../runtime.ts";
import { verifyOptions } from "../verify_operation.ts";
import { LetterViewer } from "./letter_view.ts";

/** Which pipeline. */
export const pipelineFields = {
  config: configField,
  overlays: overlaysField,
  data_dir: optional(dataDirField),
  runtime: optional(runtimeField),
};

/** What {@linkcode pipelineFields} give. */
export interface LetterStoreChoice {
  readonly config: Static<typeof configField>;
  readonly overlays: readonly string[];
  readonly data_dir?: string;
  readonly runtime?: string;
}

/** A pipeline's dead letters, open for reading. */
export interface LetterStore extends Disposable {
  readonly pipeline: string;
  readonly reader: StoreReader;
  readonly viewer: LetterViewer;
}

/**
 * Opens the store read-only; a pipeline that does not pass verification any more still has its letters.
 * @throws {EventboatError} `config_invalid` when the file cannot be read as a pipeline, else what opening a store throws.
 */
export function openLetters(choice: LetterStoreChoice, context: OperationContext): LetterStore {
  const opened = openRuntime(choice, context);
  if (opened.kind === "refused") {
    const findings = opened.verdict.diagnostics.map(renderDiagnosticInline).join("; ");
    throw new EventboatError("config_invalid", `the Runtime document is not right: ${findings}`);
  }
  const document = loadDocument(choice, context);
  const viewer = new LetterViewer(document, context.registry);
  const reader = new StoreReader(storePath(opened.runtime.storage.dataDir, document.name));
  return { pipeline: document.name, viewer, reader, [Symbol.dispose]: () => reader[Symbol.dispose]() };
}

function loadDocument(choice: LetterStoreChoice, context: OperationContext): PipelineDocument {
  const { document, diagnostics } = verifyFile(verifyOptions(choice, context));
  if (document !== undefined) return document;
  const [first] = diagnostics;
  const why = first === undefined ? "" : `: ${renderDiagnosticInline(first)}`;
  throw new EventboatError("config_invalid", `cannot read the pipeline ${JSON.stringify(choice.config)}${why}`, {
    hint: `eventboat verify --config ${choice.config} says all that is wrong with it`,
  });
}
