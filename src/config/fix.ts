/** Owns the fixes that `verify --fix` makes: edits of the text in place, so that comments and layout stay. */

import { DiagnosticBag, type DiagnosticCode } from "../diagnostics/mod.ts";
import { API_VERSION, FORMER_API_VERSION } from "../schema/mod.ts";
import type { MappingTree } from "./tree.ts";
import { readTree } from "./yaml_tree.ts";

/** One edit. */
export interface Fix {
  /** The finding that it cures. */
  readonly code: DiagnosticCode;
  /** Where the text that was replaced stood. */
  readonly line: number;
  readonly column: number;
  /** What was replaced by what, as written. */
  readonly before: string;
  readonly after: string;
}

/** A text with its fixes made. */
export interface FixedPipeline {
  readonly text: string;
  /** In document order; empty where there was nothing to fix, or the text is no YAML. */
  readonly fixes: readonly Fix[];
}

const BYTE_ORDER_MARK = "\ufeff";

/** Rewrites `from` to `depends_on` and the former `apiVersion` to today's; nothing else of the text changes. */
export function fixPipeline(text: string): FixedPipeline {
  const root = readTree({ file: "", text }, new DiagnosticBag());
  if (root === undefined) return { text, fixes: [] };
  const lines = text.split("\n");
  const wanted = [...versionFixes(root), ...fromFixes(root)];
  const made = new Map<string, Fix>();
  for (const { line, column, ...words } of wanted) {
    const fix = writtenFix(lines, { line, column, ...words });
    // An anchor's node is found at each place that uses it, and edited once.
    if (fix !== undefined) made.set(`${line}:${column}`, fix);
  }
  const fixes = [...made.values()].sort((a, b) => a.line - b.line || a.column - b.column);
  for (const fix of fixes.toReversed()) applyFix(lines, fix);
  return { text: lines.join("\n"), fixes };
}

function* versionFixes(root: MappingTree): Iterable<Fix> {
  const version = root.entries.get("apiVersion")?.value;
  if (version?.kind !== "scalar" || version.value !== FORMER_API_VERSION) return;
  const { line, column } = version.span;
  yield { code: "cfg_api_version", line, column, before: FORMER_API_VERSION, after: API_VERSION };
}

function* fromFixes(root: MappingTree): Iterable<Fix> {
  for (const section of ["transforms", "sinks"]) {
    const nodes = root.entries.get(section)?.value;
    if (nodes?.kind !== "mapping") continue;
    for (const { value: node } of nodes.entries.values()) {
      if (node.kind !== "mapping" || node.entries.has("depends_on")) continue;
      const from = node.entries.get("from");
      if (from === undefined) continue;
      yield {
        code: "cfg_from_renamed",
        line: from.key.line,
        column: from.key.column,
        before: "from",
        after: "depends_on",
      };
    }
  }
}

/** The fix with the words as they are written, quotes included; undefined where they are written in another way. */
function writtenFix(lines: readonly string[], fix: Fix): Fix | undefined {
  const line = lines[fix.line - 1] ?? "";
  const start = fix.column - 1 + markWidth(lines, fix.line);
  for (const quote of ["", '"', "'"]) {
    const before = `${quote}${fix.before}${quote}`;
    if (line.startsWith(before, start)) return { ...fix, before, after: `${quote}${fix.after}${quote}` };
  }
  return undefined;
}

function applyFix(lines: string[], { line, column, before, after }: Fix): void {
  const old = lines[line - 1] ?? "";
  const start = column - 1 + markWidth(lines, line);
  lines[line - 1] = old.slice(0, start) + after + old.slice(start + before.length);
}

/** Columns do not count a byte order mark, and only the first line can have one. */
function markWidth(lines: readonly string[], line: number): number {
  return line === 1 && lines[0]?.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
}
