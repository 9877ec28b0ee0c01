/** Owns the catalogue of diagnostic codes. A code is stable: never renamed, never reused. */

import type { Severity } from "./diagnostic.ts";

/** What a code means: how grave it is and, in one sentence, what raises it. */
export interface CodeEntry {
  readonly severity: Severity;
  readonly summary: string;
}

/** Every diagnostic code. The reference page of each is generated from here. */
export const DIAGNOSTIC_CODES = {
  io_read: {
    severity: "error",
    summary: "The file cannot be read: it does not exist, is a folder, or the system refuses access.",
  },
  yaml_parse: { severity: "error", summary: "The text is not one YAML document whose top level is a mapping." },
  empty_config: { severity: "error", summary: "The file holds no document, only blanks and comments." },
  cfg_unknown_top_section: {
    severity: "error",
    summary: "A key at the top level is none that a pipeline document knows.",
  },
  cfg_api_version: {
    severity: "error",
    summary: "`apiVersion` is missing or names a version of the format that this program does not read.",
  },
  cfg_kind: { severity: "error", summary: "`kind` is missing or is not the kind of document that belongs here." },
  cfg_metadata_name: { severity: "error", summary: "The pipeline has no name: `metadata.name` is missing." },
  cfg_metadata_type: {
    severity: "error",
    summary: "`metadata` is no mapping, or one of its fields has the wrong type.",
  },
  cfg_name_invalid: { severity: "error", summary: "A pipeline, node or codec name breaks the rules for names." },
  cfg_env_unset: { severity: "error", summary: "`${VAR}` refers to an environment variable that is not set." },
  cfg_constant_unknown: {
    severity: "error",
    summary: "`${constants.x}` refers to a constant that is not declared or is no plain value.",
  },
  cfg_scope_unknown: {
    severity: "error",
    summary: "A `${...}` reference is malformed, names an unknown scope, or stands where its scope does not exist.",
  },
  cfg_overlay: {
    severity: "error",
    summary: "An overlay cannot be merged: a value of another shape, or the removal of something that is not there.",
  },
  cfg_limits_type: { severity: "error", summary: "`limits` or one of its fields has the wrong type." },
  cfg_limits_range: { severity: "error", summary: "A limit is outside its range." },
  cfg_run_type: { severity: "error", summary: "`run` is no mapping." },
  cfg_run_mode: { severity: "error", summary: "`run.mode` is none of `continuous`, `job` and `batch`." },
  cfg_run_schedule: {
    severity: "error",
    summary: "`run.schedule` is no text, or stands in a pipeline whose mode is not `job`.",
  },
  cfg_run_overlap: { severity: "error", summary: "`run.overlap` is none of `skip`, `latest` and `all`." },
  cfg_run_catchup: { severity: "error", summary: "`run.catchup_window` is no positive duration." },
  cfg_run_skip: { severity: "error", summary: "`run.skip_if_successful` is neither true nor false." },
  cfg_run_retention: {
    severity: "error",
    summary: "`run.retention` is no mapping, or its `history` is no positive duration.",
  },
  cfg_run_timezone: {
    severity: "error",
    summary: "`run.timezone` names no known time zone, or stands in a pipeline whose mode is not `job`.",
  },
  cfg_dlq_type: { severity: "error", summary: "`dlq` is no mapping." },
  cfg_dlq_retention: { severity: "error", summary: "`dlq.retention` is no positive duration." },
  cfg_telemetry_type: { severity: "error", summary: "`telemetry` is no mapping." },
  cfg_telemetry_redact: { severity: "error", summary: "`telemetry.redact` is no list of texts." },
  cfg_telemetry_span_rate: { severity: "error", summary: "`telemetry.span_sample_rate` is no number from 0 to 1." },
  cfg_codecs_type: { severity: "error", summary: "`codecs` is no mapping of codec names to mappings." },
  cfg_codec_type: { severity: "error", summary: "A named codec does not say its `type`." },
  cfg_codec_shadow: { severity: "error", summary: "A named codec has the name of a registered codec." },
  cfg_parameters_type: { severity: "error", summary: "`parameters` is no mapping." },
  cfg_parameters_not_job: { severity: "error", summary: "`parameters` stand in a pipeline whose mode is not `job`." },
  cfg_parameters_decl: {
    severity: "error",
    summary: "The declaration of a run parameter is wrong or contradicts itself.",
  },
  cfg_hooks_type: {
    severity: "error",
    summary: "`hooks` is no mapping of known events, or stands in a pipeline whose mode is not `job`.",
  },
  cfg_hooks_sink: { severity: "error", summary: "A hook is not exactly one sink block." },
  cfg_unknown_field: { severity: "error", summary: "A mapping of the framework holds a field that it does not know." },
  cfg_missing_section: { severity: "error", summary: "`sources` or `sinks` is missing." },
  cfg_section_type: { severity: "error", summary: "A section is no mapping." },
  cfg_empty_section: { severity: "error", summary: "`sources` or `sinks` has no node." },
  cfg_node_type: { severity: "error", summary: "A node is no mapping." },
  cfg_source_with_depends_on: {
    severity: "error",
    summary: "A source has `depends_on`, though nothing can come before a source.",
  },
  cfg_sink_workers: {
    severity: "error",
    summary: "A sink has `workers`, though the engine alone decides how a sink is fed.",
  },
  cfg_from_renamed: { severity: "error", summary: "A node uses `from`, the former name of `depends_on`." },
  cfg_missing_plugin: { severity: "error", summary: "A node has no plugin block." },
  cfg_multiple_plugins: {
    severity: "error",
    summary: "A node has more than one plugin block, or a framework field that is misspelt.",
  },
  cfg_plugin_block_type: { severity: "error", summary: "The block of a source or sink is no mapping." },
  cfg_missing_depends_on: { severity: "error", summary: "A transform or sink does not say what it depends on." },
  cfg_bad_depends_on: {
    severity: "error",
    summary: "`depends_on` is no node name, list of them, or mapping of one name to edge attributes.",
  },
  cfg_when_type: { severity: "error", summary: "A condition is neither text nor a mapping of `lang` and `expr`." },
  cfg_when_lang: { severity: "error", summary: "The language of a condition is neither `cel` nor `cesql`." },
  cfg_when_route_exclusive: { severity: "error", summary: "An edge has both `when` and `route`." },
  cfg_route_type: { severity: "error", summary: "`route` is no text." },
  cfg_edge_defaults_field: {
    severity: "error",
    summary: "`edge_defaults` is no mapping, or holds `when` or `route`, which belong to one edge.",
  },
  cfg_required_type: { severity: "error", summary: "`required` is neither true nor false." },
  cfg_buffer_type: {
    severity: "error",
    summary: "`buffer` or one of its fields has the wrong type, or names a buffer that does not exist.",
  },
  cfg_buffer_range: { severity: "error", summary: "`buffer.max_events` is outside its range." },
  cfg_delivery_type: { severity: "error", summary: "`delivery` or one of its fields has the wrong type." },
  cfg_delivery_range: {
    severity: "error",
    summary: "`delivery.retries` or `delivery.timeout_ms` is outside its range.",
  },
  cfg_delivery_backoff: { severity: "error", summary: "`delivery.backoff` is neither `exponential` nor `constant`." },
  cfg_decoder_type: { severity: "error", summary: "`decoder` is no codec name." },
  cfg_encoder_type: { severity: "error", summary: "`encoder` is no codec name." },
  cfg_order_key_type: { severity: "error", summary: "`order_key` is no expression text." },
  cfg_batch_type: { severity: "error", summary: "`batch` or one of its fields has the wrong type." },
  cfg_batch_range: { severity: "error", summary: "`batch.size` or `batch.timeout_ms` is outside its range." },
  cfg_workers_range: { severity: "error", summary: "`workers` is no whole number in its range." },
  cfg_version_range: { severity: "error", summary: "`version` is no whole number in its range." },
  cfg_grpc_type: { severity: "error", summary: "`grpc` is no mapping, or its `permissions` have the wrong shape." },
  cfg_grpc_command: { severity: "error", summary: "`grpc.command` is no list of texts that begins with a program." },
  cfg_grpc_env: { severity: "error", summary: "`grpc.env` is no mapping of variable names to texts." },
  cfg_grpc_schema: { severity: "error", summary: "`grpc.schema` does not name a manifest file." },
  cfg_grpc_restart: { severity: "error", summary: "`grpc.restart` is neither `fast-fail` nor `restart`." },
  topo_dup_name: { severity: "error", summary: "Two nodes have the same name." },
  grpc_manifest_read: { severity: "error", summary: "The manifest of an external plugin cannot be read." },
  grpc_manifest_parse: {
    severity: "error",
    summary: "The manifest of an external plugin is no JSON object with the fields of a manifest.",
  },
  grpc_manifest_kind: {
    severity: "error",
    summary: "The manifest's `kind` is unknown or does not fit the section its node stands in.",
  },
  grpc_manifest_version: { severity: "error", summary: "The manifest's `version` is no positive whole number." },
  grpc_manifest_schema: { severity: "error", summary: "The manifest's `config_schema` is no valid JSON Schema." },
  topo_missing_ref: { severity: "error", summary: "An edge comes from a node that does not exist." },
  topo_sink_as_upstream: { severity: "error", summary: "An edge comes from a sink, which is where messages end." },
  topo_cycle: { severity: "error", summary: "Nodes depend on each other in a circle." },
  topo_no_path: { severity: "error", summary: "No path leads from any source to a sink." },
  topo_orphan: { severity: "error", summary: "A node is not connected: nothing reaches it, or nothing leaves it." },
  plugin_unknown: { severity: "error", summary: "A node names a plugin that is not registered for its section." },
  plugin_version_mismatch: {
    severity: "error",
    summary: "A node pins a version of its plugin that is not the registered one.",
  },
  plugin_schema: { severity: "error", summary: "A plugin block does not fit the plugin's definition." },
  grpc_builtin_conflict: { severity: "error", summary: "An external plugin has the name of a built-in one." },
  grpc_manifest_name: { severity: "error", summary: "The manifest's `name` is not the plugin key of its node." },
  codec_unknown: {
    severity: "error",
    summary: "A decoder or encoder names a codec that is neither registered nor declared.",
  },
  codec_config: { severity: "error", summary: "A codec's fields do not fit its definition." },
  expr_cel_env: {
    severity: "error",
    summary: "An expression, template or script reads a constant that is not declared.",
  },
  expr_cel_compile: { severity: "error", summary: "A CEL expression does not compile." },
  expr_route_compile: { severity: "error", summary: "The condition that a `route` stands for does not compile." },
  expr_cesql_compile: { severity: "error", summary: "A CESQL expression does not compile." },
  expr_starlark_compile: { severity: "error", summary: "A script does not compile." },
  expr_wasm_compile: { severity: "error", summary: "A WASM module cannot be loaded or lacks the exports of a guest." },
  expr_route_dangling: { severity: "error", summary: "A `route` edge follows a node that never assigns `meta.route`." },
  job_bad_schedule: { severity: "error", summary: "`run.schedule` is no valid cron expression of five fields." },
  job_source_not_pull: { severity: "error", summary: "A job pipeline has a source that cannot be read to an end." },
  job_parameters_in_continuous: {
    severity: "error",
    summary: "Run parameters are used in a pipeline that has no runs.",
  },
  job_parameter_unknown: {
    severity: "error",
    summary: "`${parameters.x}` refers to a parameter that is not declared.",
  },
  runtime_unknown_key: { severity: "error", summary: "The Runtime document holds a key that it does not know." },
  runtime_type: { severity: "error", summary: "A value of the Runtime document has the wrong type." },
  runtime_range: {
    severity: "error",
    summary: "A value of the Runtime document is outside its range or none of its choices.",
  },
  plugin_not_allowed: {
    severity: "error",
    summary: "A deployed pipeline would start a command that the installation does not allow.",
  },
  telemetry_redact_pattern: {
    severity: "error",
    summary: "A redaction pattern is no dotted glob over `payload` or `meta`.",
  },
  job_multiple_pull_sources: {
    severity: "warning",
    summary: "A job has several pull sources, and `cursor` stands for the first of them alone.",
  },
  wasm_no_kill_switch: {
    severity: "warning",
    summary: "A `wasm` transform has no `timeout_ms`, so that a runaway guest is never ended.",
  },
  run_retention_unset: {
    severity: "warning",
    summary: "A job keeps the history of its runs for ever, since `run.retention.history` is not set.",
  },
  batch_no_finite_source: {
    severity: "warning",
    summary: "A batch pipeline has a source that never ends, so that its run would not end either.",
  },
  job_file_source_no_eof: {
    severity: "warning",
    summary: "A job reads a file source without `on_eof: stop`, so that its run would never end.",
  },
  lint_when_literal: {
    severity: "warning",
    summary: "A condition is a constant: it lets everything pass, or nothing.",
  },
  lint_constant_unused: { severity: "warning", summary: "A constant is declared but never used." },
  lint_sql_continuous: {
    severity: "warning",
    summary: "A continuous pipeline polls a database, where a job with a schedule may be meant.",
  },
  lint_line_bytes_over_vl: {
    severity: "warning",
    summary: "A file source lets lines pass that are longer than its log sink accepts.",
  },
  lint_multiline_no_timeout: {
    severity: "warning",
    summary: "Multiline grouping without a time-out holds the last group back until another begins.",
  },
  lint_collector_batch_one: {
    severity: "warning",
    summary: "A sink that takes many messages at once is told to take them one by one.",
  },
  lint_vl_nonobject_payload: {
    severity: "warning",
    summary: "A log sink may get payloads that are no objects, which it cannot store.",
  },
  lint_cel_int_arithmetic: {
    severity: "warning",
    summary: "A CEL expression computes with a payload field and an integer literal, which never evaluates.",
  },
  lint_unreachable_edge: {
    severity: "warning",
    summary: "The conditions on the way to a node exclude each other, so that no message reaches it.",
  },
  lint_secret_literal: { severity: "warning", summary: "A password, token or credential stands in the file itself." },
  suite_shape: {
    severity: "error",
    summary: "A contract suite holds a field that it does not know, lacks one, or has one of the wrong type.",
  },
  suite_path: {
    severity: "error",
    summary: "A path in a contract suite is absolute or leaves the suite's root, by itself or through a symbolic link.",
  },
  suite_file: { severity: "error", summary: "A file that a contract suite names cannot be read." },
  suite_fixture: {
    severity: "error",
    summary: "A fixture is no JSON, or its payload cannot be written in the codec of the node it is injected at.",
  },
  suite_node: {
    severity: "error",
    summary: "A contract suite names a node that the pipeline does not have, or one that is no sink where it captures.",
  },
  suite_codec: { severity: "error", summary: "An injection names a codec that the pipeline does not have." },
  suite_injection: { severity: "error", summary: "An injection has no message, or gives both `messages` and `raw`." },
  suite_case_name: { severity: "error", summary: "Two cases of a contract suite have the same name." },
  suite_expectation: {
    severity: "error",
    summary:
      "An expected path does not begin with a part of a message, a pattern does not compile, or counts disagree.",
  },
  suite_constant: { severity: "error", summary: "A case sets a constant that the pipeline does not have." },
  suite_parameter: {
    severity: "error",
    summary: "A case sets a parameter that the pipeline does not declare, with a wrong value, or lacks a required one.",
  },
} as const satisfies Record<string, CodeEntry>;

/** A code of the catalogue. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
