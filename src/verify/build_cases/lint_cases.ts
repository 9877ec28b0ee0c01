/** Owns the documents that say what verification tells about documents that are right and still not what was meant. */

import type { BuildCase } from "../build_case.ts";

/** Each code with a document that provokes it, and with the change that cures it. */
export const LINT_CASES: readonly BuildCase[] = [
  {
    name: "lint_when_literal: a condition that is always or never true",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out: {depends_on: {ingest: {when: "true"}}, drop: {}} #! lint_when_literal:37
  never:
    depends_on:
      ingest: {when: "false"} #! lint_when_literal:22
    drop: {}
`,
    cure: [['when: "true"', "required: true"], ['"false"', "payload.a == 1"]],
  },
  {
    name: "lint_when_literal and lint_unreachable_edge: conditions in CESQL are judged as those in CEL",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  eu: {depends_on: {ingest: {when: {lang: cesql, expr: "(data.region = 'eu') AND type = 'order'"}}}, keep: {}}
sinks:
  out: {depends_on: {eu: {when: 'payload.region == "us"'}}, drop: {}} #! lint_unreachable_edge:33
  same: {depends_on: {eu: {when: 'payload.region == "eu"'}}, drop: {}}
  always: {depends_on: {ingest: {when: {lang: cesql, expr: 'true'}}}, drop: {}} #! lint_when_literal:60
`,
    cure: [['"us"', '"eu"'], ["'true'", "EXISTS type"]],
  },
  {
    name: "lint_constant_unused: neither a reference nor an expression nor a script reads it",
    yaml: `
constants:
  spare: 1 #! lint_constant_unused:3
  region: eu
  scale: 2
  path: a
sources:
  ingest: {file: {path: "\${constants.path}"}}
transforms:
  enrich: {depends_on: [ingest], script: payload.x = constants.scale}
sinks:
  out: {depends_on: {enrich: {when: payload.region == constants.region}}, drop: {}}
`,
    cure: [["spare: 1", ""]],
  },
  {
    name: "lint_cel_int_arithmetic: a double meets an integer literal",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out:
    depends_on:
      ingest: {when: "payload.a > 1 && payload.n + 1 > 2"} #! lint_cel_int_arithmetic:52
    drop: {}
`,
    cure: [["+ 1 >", "+ 1.0 >"]],
  },
  {
    name: "lint_unreachable_edge: on one edge, and behind a node that changes nothing",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  same: {depends_on: {ingest: {when: payload.region == "eu"}}, keep: {}}
  other: {depends_on: {ingest: {when: payload.region == "eu"}}, script: payload.region = "us"}
sinks:
  a: {depends_on: {same: {when: payload.region == "us"}}, drop: {}} #! lint_unreachable_edge:33
  b: {depends_on: {other: {when: payload.region == "us"}}, drop: {}}
  c:
    depends_on:
      ingest: {when: payload.a == 1 && payload.a == 2} #! lint_unreachable_edge:22
    drop: {}
`,
    cure: [['same: {when: payload.region == "us"}', "same: {required: true}"], ["payload.a == 2", "payload.b == 2"]],
  },
  {
    name: "lint_unreachable_edge: a second way in keeps an edge open",
    yaml: `
sources:
  ingest: {file: {path: a}}
  more: {file: {path: b}}
transforms:
  same:
    depends_on:
      - ingest: {when: meta.kind == "a"}
      - more: {when: meta.kind == "b"}
    keep: {}
sinks:
  a: {depends_on: {same: {when: meta.kind == "b"}}, drop: {}}
  c: {depends_on: {same: {when: meta.kind == "c"}}, drop: {}}
`,
    cure: [],
  },
  {
    name: "lint_secret_literal: by name, by header, by credentials in a URL; never what comes from outside",
    yaml: `
constants:
  api_key: abc #! lint_secret_literal:12
sources:
  web: {http_server: {listen: "a:1", token: hunter2}} #! lint_secret_literal:45
  db:
    sql:
      dsn: postgres://user:pass@db/x #! lint_secret_literal:12
      cursor: {column: id}
sinks:
  out:
    depends_on: [web, db]
    http:
      url: http://user@host/\${constants.api_key}
      headers:
        Authorization: Bearer x #! lint_secret_literal:24
        x-note: token
`,
    cure: [
      ["api_key: abc", "api_key: ${NAME}"],
      ["hunter2", '"${NAME}"'],
      ["pass@", "${NAME}@"],
      ["Bearer x", "Bearer ${NAME}"],
    ],
  },
  {
    name: "lint_collector_batch_one: only where it was written, only for a sink that takes more",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out:
    depends_on: [ingest]
    batch: {size: 1, timeout_ms: 5} #! lint_collector_batch_one:19
    drop: {}
  web: {depends_on: [ingest], batch: {size: 1}, http: {url: x}}
`,
    cure: [["size: 1, timeout_ms", "size: 100, timeout_ms"]],
  },
  {
    name: "lint_collector_batch_one: not for a size that is wrong, which is told as what it is",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out: {depends_on: [ingest], batch: {size: 0}, drop: {}} #! cfg_batch_range:45
`,
    cure: [["size: 0", "size: 2"]],
  },
  {
    name: "lint_multiline_no_timeout: the last lines of a quiet file would wait",
    yaml: `
sources:
  ingest:
    file:
      path: a
      multiline: {timeout_ms: 0} #! lint_multiline_no_timeout:31
  once: {file: {path: a, on_eof: stop, multiline: {timeout_ms: 0}}}
sinks:
  out: {depends_on: [ingest, once], drop: {}}
`,
    cure: [["timeout_ms: 0", "timeout_ms: 10"]],
  },
  {
    name: "lint_line_bytes_over_vl and lint_vl_nonobject_payload: lines the sink is bound to refuse",
    yaml: `
sources:
  long: {file: {path: a, max_line_bytes: 300000}} #! lint_line_bytes_over_vl:42
  text: {decoder: raw, file: {path: b}} #! lint_vl_nonobject_payload:19
  wrapped: {decoder: raw, file: {path: c}}
transforms:
  wrap: {depends_on: [wrapped], fields: {wrap_field: _msg}}
  each: {depends_on: [text], split: {}}
sinks:
  logs: {depends_on: [long, each, wrap], victorialogs: {url: x}}
`,
    cure: [["300000", "1000"], ["text: {decoder: raw", "text: {decoder: json"]],
  },
  {
    name: "lint_sql_continuous: a query that is polled without a cursor",
    yaml: `
sources:
  db: {sql: {dsn: "\${NAME}"}} #! lint_sql_continuous:8
sinks:
  out: {depends_on: [db], drop: {}}
`,
    cure: [["}}", ", cursor: {column: id}}}"], ["drop: {, cursor: {column: id}}}", "drop: {}}"]],
  },
];
