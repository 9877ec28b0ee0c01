/** Owns the diagnostic record: one finding about what a user wrote, as data. */

import type { DiagnosticCode } from "./codes.ts";

/** `error` fails verify; `warning` fails it only under `--strict`. */
export type Severity = "error" | "warning";

/** One finding. Printed and serialised in this field order; every surface shows the same object. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
  /** The node the finding is about, when it is about one. */
  readonly node?: string;
}
