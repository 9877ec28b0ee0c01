/** Owns the documents that say what verification tells about plugins, their blocks and codecs. */

import type { BuildCase } from "../build_case.ts";

/** Each code with a document that provokes it, and with the change that cures it. */
export const PLUGINS_CASES: readonly BuildCase[] = [
  {
    name: "plugin_unknown: a name that is not registered, and one of another kind",
    yaml: `
sources:
  ingest: {fille: {path: a}} #! plugin_unknown:12
transforms:
  drop: {depends_on: [ingest], drop: {}} #! plugin_unknown:32
sinks:
  out: {depends_on: [drop], drop: {}}
`,
    cure: [["fille", "file"], ["[ingest], drop: {}", "[ingest], split: {}"]],
  },
  {
    name: "cfg_workers_range: several workers of a transform that has to know of every message",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  once:
    depends_on: ingest
    workers: 2 #! cfg_workers_range:14
    dedupe: {}
sinks:
  out: {depends_on: [once], drop: {}}
`,
    cure: [["workers: 2", "workers: 1"]],
  },
  {
    name: "plugin_unknown: the sink of a hook",
    yaml: `
run: {mode: job, retention: {history: 9d}}
sources:
  ingest: {file: {path: a, on_eof: stop}}
sinks:
  out: {depends_on: [ingest], drop: {}}
hooks:
  failure: {pager: {url: x}} #! plugin_unknown:13
  success: {http: {}} #! plugin_schema:13
`,
    cure: [["pager", "http"], ["http: {}", "http: {url: x}"]],
  },
  {
    name: "plugin_version_mismatch: a pin that is not the registered version",
    yaml: `
sources:
  ingest:
    version: 2 #! plugin_version_mismatch:14
    file: {path: a}
sinks:
  out: {depends_on: [ingest], drop: {}}
`,
    cure: [["version: 2", "version: 1"]],
  },
  {
    name: "plugin_schema: each field on its own line, all at once",
    yaml: `
sources:
  ingest:
    file:
      pth: a #! plugin_schema:7
      path: 7 #! plugin_schema:13
      on_eof: halt #! plugin_schema:15
      multiline: #! plugin_schema:7
        - x
sinks:
  out:
    depends_on: [ingest]
    http: {} #! plugin_schema:5
`,
    cure: [
      ["      pth: a", "      max_line_bytes: 9"],
      ["path: 7", "path: b"],
      ["halt", "stop"],
      ["- x", "timeout_ms: 9"],
      ["http: {}", "http: {url: x}"],
    ],
  },
  {
    name: "expr_starlark_compile: the place inside a block scalar",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  enrich:
    depends_on: [ingest]
    script: |
      payload.a = 1
      payload.b = mistake
sinks:
  out: {depends_on: [enrich], drop: {}}
`,
    also: ["expr_starlark_compile:9:19"],
    cure: [["mistake", "2"]],
  },
  {
    name: "codec_unknown: of a node and of a declaration",
    yaml: `
codecs:
  table: {type: csw} #! codec_unknown:17
sources:
  ingest:
    decoder: jsn #! codec_unknown:14
    file: {path: a}
sinks:
  out: {depends_on: [ingest], encoder: table, drop: {}}
`,
    cure: [["csw", "csv, columns: [a]"], ["jsn", "json"]],
  },
  {
    name: "codec_config: a wrong declaration, one that cannot be made, a bare codec that needs one",
    yaml: `
codecs:
  table: {type: csv, columns: 7} #! codec_config:31
  other:
    type: csv
    columns: [impossible]
sources:
  ingest:
    decoder: csv #! codec_config:14
    file: {path: a}
  second: {decoder: other, file: {path: a}}
sinks:
  out: {depends_on: [ingest, second], encoder: table, drop: {}}
`,
    also: ["codec_config:4:3"],
    cure: [["columns: 7", "columns: [a]"], ["impossible", "b"], ["decoder: csv", "decoder: table"]],
  },
  {
    name: "grpc_builtin_conflict and grpc_manifest_name: an external plugin's name",
    yaml: `
sources:
  own:
    grpc: {command: [./ticker], schema: ticker.json}
    file: {symbol: x} #! grpc_builtin_conflict:5
  other:
    grpc: {command: [./ticker], schema: ticker.json}
    tocker: {symbol: x} #! grpc_manifest_name:5
  pinned:
    grpc: {command: [./ticker], schema: ticker.json}
    version: 3 #! plugin_version_mismatch:14
    ticker: {symbol: x}
  wrong:
    grpc: {command: [./ticker], schema: ticker.json}
    ticker: {symbol: 7} #! plugin_schema:22 plugin_unknown:5
sinks:
  out: {depends_on: [own, other, pinned, wrong], drop: {}}
`,
    cure: [
      ["    grpc: {command: [./ticker], schema: ticker.json}", ""],
      ["    version: 3", ""],
      ["file: {symbol: x}", "pages: {}"],
      ["tocker: {symbol: x}", "pages: {}"],
      ["ticker: {symbol: x}", "pages: {}"],
      ["ticker: {symbol: 7}", "pages: {}"],
    ],
  },
];
