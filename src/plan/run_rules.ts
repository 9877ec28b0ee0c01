/** Owns the rules of how a pipeline runs: what a job may have, what a run that is to end needs. */

import { didYouMeanOneOf, parseCron } from "../base/mod.ts";
import type { ParameterReference } from "../config/mod.ts";
import { compileRedactPattern } from "./redaction.ts";
import type { ResolutionScope, ResolvedNode } from "./resolution.ts";

/** Reports what is wrong with the way the document wants to be run. */
export function judgeRun(scope: ResolutionScope, nodes: readonly ResolvedNode[]): void {
  const { mode } = scope.document.run;
  if (mode === "job") judgeJob(scope, nodes);
  if (mode !== "continuous") judgeEnd(scope, nodes);
  judgeRedaction(scope);
}

function judgeJob(scope: ResolutionScope, nodes: readonly ResolvedNode[]): void {
  const { document, places, bag } = scope;
  const { schedule, timezone, historyRetentionMs } = document.run;
  const parsed = schedule === undefined ? undefined : parseCron(schedule, timezone);
  for (const { part, message, hint } of parsed?.ok === false ? parsed.problems : []) {
    // An unknown time zone was the loader's to report.
    if (part === "timezone") continue;
    bag.report("job_bad_schedule", places.value(["run", "schedule"]), `run.schedule ${message}`, { hint });
  }
  if (historyRetentionMs === undefined) {
    const message = "the job's run records are kept for ever: run.retention.history is not set";
    bag.report("run_retention_unset", places.key(["run"]), message, { hint: "such as retention: {history: 90d}" });
  }
  const sources = nodes.filter((node) => node.kind === "source");
  for (const { node, plugin } of sources) {
    if (plugin.capabilities.includes("pull")) continue;
    const message = `a job reads until its source is exhausted, but source plugin "${plugin.name}" has no end`;
    const hint = "use a source with the capability pull, or run.mode: continuous";
    bag.report("job_source_not_pull", places.key(node.path), message, { hint, node: node.name });
  }
  const pulls = sources.filter(({ plugin }) => plugin.capabilities.includes("pull"));
  const [first, second] = pulls;
  if (first !== undefined && second !== undefined) {
    const message =
      `the job has ${pulls.length} pull sources, and cursor means the watermark of "${first.node.name}", ` +
      "the first in the document, for all of them";
    const hint = "give each source a job of its own if their watermarks differ";
    bag.report("job_multiple_pull_sources", places.key(second.node.nodePath), message, {
      hint,
      node: second.node.name,
    });
  }
  for (const reference of document.parameterReferences) judgeReference(scope, reference);
}

function judgeReference(
  { document, places, bag }: ResolutionScope,
  { pointer, start, name }: ParameterReference,
): void {
  const known = document.parameters.map((parameter) => parameter.name);
  if (known.includes(name)) return;
  const hint = didYouMeanOneOf(name, known);
  const message = "${parameters." + name + "} names a parameter that the document does not declare";
  bag.report("job_parameter_unknown", places.inPointer(pointer, start), message, { hint });
}

/** Warns of sources whose run never ends, in a pipeline that is to end. */
function judgeEnd(scope: ResolutionScope, nodes: readonly ResolvedNode[]): void {
  const { mode } = scope.document.run;
  for (const resolved of nodes) {
    if (resolved.kind !== "source") continue;
    const { node, plugin } = resolved;
    if (endsByItself(resolved)) continue;
    if (plugin.capabilities.includes("finite")) {
      const message = `this ${mode} run would never end: source "${node.name}" goes on waiting for more`;
      const hint = plugin.name === "file" ? "set on_eof: stop" : "configure the source so that its run ends";
      scope.bag.report("job_file_source_no_eof", scope.places.key(node.path), message, { hint, node: node.name });
    } else if (mode === "batch") {
      const message = `this batch run would never end: source plugin "${plugin.name}" has no end`;
      const hint = "use a source with the capability finite, or run.mode: continuous";
      scope.bag.report("batch_no_finite_source", scope.places.key(node.path), message, { hint, node: node.name });
    }
  }
}

/** Whether a source's run with this block ends by itself. */
export function endsByItself({ plugin, config }: ResolvedNode & { readonly kind: "source" }): boolean {
  return plugin.ends?.(config) ?? plugin.capabilities.includes("finite");
}

function judgeRedaction({ document, places, bag }: ResolutionScope): void {
  document.telemetry.redact.forEach((text, index) => {
    const compiled = compileRedactPattern(text);
    if (compiled.ok) return;
    const span = places.character(["telemetry", "redact", index], compiled.offset);
    bag.report("telemetry_redact_pattern", span, compiled.message, { hint: 'such as "payload.card.*"' });
  });
}
