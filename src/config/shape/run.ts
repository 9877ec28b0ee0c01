/** Owns the `run` section. */

import { isTimeZone, timeZoneHint } from "../../base/mod.ts";
import type { RunMode, RunSettings } from "../document.ts";
import { RUN_FIELDS, RUN_RETENTION_FIELDS } from "../../schema/mod.ts";
import { isNull, type MappingTree, type Tree } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";

/** The mode of a document as far as it can be told; undefined where what is written is no mode. */
export function runMode(root: MappingTree): RunMode | undefined {
  const run = root.entries.get("run")?.value;
  if (run === undefined) return RUN_FIELDS.mode.default;
  if (run.kind !== "mapping") return undefined;
  const mode = run.entries.get("mode")?.value;
  if (mode === undefined) return RUN_FIELDS.mode.default;
  return mode.kind === "scalar" ? RUN_FIELDS.mode.words.find((word) => word === mode.value) : undefined;
}

/** Reads `run`, every default filled in. */
export function readRun(root: MappingTree, reader: ValueReader): RunSettings {
  const entry = root.entries.get("run");
  const run = entry === undefined ? undefined : reader.mapping(entry.value, "cfg_run_type", "run");
  if (run === undefined) return settings({});
  reader.unknownKeys(run, RUN_FIELDS, "run");
  const mode = reader.field(run, "mode", (tree) => {
    return reader.word(tree, RUN_FIELDS.mode.words, "cfg_run_mode", "run.mode");
  });
  const overlap = reader.field(run, "overlap", (tree) => {
    return reader.word(tree, RUN_FIELDS.overlap.words, "cfg_run_overlap", "run.overlap");
  });
  const catchupWindowMs = reader.field(run, "catchup_window", (tree) => {
    const codes = { type: "cfg_run_catchup", range: "cfg_run_catchup" } as const;
    return reader.durationMs(tree, codes, "run.catchup_window", RUN_FIELDS.catchup_window.range);
  });
  const skipIfSuccessful = reader.field(run, "skip_if_successful", (tree) => {
    return reader.flag(tree, "cfg_run_skip", "run.skip_if_successful");
  });
  const schedule = reader.field(run, "schedule", (tree) => reader.text(tree, "cfg_run_schedule", "run.schedule"));
  const timezone = reader.field(run, "timezone", (tree) => readTimezone(tree, reader));
  const historyRetentionMs = reader.field(run, "retention", (tree) => readRetention(tree, reader));
  checkJobOnly(run, root, reader);
  return settings({ mode, schedule, timezone, overlap, catchupWindowMs, skipIfSuccessful, historyRetentionMs });
}

/** A schedule, and the zone it is read in, mean nothing where no runs are started. */
function checkJobOnly(run: MappingTree, root: MappingTree, reader: ValueReader): void {
  const mode = runMode(root);
  // A mode that is wrong has its own finding; whether it was meant to be a job is not known.
  if (mode === undefined || mode === "job") return;
  const schedule = run.entries.get("schedule");
  if (schedule !== undefined) {
    reader.report("cfg_run_schedule", schedule.key, `run.schedule needs run.mode: job, found ${mode}`);
  }
  const timezone = run.entries.get("timezone");
  if (timezone !== undefined) {
    reader.report("cfg_run_timezone", timezone.key, `run.timezone needs run.mode: job, found ${mode}`);
  }
}

function readTimezone(tree: Tree, reader: ValueReader): string | undefined {
  const zone = reader.text(tree, "cfg_run_timezone", "run.timezone");
  if (zone === undefined || isTimeZone(zone)) return zone;
  reader.report(
    "cfg_run_timezone",
    tree.span,
    `run.timezone must be a known IANA time zone, found "${zone}"`,
    timeZoneHint(zone),
  );
  return undefined;
}

function readRetention(tree: Tree, reader: ValueReader): number | undefined {
  const retention = reader.mapping(tree, "cfg_run_retention", "run.retention");
  if (retention === undefined) return undefined;
  reader.unknownKeys(retention, RUN_RETENTION_FIELDS, "run.retention");
  return reader.field(retention, "history", (history) => {
    const codes = { type: "cfg_run_retention", range: "cfg_run_retention" } as const;
    return reader.durationMs(history, codes, "run.retention.history", RUN_RETENTION_FIELDS.history.range);
  });
}

type Read = { readonly [Key in keyof RunSettings]?: RunSettings[Key] | undefined };

function settings(read: Read): RunSettings {
  return {
    mode: read.mode ?? RUN_FIELDS.mode.default,
    timezone: read.timezone ?? RUN_FIELDS.timezone.default,
    overlap: read.overlap ?? RUN_FIELDS.overlap.default,
    skipIfSuccessful: read.skipIfSuccessful ?? RUN_FIELDS.skip_if_successful.default,
    ...(read.schedule === undefined ? {} : { schedule: read.schedule }),
    ...(read.catchupWindowMs === undefined ? {} : { catchupWindowMs: read.catchupWindowMs }),
    ...(read.historyRetentionMs === undefined ? {} : { historyRetentionMs: read.historyRetentionMs }),
  };
}

/** Reports a section that only a job pipeline may have; false where it stands in another. */
export function checkJobSection(
  root: MappingTree,
  section: "parameters" | "hooks",
  reader: ValueReader,
): boolean {
  const entry = root.entries.get(section);
  const mode = runMode(root);
  if (entry === undefined || isNull(entry.value) || mode === undefined || mode === "job") return true;
  const code = section === "parameters" ? "cfg_parameters_not_job" : "cfg_hooks_type";
  reader.report(code, entry.key, `${section} need run.mode: job, found ${mode}`);
  return false;
}
