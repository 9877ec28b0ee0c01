/** Owns the collecting of diagnostics: everything found about a document, in document order. */

import { DIAGNOSTIC_CODES, type DiagnosticCode } from "./codes.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Span } from "./span.ts";

/** What a finding may carry beside its code, place and message. */
export interface FindingOptions {
  readonly hint?: string;
  readonly node?: string;
}

/** Most findings that are kept: what more is wrong shows once these are cured. */
const FINDINGS_MAX = 1_000;

/** Collects findings; loaders and passes report and go on, so that all findings of a document come at once. */
export class DiagnosticBag {
  readonly #found: Diagnostic[] = [];
  readonly #seen = new Set<string>();
  /** An error was found that is not kept. */
  #errorBeyond = false;

  /** Records one finding. The severity is the catalogue's. */
  report(code: DiagnosticCode, span: Span, message: string, options: FindingOptions = {}): void {
    this.#keep({
      severity: DIAGNOSTIC_CODES[code].severity,
      code,
      file: span.file,
      line: span.line,
      column: span.column,
      message,
      ...(options.hint === undefined ? {} : { hint: options.hint }),
      ...(options.node === undefined ? {} : { node: options.node }),
    });
  }

  /** Adds findings made elsewhere. */
  add(diagnostics: Iterable<Diagnostic>): void {
    for (const diagnostic of diagnostics) this.#keep(diagnostic);
  }

  /** Keeps a finding once: what an anchor brings in at several places is still one mistake at one place. */
  #keep(diagnostic: Diagnostic): void {
    if (this.#found.length >= FINDINGS_MAX) {
      this.#errorBeyond ||= diagnostic.severity === "error";
      return;
    }
    const { code, file, line, column, message } = diagnostic;
    const identity = JSON.stringify([code, file, line, column, message]);
    if (this.#seen.has(identity)) return;
    this.#seen.add(identity);
    this.#found.push(diagnostic);
  }

  /** Whether an error was found; warnings do not count. */
  get hasErrors(): boolean {
    return this.#errorBeyond || this.#found.some((diagnostic) => diagnostic.severity === "error");
  }

  /** All findings: files in the order they were first mentioned, then line, then column, then order of report. */
  list(): readonly Diagnostic[] {
    const files = new Map<string, number>();
    for (const { file } of this.#found) if (!files.has(file)) files.set(file, files.size);
    const rank = (diagnostic: Diagnostic) => files.get(diagnostic.file) ?? 0;
    return [...this.#found].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  }
}
