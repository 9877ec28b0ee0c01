/** Owns what `run` answers. */

import type { RunMode } from "../config/mod.ts";
import type { EngineCounts, Outcome } from "../engine/mod.ts";
import type { VerifyAnswer } from "./verify_operation.ts";

/** How a run ended. Plain data. */
export interface EndedRun extends Outcome {
  readonly pipeline: string;
  readonly mode: RunMode;
  readonly durationMs: number;
}

/** The answer of `run`. */
export type RunAnswer =
  | { readonly kind: "ended" } & EndedRun
  /** The file did not pass; nothing was started. */
  | { readonly kind: "refused"; readonly verdict: VerifyAnswer };

export type { EngineCounts };
