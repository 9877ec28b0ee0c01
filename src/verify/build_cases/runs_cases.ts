/** Owns the documents that say what verification tells about how a pipeline runs. */

import type { BuildCase } from "../build_case.ts";

/** Each code with a document that provokes it, and with the change that cures it. */
export const RUNS_CASES: readonly BuildCase[] = [
  {
    name: "job_bad_schedule: no cron expression, and one that is never due",
    yaml: `
run:
  mode: job
  schedule: "0 0 31 2 *" #! job_bad_schedule:13
  retention: {history: 90d}
sources:
  pull: {pages: {}}
sinks:
  out: {depends_on: [pull], drop: {}}
`,
    cure: [["31 2", "28 2"]],
  },
  {
    name: "job_source_not_pull: a source without an end",
    yaml: `
run: {mode: job, retention: {history: 90d}}
sources:
  web: {http_server: {listen: "127.0.0.1:0"}} #! job_source_not_pull:9
sinks:
  out: {depends_on: [web], drop: {}}
`,
    cure: [['http_server: {listen: "127.0.0.1:0"}', "pages: {}"]],
  },
  {
    name: "job_multiple_pull_sources: cursor would mean the first one's watermark",
    yaml: `
run: {mode: job, retention: {history: 90d}}
sources:
  one: {pages: {}}
  two: {pages: {}} #! job_multiple_pull_sources:3
sinks:
  out: {depends_on: [one, two], drop: {}}
`,
    cure: [["  two: {pages: {}}", ""], ["[one, two]", "[one]"]],
  },
  {
    name: "job_parameter_unknown: in a block and in an expression",
    yaml: `
run: {mode: job, retention: {history: 90d}}
parameters:
  from: {type: string, default: cursor}
  size: {type: integer, default: 5}
sources:
  pull: {pages: {page_size: "\${parameters.size}"}}
sinks:
  out:
    depends_on:
      pull: {when: payload.at > parameters.form} #! job_parameter_unknown:33
    http: {url: "http://x/\${parameters.frm}/\${parameters.from}"} #! job_parameter_unknown:27
`,
    cure: [["form}", "from}"], ["frm}", "from}"]],
  },
  {
    name: "job_parameters_in_continuous: only a job has parameters",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out:
    depends_on:
      ingest: {when: payload.at > parameters.from} #! job_parameters_in_continuous:35
    drop: {}
`,
    cure: [["parameters.from", "'2026'"]],
  },
  {
    name: "job_parameter_unknown: in a script",
    yaml: `
run: {mode: job, retention: {history: 90d}}
parameters:
  from: {type: string, default: cursor}
sources:
  pull: {pages: {}}
transforms:
  shape:
    depends_on: [pull]
    script: |
      payload.from = parameters.from
      payload.to = parameters.form #! job_parameter_unknown:20
sinks:
  out: {depends_on: [shape], drop: {}}
`,
    cure: [["parameters.form", "parameters.from"]],
  },
  {
    name: "job_parameters_in_continuous: in a script",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  shape: {depends_on: [ingest], script: "payload.at = parameters.from"} #! job_parameters_in_continuous:55
sinks:
  out: {depends_on: [shape], drop: {}}
`,
    cure: [["parameters.from", "'2026'"]],
  },
  {
    name: "run_retention_unset: a job's records are kept for ever",
    yaml: `
run: {mode: job} #! run_retention_unset:1
sources:
  pull: {pages: {}}
sinks:
  out: {depends_on: [pull], drop: {}}
`,
    cure: [["mode: job", "mode: job, retention: {history: 90d}"]],
  },
  {
    name: "batch_no_finite_source and job_file_source_no_eof: a batch that would never end",
    yaml: `
run: {mode: batch}
sources:
  web: {http_server: {listen: "127.0.0.1:0"}} #! batch_no_finite_source:9
  logs: {file: {path: a}} #! job_file_source_no_eof:10
sinks:
  out: {depends_on: [web, logs], drop: {}}
`,
    cure: [['http_server: {listen: "127.0.0.1:0"}', "pages: {}"], ["path: a", "path: a, on_eof: stop"]],
  },
  {
    name: "job_file_source_no_eof: a job too",
    yaml: `
run: {mode: job, retention: {history: 90d}}
sources:
  logs: {file: {path: a}} #! job_file_source_no_eof:10
sinks:
  out: {depends_on: [logs], drop: {}}
`,
    cure: [["path: a", "path: a, on_eof: stop"]],
  },
  {
    name: "telemetry_redact_pattern: patterns that cannot compile",
    yaml: `
telemetry:
  redact:
    - payload.card.*
    - body.card #! telemetry_redact_pattern:7
    - payload.[a #! telemetry_redact_pattern:15
sources:
  ingest: {file: {path: a}}
sinks:
  out: {depends_on: [ingest], drop: {}}
`,
    cure: [["body.card", "payload.card"], ["[a", "[a]"]],
  },
];
