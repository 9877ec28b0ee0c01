/** Owns the small sections of limits, dead letters and telemetry. */

import { parseDuration } from "../../base/mod.ts";
import type { PipelineDocument } from "../document.ts";
import { DLQ_FIELDS, LIMITS_FIELDS, TELEMETRY_FIELDS } from "../../schema/mod.ts";
import type { MappingTree, Tree } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";

/** Reads `limits`, every default filled in. */
export function readLimits(root: MappingTree, reader: ValueReader): PipelineDocument["limits"] {
  const codes = { type: "cfg_limits_type", range: "cfg_limits_range" } as const;
  const limits = reader.field(root, "limits", (tree) => reader.mapping(tree, codes.type, "limits"));
  if (limits !== undefined) reader.unknownKeys(limits, LIMITS_FIELDS, "limits");
  const { max_in_flight, drain_timeout } = LIMITS_FIELDS;
  const maxInFlight = limits && reader.field(limits, "max_in_flight", (tree) => {
    return reader.integer(tree, codes, "limits.max_in_flight", max_in_flight.range);
  });
  const drainTimeoutMs = limits && reader.field(limits, "drain_timeout", (tree) => {
    return reader.durationMs(tree, codes, "limits.drain_timeout", drain_timeout.range);
  });
  return {
    maxInFlight: maxInFlight ?? max_in_flight.default,
    drainTimeoutMs: drainTimeoutMs ?? parseDuration(drain_timeout.default) ?? 0,
  };
}

/** Reads `dlq`: how long dead letters are kept, undefined for ever. */
export function readDeadLetterRetention(root: MappingTree, reader: ValueReader): number | undefined {
  const dlq = reader.field(root, "dlq", (tree) => reader.mapping(tree, "cfg_dlq_type", "dlq"));
  if (dlq === undefined) return undefined;
  reader.unknownKeys(dlq, DLQ_FIELDS, "dlq");
  return reader.field(dlq, "retention", (tree) => {
    const codes = { type: "cfg_dlq_retention", range: "cfg_dlq_retention" } as const;
    return reader.durationMs(tree, codes, "dlq.retention", DLQ_FIELDS.retention.range);
  });
}

/** Reads `telemetry`, every default filled in. */
export function readTelemetry(root: MappingTree, reader: ValueReader): PipelineDocument["telemetry"] {
  const telemetry = reader.field(root, "telemetry", (tree) => reader.mapping(tree, "cfg_telemetry_type", "telemetry"));
  if (telemetry !== undefined) reader.unknownKeys(telemetry, TELEMETRY_FIELDS, "telemetry");
  const redact = telemetry && reader.field(telemetry, "redact", (tree) => readPatterns(tree, reader));
  const spanSampleRate = telemetry && reader.field(telemetry, "span_sample_rate", (tree) => {
    const codes = { type: "cfg_telemetry_span_rate", range: "cfg_telemetry_span_rate" } as const;
    return reader.number(tree, codes, "telemetry.span_sample_rate", TELEMETRY_FIELDS.span_sample_rate.range);
  });
  return {
    redact: redact ?? TELEMETRY_FIELDS.redact.default,
    spanSampleRate: spanSampleRate ?? TELEMETRY_FIELDS.span_sample_rate.default,
  };
}

function readPatterns(tree: Tree, reader: ValueReader): readonly string[] | undefined {
  if (tree.kind !== "list") return reader.wrong("cfg_telemetry_redact", tree, "telemetry.redact", "a list of texts");
  const patterns = tree.items.map((item, index) => {
    return reader.text(item, "cfg_telemetry_redact", `telemetry.redact[${index}]`);
  });
  return patterns.filter((pattern) => pattern !== undefined);
}
