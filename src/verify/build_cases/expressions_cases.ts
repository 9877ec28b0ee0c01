/** Owns the documents that say what verification tells about expressions and routes. */

import type { BuildCase } from "../build_case.ts";

/** Each code with a document that provokes it, and with the change that cures it. */
export const EXPRESSIONS_CASES: readonly BuildCase[] = [
  {
    name: "expr_cel_compile: the place inside plain, quoted and block text",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  plain:
    depends_on:
      - ingest: {when: payload.a == } #! expr_cel_compile:36
    drop: {}
  quoted:
    depends_on: {ingest: {when: "payload.\\u0061 == 'x' &&"}} #! expr_cel_compile:58
    drop: {}
  folded:
    depends_on:
      ingest:
        when: >-
          payload.region == "eu" &&
          payload.vip ==
    drop: {}
  keyed:
    depends_on: [ingest]
    order_key: payload.( #! expr_cel_compile:24
    drop: {}
`,
    also: ["expr_cel_compile:17:25"],
    cure: [
      ["payload.a == ", "payload.a == 1"],
      ["'x' &&", "'x'"],
      ["payload.vip ==", "payload.vip == true"],
      ["payload.(", "payload.key"],
    ],
  },
  {
    name: "expr_route_compile: a route that cannot be written in CEL",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  enrich: {depends_on: [ingest], script: 'meta.route = "a"'}
sinks:
  out:
    depends_on:
      - enrich: {route: "\\ud800"} #! expr_route_compile:25
    drop: {}
`,
    cure: [["\\ud800", "a"]],
  },
  {
    name: "expr_route_dangling: nothing before the edge assigns meta.route",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  first: {depends_on: [ingest], script: payload.x = 1}
  second: {depends_on: [first], split: {}}
sinks:
  out: {depends_on: {second: {route: eu}}, drop: {}} #! expr_route_dangling:38
  early: {depends_on: {ingest: {route: eu}}, drop: {}} #! expr_route_dangling:40
  all: {depends_on: [second], drop: {}}
`,
    cure: [["payload.x = 1", "meta.route = x"], ["{ingest: {route: eu}}", "[first]"]],
  },
  {
    name: "expr_cesql_compile: the place inside the expression, all of them",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out:
    depends_on:
      ingest:
        when: {lang: cesql, expr: "type == 'order' AND data.amount > 5"} #! expr_cesql_compile:41
    drop: {}
  other:
    depends_on:
      ingest:
        when:
          lang: cesql
          expr: UPER(type) = 'A' AND time > '2026-03' AND order_id = 7 #! expr_cesql_compile:17 expr_cesql_compile:45 expr_cesql_compile:59
    drop: {}
  third:
    depends_on: {ingest: {when: {lang: cesql, expr: "UPER(type) = LEFT(subject)"}}} #! expr_cesql_compile:54 expr_cesql_compile:67
    drop: {}
`,
    cure: [
      ["==", "="],
      ["UPER(type) = 'A'", "UPPER(type) = 'A'"],
      ["time > '2026-03'", "time LIKE '2026-03%'"],
      ["order_id", "orderid"],
      ["UPER(type) = LEFT(subject)", "UPPER(type) = LEFT(subject, 3)"],
    ],
  },
  {
    name: "expr_cel_env: a constant that is not declared",
    yaml: `
constants: {region: eu}
sources:
  ingest: {file: {path: a}}
sinks:
  out:
    depends_on:
      ingest: {when: "payload.region == constants.regoin && constants.region != ''"} #! expr_cel_env:41
    drop: {}
`,
    cure: [["constants.regoin", "constants.region"]],
  },
  {
    name: "expr_cel_env: a constant that a script reads and that is not declared",
    yaml: `
constants: {region: eu, scale: 2}
sources:
  ingest: {file: {path: a}}
transforms:
  shape:
    depends_on: [ingest]
    script: |
      payload.scale = constants.scale
      payload.x = constants.scal #! expr_cel_env:19
sinks:
  out:
    depends_on: {shape: {when: payload.x == constants.region}}
    drop: {}
`,
    cure: [["constants.scal ", "constants.scale "]],
  },
];
