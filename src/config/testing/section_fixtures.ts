/** Owns the fixtures of the loader's codes for the sections that hold no nodes. */

import { type LoaderFixture, pipeline } from "./annotated.ts";

const JOB = "run: { mode: job }\n";

/** One fixture or more for each code. */
export const SECTION_FIXTURES: readonly LoaderFixture[] = [
  {
    code: "cfg_limits_type",
    raises: pipeline(
      "limits:\n  max_in_flight: many #! cfg_limits_type:18\n  drain_timeout: 10 #! cfg_limits_type:18\n",
    ),
    clean: pipeline("limits:\n  max_in_flight: 1\n  drain_timeout: 1h30m\n"),
  },
  { code: "cfg_limits_type", raises: pipeline("limits: [] #! cfg_limits_type:9\n"), clean: pipeline("limits: {}\n") },
  {
    code: "cfg_limits_range",
    raises: pipeline(
      "limits:\n  max_in_flight: 0 #! cfg_limits_range:18\n  drain_timeout: 0s #! cfg_limits_range:18\n",
    ),
    clean: pipeline("limits:\n  max_in_flight: 1\n  drain_timeout: 1ms\n"),
  },
  { code: "cfg_run_type", raises: pipeline("run: job #! cfg_run_type:6\n"), clean: pipeline(JOB) },
  {
    code: "cfg_run_mode",
    raises: pipeline("run:\n  mode: jbo #! cfg_run_mode:9\n  schedule: '* * * * *'\n"),
    clean: pipeline("run:\n  mode: job\n  schedule: '* * * * *'\n"),
  },
  {
    code: "cfg_run_schedule",
    raises: pipeline("run:\n  schedule: '* * * * *' #! cfg_run_schedule:3\n"),
    clean: pipeline("run:\n  mode: job\n  schedule: '* * * * *'\n"),
  },
  {
    code: "cfg_run_schedule",
    raises: pipeline("run:\n  mode: job\n  schedule: 5 #! cfg_run_schedule:13\n"),
    clean: pipeline("run:\n  mode: job\n  schedule: '5 * * * *'\n"),
  },
  {
    code: "cfg_run_overlap",
    raises: pipeline("run: { mode: job, overlap: never } #! cfg_run_overlap:28\n"),
    clean: pipeline("run: { mode: job, overlap: latest }\n"),
  },
  {
    code: "cfg_run_catchup",
    raises: pipeline("run: { mode: job, catchup_window: soon } #! cfg_run_catchup:35\n"),
    clean: pipeline("run: { mode: job, catchup_window: 2h }\n"),
  },
  {
    code: "cfg_run_skip",
    raises: pipeline("run: { mode: job, skip_if_successful: 'yes' } #! cfg_run_skip:39\n"),
    clean: pipeline("run: { mode: job, skip_if_successful: '${YES}' }\n"),
  },
  {
    code: "cfg_run_retention",
    raises: pipeline("run: { mode: job, retention: 90d } #! cfg_run_retention:30\n"),
    clean: pipeline("run: { mode: job, retention: { history: 90d } }\n"),
  },
  {
    code: "cfg_run_retention",
    raises: pipeline("run: { mode: job, retention: { history: 0d } } #! cfg_run_retention:41\n"),
    clean: pipeline("run: { mode: job, retention: {} }\n"),
  },
  {
    code: "cfg_run_timezone",
    raises: pipeline("run:\n  mode: job\n  timezone: Europe/Berlyn #! cfg_run_timezone:13\n"),
    clean: pipeline("run:\n  mode: job\n  timezone: Europe/Berlin\n"),
  },
  {
    code: "cfg_run_timezone",
    raises: pipeline("run:\n  mode: batch\n  timezone: UTC #! cfg_run_timezone:3\n"),
    clean: pipeline("run:\n  mode: job\n  timezone: UTC\n"),
  },
  { code: "cfg_dlq_type", raises: pipeline("dlq: 90d #! cfg_dlq_type:6\n"), clean: pipeline("dlq: {}\n") },
  {
    code: "cfg_dlq_retention",
    raises: pipeline("dlq: { retention: 90 } #! cfg_dlq_retention:19\n"),
    clean: pipeline("dlq: { retention: 90d }\n"),
  },
  {
    code: "cfg_telemetry_type",
    raises: pipeline("telemetry: off #! cfg_telemetry_type:12\n"),
    clean: pipeline("telemetry: {}\n"),
  },
  {
    code: "cfg_telemetry_redact",
    raises: pipeline("telemetry:\n  redact: payload.a #! cfg_telemetry_redact:11\n"),
    clean: pipeline("telemetry:\n  redact: [payload.a]\n"),
  },
  {
    code: "cfg_telemetry_redact",
    raises: pipeline("telemetry:\n  redact:\n    - payload.a\n    - 5 #! cfg_telemetry_redact:7\n"),
    clean: pipeline("telemetry:\n  redact:\n    - payload.a\n    - meta.*\n"),
  },
  {
    code: "cfg_telemetry_span_rate",
    raises: pipeline("telemetry: { span_sample_rate: 1.5 } #! cfg_telemetry_span_rate:32\n"),
    clean: pipeline("telemetry: { span_sample_rate: 1 }\n"),
  },
  { code: "cfg_codecs_type", raises: pipeline("codecs: csv #! cfg_codecs_type:9\n"), clean: pipeline("codecs: {}\n") },
  {
    code: "cfg_codecs_type",
    raises: pipeline("codecs:\n  wide: csv #! cfg_codecs_type:9\n"),
    clean: pipeline("codecs:\n  wide: { type: csv }\n"),
  },
  {
    code: "cfg_codec_type",
    raises: pipeline("codecs:\n  wide: { header: true } #! cfg_codec_type:3\n"),
    clean: pipeline("codecs:\n  wide: { type: csv, header: true }\n"),
  },
  {
    code: "cfg_codec_shadow",
    raises: pipeline("codecs:\n  csv: { type: csv } #! cfg_codec_shadow:3\n"),
    clean: pipeline("codecs:\n  csv2: { type: csv }\n"),
  },
  {
    code: "cfg_parameters_type",
    raises: pipeline(`${JOB}parameters: [a] #! cfg_parameters_type:13\n`),
    clean: pipeline(`${JOB}parameters: {}\n`),
  },
  {
    code: "cfg_parameters_not_job",
    raises: pipeline("parameters: { a: { type: string } } #! cfg_parameters_not_job:1\n"),
    clean: pipeline(`${JOB}parameters: { a: { type: string } }\n`),
  },
  {
    code: "cfg_parameters_decl",
    raises: pipeline(`${JOB}parameters:
  a: string #! cfg_parameters_decl:6
  b: { default: 1 } #! cfg_parameters_decl:3
  c: { type: text } #! cfg_parameters_decl:14
  d: { type: string, default: x, required: true } #! cfg_parameters_decl:22
  e: { type: integer, default: 1.5 } #! cfg_parameters_decl:32
  f: { type: integer, default: 5, max: 4 } #! cfg_parameters_decl:32
  g: { type: string, pattern: '(' } #! cfg_parameters_decl:31
  h: { type: string, enum: [] } #! cfg_parameters_decl:28
  i: { type: number, enum: [1, x] } #! cfg_parameters_decl:32
  j: { type: integer, min: 5, max: 1 } #! cfg_parameters_decl:36
  k: { type: string, min: 5 } #! cfg_parameters_decl:22
  l: { type: string, enum: [a, b], default: c } #! cfg_parameters_decl:45
  m: { type: string, pattern: '^a', default: b } #! cfg_parameters_decl:46
  a-b: { type: string } #! cfg_parameters_decl:3
`),
    clean: pipeline(`${JOB}parameters:
  from: { type: string, pattern: '^20', default: cursor }
  to: { type: string, default: now }
  last_id: { type: integer, min: 1, default: cursor }
  count: { type: integer, min: 1, max: 9, default: '\${COUNT}' }
  region: { type: string, enum: [eu, us], required: true, description: Where. }
  dry: { type: boolean, default: false }
`),
  },
  {
    code: "cfg_hooks_type",
    raises: pipeline(`${JOB}hooks: { succes: { debug: {} } } #! cfg_hooks_type:10\n`),
    clean: pipeline(`${JOB}hooks: { success: { debug: {} }, failure: { debug: } }\n`),
  },
  {
    code: "cfg_hooks_type",
    raises: pipeline("hooks: { success: { debug: {} } } #! cfg_hooks_type:1\n"),
    clean: pipeline(`${JOB}hooks: { success: { debug: {} } }\n`),
  },
  {
    code: "cfg_hooks_sink",
    raises: pipeline(`${JOB}hooks:
  success: { debug: {}, drop: {} } #! cfg_hooks_sink:25
  failure: {} #! cfg_hooks_sink:3
`),
    clean: pipeline(`${JOB}hooks:\n  success: { debug: {} }\n`),
  },
  {
    code: "cfg_hooks_sink",
    raises: pipeline(`${JOB}hooks:\n  success: { debug: loud } #! cfg_hooks_sink:21\n`),
    clean: pipeline(`${JOB}hooks:\n  success: { debug: { prefix: loud } }\n`),
  },
  {
    code: "cfg_unknown_field",
    raises: pipeline(`run: { mode: job, schedul: x } #! cfg_unknown_field:19
limits: { max: 1 } #! cfg_unknown_field:11
dlq: { keep: 1d } #! cfg_unknown_field:8
telemetry: { x: 1 } #! cfg_unknown_field:14
edge_defaults: { x: 1 } #! cfg_unknown_field:18
parameters: { a: { type: string, dflt: x } } #! cfg_unknown_field:34
sources: { in: { cron: {}, encoder: json } } #! cfg_unknown_field:28
sinks:
  out:
    depends_on:
      in: { whem: 'true' } #! cfg_unknown_field:13
    batch: { sizes: 1 } #! cfg_unknown_field:14
    drop: {}
`),
    clean: pipeline("run: { mode: job, schedule: x }\n"),
  },
];
