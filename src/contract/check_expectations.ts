/** Owns the checks of what a case expects, before anything runs: nodes, paths, patterns, counts. */

import { type Data, didYouMean, didYouMeanOneOf, regexpReason } from "../base/mod.ts";
import type { DocumentPath } from "../config/mod.ts";
import type { DiagnosticBag } from "../diagnostics/mod.ts";
import type { Plan } from "../plan/mod.ts";
import { MESSAGE_PARTS, partOf } from "./message_path.ts";
import type { Placed, Suite, SuiteCase } from "./suite.ts";
import type { CaptureText } from "./suite_schema.ts";
import { patternOf } from "./value_match.ts";

/** Checks what can be checked without the pipeline. */
export function checkExpectations({ captures }: SuiteCase, suite: Suite, bag: DiagnosticBag): void {
  for (const capture of captures) checkCapture(capture, suite, bag);
}

function checkCapture(
  { value: { at, count, messages, golden }, path }: Placed<CaptureText>,
  suite: Suite,
  bag: DiagnosticBag,
) {
  if (count === undefined && messages === undefined && golden === undefined) {
    const message = `nothing is expected of the sink "${at}"`;
    bag.report("suite_expectation", suite.span(path), message, { hint: "say count, messages or golden" });
  }
  if (count !== undefined && messages !== undefined && messages.length > count) {
    const message = `${messages.length} messages are listed, and count is ${count}`;
    bag.report("suite_expectation", suite.span([...path, "count"]), message);
  }
  for (const [index, message] of (messages ?? []).entries()) {
    for (const [key, value] of Object.entries(message)) {
      const place = [...path, "messages", index, key];
      if (partOf(key) === undefined) reportPart(key, place, suite, bag);
      checkPatterns(value, place, suite, bag);
    }
  }
}

function reportPart(key: string, path: DocumentPath, suite: Suite, bag: DiagnosticBag): void {
  const [first = ""] = key.split(".", 1);
  const meant = didYouMean(first, MESSAGE_PARTS) ?? `did you mean "payload.${key}"?`;
  const message = `the path "${key}" must begin with one of ${MESSAGE_PARTS.join(", ")}`;
  bag.report("suite_expectation", suite.keySpan(path), message, { hint: meant });
}

function checkPatterns(value: Data, path: DocumentPath, suite: Suite, bag: DiagnosticBag): void {
  const pattern = patternOf(value);
  if (pattern !== undefined) {
    try {
      new RegExp(pattern, "u");
    } catch (caught) {
      const message = `the pattern ${pattern} is no regular expression: ${regexpReason(caught)}`;
      bag.report("suite_expectation", suite.span([...path, "matches"]), message);
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const entries: readonly (readonly [string | number, Data])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, one] of entries) checkPatterns(one, [...path, key], suite, bag);
}

/** Checks that what a case looks at is there. */
export function checkNodes({ captures, deadLetters }: SuiteCase, plan: Plan, suite: Suite, bag: DiagnosticBag): void {
  const sinks = plan.nodes.filter(({ kind }) => kind === "sink").map(({ name }) => name);
  const nodes = plan.nodes.map(({ name }) => name);
  for (const { value: { at }, path } of captures) {
    if (sinks.includes(at)) continue;
    const what = nodes.includes(at) ? `"${at}" is no sink` : `the pipeline "${plan.name}" has no sink "${at}"`;
    const message = `${what}: only what sinks get is captured`;
    bag.report("suite_node", suite.span([...path, "at"]), message, { hint: didYouMeanOneOf(at, sinks) });
  }
  for (const { value: { node }, path } of deadLetters ?? []) {
    if (node === undefined || nodes.includes(node)) continue;
    const message = `the pipeline "${plan.name}" has no node "${node}" that could fail`;
    bag.report("suite_node", suite.span([...path, "node"]), message, { hint: didYouMeanOneOf(node, nodes) });
  }
}
