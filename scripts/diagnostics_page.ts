/** Owns the list of diagnostic codes for docs/diagnostics.md. */

import { DIAGNOSTIC_CODES } from "../src/diagnostics/mod.ts";
import { markdownTable } from "./generated_parts.ts";

/** Every code with its severity and what raises it, in the catalogue's order. */
export function diagnosticsTable(): string {
  return markdownTable(
    ["code", "severity", "raised when"],
    Object.entries(DIAGNOSTIC_CODES).map(([code, { severity, summary }]) => [`\`${code}\``, severity, summary]),
  );
}
