/** Owns the fixtures of the loader's codes for nodes, edges and external plugins. */

import { type LoaderFixture, pipeline } from "./annotated.ts";

function sink(lines: string): string {
  return pipeline(`sinks:\n  out:\n    drop: {}\n${lines}`);
}

function edge(attributes: string): string {
  return sink(`    depends_on:\n      in:\n${attributes}`);
}

function external(lines: string): string {
  return pipeline(`sources:\n  in:\n    ticker: {}\n    grpc:\n${lines}`);
}

const COMMAND = "      command: [./t]\n";
const SCHEMA = "      schema: good.json\n";

/** One fixture or more for each code. */
export const NODE_FIXTURES: readonly LoaderFixture[] = [
  {
    code: "cfg_missing_section",
    raises: "apiVersion: eventboat/v1 #! cfg_missing_section:1\nkind: Pipeline\nmetadata: { name: a }\n" +
      "sources: { in: { cron: {} } }\n",
    clean: pipeline(""),
  },
  { code: "cfg_section_type", raises: pipeline("sources: [a] #! cfg_section_type:10\n"), clean: pipeline("") },
  {
    code: "cfg_section_type",
    raises: pipeline("constants: [1] #! cfg_section_type:12\n"),
    clean: pipeline("constants: { a: [1] }\n"),
  },
  {
    code: "cfg_empty_section",
    raises: pipeline("sources: #! cfg_empty_section:1\nsinks: {} #! cfg_empty_section:1\n"),
    clean: pipeline("transforms:\n"),
  },
  {
    code: "cfg_node_type",
    raises: pipeline("sources:\n  in: cron #! cfg_node_type:7\n  other: #! cfg_node_type:3\n"),
    clean: pipeline("sources:\n  in: { cron: }\n"),
  },
  {
    code: "cfg_source_with_depends_on",
    raises: pipeline("sources:\n  in:\n    depends_on: out #! cfg_source_with_depends_on:5\n    cron: {}\n"),
    clean: pipeline("sources:\n  in:\n    cron: {}\n"),
  },
  {
    code: "cfg_sink_workers",
    raises: sink("    depends_on: in\n    workers: 2 #! cfg_sink_workers:5\n"),
    clean: pipeline("transforms:\n  t: { depends_on: in, workers: 2, split: {} }\n"),
  },
  {
    code: "cfg_from_renamed",
    raises: sink("    from: in #! cfg_from_renamed:5\n"),
    clean: sink("    depends_on: in\n"),
  },
  {
    code: "cfg_missing_plugin",
    raises: pipeline("sources:\n  in: { decoder: json } #! cfg_missing_plugin:3\n"),
    clean: pipeline("sources:\n  in: { decoder: json, cron: {} }\n"),
  },
  {
    code: "cfg_multiple_plugins",
    raises: pipeline("sources:\n  in: { cron: {}, file: {} } #! cfg_multiple_plugins:19\n"),
    clean: pipeline("sources:\n  in: { cron: {} }\n  in2: { file: {} }\n"),
  },
  {
    code: "cfg_multiple_plugins",
    raises: sink("    depend_on: in #! cfg_multiple_plugins:5\n"),
    clean: sink("    depends_on: in\n"),
  },
  {
    code: "cfg_plugin_block_type",
    raises: pipeline("sources:\n  in:\n    cron: '* * * * *' #! cfg_plugin_block_type:11\n"),
    clean: pipeline("transforms:\n  t:\n    depends_on: in\n    script: payload.x = 1\n"),
  },
  {
    code: "cfg_missing_depends_on",
    raises: pipeline("transforms:\n  t: { split: {} } #! cfg_missing_depends_on:3\n"),
    clean: pipeline("transforms:\n  t: { depends_on: [in], split: {} }\n"),
  },
  {
    code: "cfg_bad_depends_on",
    raises: sink(
      "    depends_on: [5, [in], { a: {}, b: {} }, { a: b }, {}, ''] " +
        "#! cfg_bad_depends_on:18 cfg_bad_depends_on:21 cfg_bad_depends_on:36 cfg_bad_depends_on:50 " +
        "cfg_bad_depends_on:55 cfg_bad_depends_on:59\n",
    ),
    clean: sink("    depends_on: [in, { in: {} }, { in: }]\n"),
  },
  {
    code: "cfg_bad_depends_on",
    raises: sink("    depends_on: [] #! cfg_bad_depends_on:17\n"),
    clean: sink("    depends_on: { in: { required: false } }\n"),
  },
  {
    code: "cfg_when_type",
    raises: edge("        when: true #! cfg_when_type:15\n"),
    clean: edge("        when: 'true'\n"),
  },
  {
    code: "cfg_when_type",
    raises: edge("        when: { lang: cel } #! cfg_when_type:15\n"),
    clean: edge("        when: { lang: cel, expr: 'payload.a' }\n"),
  },
  {
    code: "cfg_when_lang",
    raises: edge("        when: { lang: sql, expr: a } #! cfg_when_lang:23\n"),
    clean: edge("        when: { lang: cesql, expr: a }\n"),
  },
  {
    code: "cfg_when_lang",
    raises: edge("        when: { expr: a } #! cfg_when_lang:15\n"),
    clean: edge("        when: { lang: cel, expr: a }\n"),
  },
  {
    code: "cfg_when_route_exclusive",
    raises: edge("        when: 'true'\n        route: eu #! cfg_when_route_exclusive:9\n"),
    clean: edge("        route: eu\n"),
  },
  {
    code: "cfg_route_type",
    raises: edge("        route: [eu] #! cfg_route_type:16\n"),
    clean: edge("        route: eu\n"),
  },
  {
    code: "cfg_edge_defaults_field",
    raises: pipeline(
      "edge_defaults: { when: 'true', route: a } #! cfg_edge_defaults_field:18 cfg_edge_defaults_field:32\n",
    ),
    clean: pipeline("edge_defaults: { required: false, delivery: { retries: 1 }, buffer: { max_events: 1 } }\n"),
  },
  {
    code: "cfg_edge_defaults_field",
    raises: pipeline("edge_defaults: 5 #! cfg_edge_defaults_field:16\n"),
    clean: pipeline("edge_defaults: {}\n"),
  },
  {
    code: "cfg_required_type",
    raises: edge("        required: no #! cfg_required_type:19\n"),
    clean: edge("        required: false\n"),
  },
  {
    code: "cfg_buffer_type",
    raises: edge("        buffer: { type: disk, max_events: a } #! cfg_buffer_type:25 cfg_buffer_type:43\n"),
    clean: edge("        buffer: { type: memory, max_events: 1 }\n"),
  },
  {
    code: "cfg_buffer_type",
    raises: edge("        buffer: 128 #! cfg_buffer_type:17\n"),
    clean: edge("        buffer: {}\n"),
  },
  {
    code: "cfg_buffer_range",
    raises: edge("        buffer: { max_events: 0 } #! cfg_buffer_range:31\n"),
    clean: edge("        buffer: { max_events: '${COUNT}' }\n"),
  },
  {
    code: "cfg_delivery_type",
    raises: edge("        delivery: { retries: some } #! cfg_delivery_type:30\n"),
    clean: edge("        delivery: { retries: 0 }\n"),
  },
  {
    code: "cfg_delivery_type",
    raises: edge("        delivery: fast #! cfg_delivery_type:19\n"),
    clean: edge("        delivery: {}\n"),
  },
  {
    code: "cfg_delivery_range",
    raises: edge("        delivery: { retries: -1, timeout_ms: 0 } #! cfg_delivery_range:30 cfg_delivery_range:46\n"),
    clean: edge("        delivery: { retries: 0, timeout_ms: 1 }\n"),
  },
  {
    code: "cfg_delivery_backoff",
    raises: edge("        delivery: { backoff: linear } #! cfg_delivery_backoff:30\n"),
    clean: edge("        delivery: { backoff: constant }\n"),
  },
  {
    code: "cfg_decoder_type",
    raises: pipeline("sources:\n  in: { decoder: { type: csv }, cron: {} } #! cfg_decoder_type:18\n"),
    clean: pipeline("sources:\n  in: { decoder: csv, cron: {} }\n"),
  },
  {
    code: "cfg_encoder_type",
    raises: sink("    depends_on: in\n    encoder: 5 #! cfg_encoder_type:14\n"),
    clean: sink("    depends_on: in\n    encoder: raw\n"),
  },
  {
    code: "cfg_order_key_type",
    raises: sink("    depends_on: in\n    order_key: [payload.id] #! cfg_order_key_type:16\n"),
    clean: sink("    depends_on: in\n    order_key: payload.id\n"),
  },
  {
    code: "cfg_batch_type",
    raises: sink("    depends_on: in\n    batch: { size: all } #! cfg_batch_type:20\n"),
    clean: sink("    depends_on: in\n    batch: {}\n"),
  },
  {
    code: "cfg_batch_range",
    raises: sink(
      "    depends_on: in\n    batch: { size: 0, timeout_ms: -1 } #! cfg_batch_range:20 cfg_batch_range:35\n",
    ),
    clean: sink("    depends_on: in\n    batch: { size: 1, timeout_ms: 0 }\n"),
  },
  {
    code: "cfg_workers_range",
    raises: pipeline("transforms:\n  t: { depends_on: in, workers: 0, split: {} } #! cfg_workers_range:33\n"),
    clean: pipeline("transforms:\n  t: { depends_on: in, workers: 4, split: {} }\n"),
  },
  {
    code: "cfg_version_range",
    raises: pipeline("sources:\n  in: { version: 0, cron: {} } #! cfg_version_range:18\n"),
    clean: pipeline("sources:\n  in: { version: 1, cron: {} }\n"),
  },
  {
    code: "cfg_grpc_type",
    raises: pipeline("sources:\n  in: { ticker: {}, grpc: on } #! cfg_grpc_type:27\n"),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
  {
    code: "cfg_grpc_type",
    raises: external(`${COMMAND}${SCHEMA}      permissions: { net: host } #! cfg_grpc_type:27\n`),
    clean: external(`${COMMAND}${SCHEMA}      permissions: { net: [host], read: true }\n`),
  },
  {
    code: "cfg_grpc_command",
    raises: external(`      command: ./t #! cfg_grpc_command:16\n${SCHEMA}`),
    clean: external(`      command: [./t, '']\n${SCHEMA}`),
  },
  {
    code: "cfg_grpc_command",
    raises: external("      schema: good.json #! cfg_grpc_command:7\n"),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
  {
    code: "cfg_grpc_env",
    raises: external(`${COMMAND}${SCHEMA}      env: { LEVEL: 1, '': x } #! cfg_grpc_env:21 cfg_grpc_env:24\n`),
    clean: external(`${COMMAND}${SCHEMA}      env: { LEVEL: '1', EMPTY: '' }\n`),
  },
  {
    code: "cfg_grpc_schema",
    raises: external(`      schema: [] #! cfg_grpc_schema:15\n${COMMAND}`),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
  {
    code: "cfg_grpc_restart",
    raises: external(`${COMMAND}${SCHEMA}      restart: always #! cfg_grpc_restart:16\n`),
    clean: external(`${COMMAND}${SCHEMA}      restart: fast-fail\n`),
  },
  {
    code: "topo_dup_name",
    raises: pipeline("sources:\n  a: { cron: {} }\nsinks:\n  a: { depends_on: a, drop: {} } #! topo_dup_name:3\n"),
    clean: pipeline("sources:\n  a: { cron: {} }\nsinks:\n  b: { depends_on: a, drop: {} }\n"),
  },
  {
    code: "grpc_manifest_read",
    raises: external(`${COMMAND}      schema: gone.json #! grpc_manifest_read:15\n`),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
  ...["no.json", "list.json", "nameless.json", "extra.json"].map((file): LoaderFixture => ({
    code: "grpc_manifest_parse",
    raises: external(`${COMMAND}      schema: ${file} #! grpc_manifest_parse:15\n`),
    clean: external(`${COMMAND}${SCHEMA}`),
  })),
  {
    code: "grpc_manifest_kind",
    raises: external(`${COMMAND}      schema: sink.json #! grpc_manifest_kind:15\n`),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
  {
    code: "grpc_manifest_version",
    raises: external(`${COMMAND}      schema: zero.json #! grpc_manifest_version:15\n`),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
  {
    code: "grpc_manifest_schema",
    raises: external(`${COMMAND}      schema: objekt.json #! grpc_manifest_schema:15\n`),
    clean: external(`${COMMAND}${SCHEMA}`),
  },
];
