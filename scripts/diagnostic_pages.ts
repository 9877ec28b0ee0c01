/** Owns the reference page of each diagnostic code: docs/diagnostics/<code>.md, whose examples are tests. */

import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../src/diagnostics/mod.ts";
import { markdownTable } from "./generated_parts.ts";

/** Codes without a page: nothing can raise them yet, since what they are about is missing. It may only shrink. */
export const CODES_WITHOUT_PAGE: ReadonlyMap<DiagnosticCode, string> = new Map([
  ["expr_wasm_compile", "the wasm transform is not part of this version"],
  ["wasm_no_kill_switch", "the wasm transform is not part of this version"],
  ["plugin_not_allowed", "deploying is not part of this version"],
]);

/** One part of a page: what is written there and the files of its examples. */
export interface PagePart {
  readonly files: ReadonlyMap<string, string>;
}

/** The two examples of a page. */
export interface DiagnosticPage {
  readonly raises: PagePart;
  readonly cure: PagePart;
}

const FENCE_REGEXP = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm;

/** Every code that has a page. */
export function codesWithPage(): DiagnosticCode[] {
  return (Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[]).filter((code) => !CODES_WITHOUT_PAGE.has(code));
}

/** The path of a code's page from the project's root. */
export function pagePath(code: DiagnosticCode): string {
  return `docs/diagnostics/${code}.md`;
}

/**
 * Reads the examples of a page: fenced blocks that name a file, below `## Raises it` and below `## Cure`.
 * @throws {Error} when a heading is missing
 */
export function readPage(text: string): DiagnosticPage {
  const raisesAt = text.indexOf("\n## Raises it\n");
  const cureAt = text.indexOf("\n## Cure\n");
  if (raisesAt < 0 || cureAt < raisesAt) throw new Error('a page has "## Raises it" and then "## Cure"');
  return { raises: readPart(text.slice(raisesAt, cureAt)), cure: readPart(text.slice(cureAt)) };
}

/** What the page of a code says first: how grave it is and what raises it. */
export function pageSummary(code: DiagnosticCode): string {
  const { severity, summary } = DIAGNOSTIC_CODES[code];
  return `**${severity}**: ${summary} [All codes](../diagnostics.md#codes)`;
}

/** Every code with its severity and what raises it, in the catalogue's order, linked to its page or said to be early. */
export function diagnosticsTable(): string {
  const rows = (Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[]).map((code) => {
    const { severity, summary } = DIAGNOSTIC_CODES[code];
    const missing = CODES_WITHOUT_PAGE.get(code);
    if (missing !== undefined) return [`\`${code}\``, severity, `${summary} *Not raised yet: ${missing}.*`];
    return [`[\`${code}\`](diagnostics/${code}.md)`, severity, summary];
  });
  return markdownTable(["code", "severity", "raised when"], rows);
}

function readPart(text: string): PagePart {
  return { files: new Map([...text.matchAll(FENCE_REGEXP)].map(([, name = "", body = ""]) => [name, body])) };
}
