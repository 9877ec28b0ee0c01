/** Owns what a supervisor and the process it hosts a pipeline in say to each other. */

import type { Data } from "../base/mod.ts";
import type { PipelineDocument, RuntimeDocument } from "../config/mod.ts";
import type { ErrorRecord } from "../diagnostics/mod.ts";
import type { Outcome } from "../engine/mod.ts";
import type { LaneGrant } from "../plan/mod.ts";
import type { Needs } from "../plugin/mod.ts";
import type { ReplayRequest } from "../replay/mod.ts";
import type { FromPipeline } from "./protocol.ts";

/** Supervisor to hosting process, on its standard input. The input's end means that the supervisor is gone: stop. */
export type ToProcess =
  | {
    readonly kind: "run";
    readonly document: PipelineDocument;
    readonly needs: Needs;
    readonly lanes: readonly LaneGrant[];
    readonly runtime: RuntimeDocument;
    readonly parameters: { readonly [name: string]: Data };
    readonly runId?: string;
    readonly replay?: ReplayRequest;
  }
  | { readonly kind: "stop" };

/** Hosting process to supervisor, on its standard output. `refused`: it could not begin. */
export type FromProcess =
  | Exclude<FromPipeline, { readonly kind: "ended" | "open_lane" | "drop_lane" }>
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly error: ErrorRecord };
