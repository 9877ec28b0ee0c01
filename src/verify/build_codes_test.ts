import assert from "node:assert/strict";
import { DIAGNOSTIC_CODES } from "../diagnostics/mod.ts";
import { checkCase, codesOf } from "./build_case.ts";
import { EXPRESSIONS_CASES } from "./build_cases/expressions_cases.ts";
import { LINT_CASES } from "./build_cases/lint_cases.ts";
import { PLUGINS_CASES } from "./build_cases/plugins_cases.ts";
import { RUNS_CASES } from "./build_cases/runs_cases.ts";
import { TOPOLOGY_CASES } from "./build_cases/topology_cases.ts";

const CASES = [...TOPOLOGY_CASES, ...PLUGINS_CASES, ...EXPRESSIONS_CASES, ...RUNS_CASES, ...LINT_CASES];

for (const one of CASES) Deno.test(one.name, () => checkCase(one));

/** Codes that are raised where the documents here do not come: by the loader, or by what is no part of this build. */
const ELSEWHERE_REGEXP =
  /^(?:io_|yaml_|empty_|cfg_|runtime_|suite_|grpc_manifest_(?!name)|topo_dup_name|plugin_not_allowed|expr_wasm_|wasm_)/;

Deno.test("buildPlan: every code it may report has a document that provokes it and a cure", () => {
  const provoked = codesOf(CASES);
  const wanted = Object.keys(DIAGNOSTIC_CODES).filter((code) => !ELSEWHERE_REGEXP.test(code));
  assert.deepEqual(wanted.filter((code) => !provoked.has(code)), []);
});
