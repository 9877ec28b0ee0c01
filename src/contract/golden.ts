/** Owns golden files: what is compared with them whole, and the writing of them anew. */

import { dirname } from "node:path";
import { exactJson } from "../base/mod.ts";
import { EventboatError, reasonOf } from "../diagnostics/mod.ts";
import type { Plan } from "../plan/mod.ts";
import { joinedLines } from "../plugin/mod.ts";
import type { Capture } from "./captured_sinks.ts";
import type { Difference } from "./report.ts";
import type { CaseRecord } from "./run_case.ts";
import { plainValue, valueText } from "./value_match.ts";

/** A golden file of a case: where it is, and what is in it now. */
export interface GoldenFile {
  /** As the suite names it. */
  readonly shown: string;
  /** Absolute. */
  readonly path: string;
  /** Undefined where it is not there. */
  readonly bytes: Uint8Array | undefined;
}

const NEWLINE = 0x0a;
const NEW_HINT = "write it with --update-golden, and look at it before you keep it";
const CHANGED_HINT = "if this is right, write it anew with --update-golden";

/** What a sink would have written: its head, then a line a message. */
export function captureBytes({ messages, head }: Capture): Uint8Array<ArrayBuffer> {
  const lines = joinedLines(messages.map(({ bytes }) => bytes));
  if (head === undefined) return lines;
  const whole = new Uint8Array(head.length + lines.length);
  whole.set(head);
  whole.set(lines, head.length);
  return whole;
}

/** Everything that came of a case, as JSON. */
export function outcomeBytes(plan: Plan, { captured, deadLetters, outcome }: CaseRecord): Uint8Array<ArrayBuffer> {
  const sinks = plan.nodes.filter(({ kind }) => kind === "sink").map(({ name }) => {
    const messages = captured.of(name).messages.map(({ payload, meta }) => plainValue({ payload, meta }));
    return [name, messages];
  });
  const letters = deadLetters.map(({ node, edge, class: letterClass, reason }) => ({
    node,
    ...(edge === "" ? {} : { edge }),
    class: letterClass,
    reason,
  }));
  const whole = { sinks: Object.fromEntries(sinks), dead_letters: letters, filtered: outcome.counts.filtered };
  return new TextEncoder().encode(`${exactJson(whole, 2)}\n`);
}

/** In what a golden file differs from what came, told by the first line that does. */
export function judgeGolden(where: string, golden: GoldenFile, found: Uint8Array): readonly Difference[] {
  const at = `${where}, golden file "${golden.shown}"`;
  if (golden.bytes === undefined) {
    return [{ where: at, expected: "the file", found: "no such file", note: NEW_HINT }];
  }
  const [expectedLines, foundLines] = [linesOf(golden.bytes), linesOf(found)];
  const count = Math.max(expectedLines.length, foundLines.length);
  for (let index = 0; index < count; index++) {
    const [expected, one] = [expectedLines[index], foundLines[index]];
    if (expected !== undefined && one !== undefined && isEqual(expected, one)) continue;
    const lines = expectedLines.length === foundLines.length
      ? ""
      : ` The file has ${expectedLines.length} lines, ${foundLines.length} came.`;
    return [{
      where: `${at}, line ${index + 1}`,
      expected: expected === undefined ? "the end" : valueText(expected),
      found: one === undefined ? "the end" : valueText(one),
      note: `${CHANGED_HINT}.${lines}`,
    }];
  }
  return [];
}

/** Writes a golden file. @throws {EventboatError} `io` */
export async function writeGolden({ path, shown }: GoldenFile, bytes: Uint8Array): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeFile(path, bytes);
  } catch (caught) {
    throw new EventboatError("io", `cannot write the golden file "${shown}": ${reasonOf(caught)}`, { cause: caught });
  }
}

/** Whether two buffers hold the same. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The lines of a file; what stands behind the last newline is one more where there is anything. */
function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}
