/** Owns the fixtures of the loader's codes for a document's head, substitution and overlays. */

import { type LoaderFixture, pipeline } from "./annotated.ts";

const NODES = "sources: { in: { cron: {} } }\nsinks: { out: { depends_on: in, drop: {} } }\n";

/** One fixture or more for each code. */
export const DOCUMENT_FIXTURES: readonly LoaderFixture[] = [
  {
    code: "yaml_parse",
    raises: "apiVersion: eventboat/v1\nkind: [Pipeline\nmetadata: {} #! yaml_parse:1\n",
    clean: pipeline(""),
  },
  {
    code: "yaml_parse",
    raises: "- apiVersion: eventboat/v1 #! yaml_parse:1\n",
    clean: pipeline(""),
  },
  {
    code: "yaml_parse",
    raises: `${pipeline("")}--- #! yaml_parse:1\na: b\n`,
    clean: `---\n${pipeline("")}...\n`,
  },
  {
    code: "yaml_parse",
    raises: pipeline(
      "sinks:\n  out: { depends_on: in, drop: {} }\n  out: { depends_on: in, drop: {} } #! yaml_parse:3\n",
    ),
    clean: pipeline("sinks:\n  out: { depends_on: in, drop: {} }\n  out2: { depends_on: in, drop: {} }\n"),
  },
  { code: "empty_config", raises: "#! empty_config:1\n", clean: pipeline("# only a comment\n") },
  {
    code: "cfg_unknown_top_section",
    raises: pipeline("limit: { max_in_flight: 5 } #! cfg_unknown_top_section:1\n"),
    clean: pipeline("limits: { max_in_flight: 5 }\nx-anything: [1]\n"),
  },
  {
    code: "cfg_api_version",
    raises: `apiVersion: eventboat/v3 #! cfg_api_version:13\nkind: Pipeline\nmetadata: { name: a }\n${NODES}`,
    clean: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: a }\n${NODES}`,
  },
  {
    code: "cfg_api_version",
    raises: `kind: Pipeline #! cfg_api_version:1\nmetadata: { name: a }\n${NODES}`,
    clean: pipeline(""),
  },
  {
    code: "cfg_kind",
    raises: `apiVersion: eventboat/v1\nkind: Runtime #! cfg_kind:7\nmetadata: { name: a }\n${NODES}`,
    clean: pipeline(""),
  },
  {
    code: "cfg_kind",
    raises: `apiVersion: eventboat/v1 #! cfg_kind:1\nmetadata: { name: a }\n${NODES}`,
    clean: pipeline(""),
  },
  {
    code: "cfg_metadata_name",
    raises: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { description: x } #! cfg_metadata_name:1\n${NODES}`,
    clean: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: x, description: x }\n${NODES}`,
  },
  {
    code: "cfg_metadata_name",
    raises: `apiVersion: eventboat/v1 #! cfg_metadata_name:1\nkind: Pipeline\n${NODES}`,
    clean: pipeline(""),
  },
  {
    code: "cfg_metadata_type",
    raises: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: demo #! cfg_metadata_type:11\n${NODES}`,
    clean: pipeline(""),
  },
  {
    code: "cfg_metadata_type",
    raises: "apiVersion: eventboat/v1\nkind: Pipeline\n" +
      `metadata: { name: a, labels: { team: 1 } } #! cfg_metadata_type:38\n${NODES}`,
    clean: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: a, labels: { team: "1", note: "" } }\n${NODES}`,
  },
  {
    code: "cfg_name_invalid",
    raises: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: com1.x } #! cfg_name_invalid:19\n${NODES}`,
    clean: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: com.x }\n${NODES}`,
  },
  {
    code: "cfg_name_invalid",
    raises: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: 2026 } #! cfg_name_invalid:19\n${NODES}`,
    clean: `apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: { name: "2026" }\n${NODES}`,
  },
  {
    code: "cfg_name_invalid",
    raises: pipeline('sources:\n  "a b": { cron: {} } #! cfg_name_invalid:3\n'),
    clean: pipeline('sources:\n  "a-b": { cron: {} }\n'),
  },
  {
    code: "cfg_env_unset",
    raises: pipeline('sinks:\n  out:\n    depends_on: in\n    file: { path: "/logs/${GONE}" } #! cfg_env_unset:26\n'),
    clean: pipeline('sinks:\n  out:\n    depends_on: in\n    file: { path: "/logs/${WORD}/${GONE:-x}/$${GONE}" }\n'),
  },
  {
    code: "cfg_env_unset",
    raises: pipeline("limits:\n  max_in_flight: ${GONE} #! cfg_env_unset:18\n"),
    clean: pipeline("limits:\n  max_in_flight: ${COUNT}\n"),
  },
  {
    code: "cfg_constant_unknown",
    raises: pipeline(
      "constants: { region: eu }\ncodecs:\n  c: { type: 'x-${constants.regoin}' } #! cfg_constant_unknown:17\n",
    ),
    clean: pipeline("constants: { region: eu }\ncodecs:\n  c: { type: 'x-${constants.region}' }\n"),
  },
  {
    code: "cfg_constant_unknown",
    raises: pipeline("constants:\n  a: ${constants.b} #! cfg_constant_unknown:6\n  b: 1\n"),
    clean: pipeline("constants:\n  b: 1\n  a: ${constants.b}\n"),
  },
  {
    code: "cfg_constant_unknown",
    raises: pipeline("constants: { a: [1] }\ndlq:\n  retention: ${constants.a} #! cfg_constant_unknown:14\n"),
    clean: pipeline("constants: { a: { b: 1d } }\ndlq:\n  retention: ${constants.a.b}\n"),
  },
  {
    code: "cfg_scope_unknown",
    raises: pipeline("constants:\n  a: x ${constant.b} #! cfg_scope_unknown:8\n"),
    clean: pipeline("constants:\n  a: x $${constant.b}\n"),
  },
  {
    code: "cfg_scope_unknown",
    raises: pipeline("codecs:\n  c: { type: csv, x: '${parameters.p}' } #! cfg_scope_unknown:23\n"),
    clean: pipeline("run: { mode: job }\ncodecs:\n  c: { type: csv, x: '${parameters.p}' }\n"),
  },
  {
    code: "cfg_scope_unknown",
    raises: pipeline("constants: { a: b }\ndlq:\n  retention: ${?constants.a} #! cfg_scope_unknown:14\n"),
    clean: pipeline("dlq:\n  retention: ${?GONE}\n"),
  },
  {
    code: "cfg_scope_unknown",
    raises: pipeline("constants:\n  a: x ${ #! cfg_scope_unknown:8\n"),
    clean: pipeline("constants:\n  a: x $${ { $\n"),
  },
  {
    code: "cfg_overlay",
    raises: pipeline(""),
    overlay: "metadata: { labels: <<remove>> } #! cfg_overlay:13\nsinks: x #! cfg_overlay:1\n",
    clean: pipeline("limits: { max_in_flight: 5 }\n"),
    cleanOverlay: "limits: <<remove>>\nsinks: { out: { drop: <<remove>>, debug: {} } }\n",
  },
];
