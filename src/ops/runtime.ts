/** Owns which Runtime document holds: the one named, the one that lies here, or none; and what overrides it. */

import { readRuntime, RUNTIME_FILE, type RuntimeDocument } from "../config/mod.ts";
import { countFindings } from "../diagnostics/mod.ts";
import type { OperationContext } from "./operation.ts";
import type { VerifyAnswer } from "./verify_operation.ts";

/** What a caller says about the installation. */
export interface RuntimeChoice {
  readonly runtime?: string;
  readonly data_dir?: string;
  readonly ephemeral?: boolean;
}

/** The Runtime document that holds, or what is wrong with the one that was to hold. */
export type OpenedRuntime =
  | { readonly kind: "opened"; readonly runtime: RuntimeDocument }
  | { readonly kind: "refused"; readonly verdict: VerifyAnswer };

/** Reads the Runtime document and lets the caller's own words win. */
export function openRuntime(choice: RuntimeChoice, context: OperationContext): OpenedRuntime {
  const named = choice.runtime === undefined ? {} : { file: choice.runtime };
  const { document, diagnostics } = readRuntime({ env: context.env, ...named });
  if (document === undefined) {
    const file = choice.runtime ?? RUNTIME_FILE;
    const verdict = { ok: false, file, ...countFindings(diagnostics), diagnostics, permissions: {} };
    return { kind: "refused", verdict };
  }
  const { storage } = document;
  const dataDir = choice.data_dir ?? storage.dataDir;
  const ephemeral = choice.ephemeral ?? storage.ephemeral;
  return { kind: "opened", runtime: { ...document, storage: { ...storage, dataDir, ephemeral } } };
}
