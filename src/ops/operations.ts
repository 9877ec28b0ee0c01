/** Owns the table of operations: everything the program can do, for whoever offers it. */

import { explainOperation } from "./explain/explain_operation.ts";
import { initOperation, initTemplatesOperation } from "./init/init_operation.ts";
import { pluginCatalogOperation, pluginSchemaFilesOperation, pluginSchemaOperation } from "./plugin_operations.ts";
import { dlqCountOperation, dlqListOperation, dlqShowOperation } from "./letters/dlq_operations.ts";
import { replayOperation } from "./letters/replay_operation.ts";
import { replOperation } from "./repl_operation.ts";
import { runOperation } from "./run_operation.ts";
import { storeCheckOperation, storeSalvageOperation, storeStatsOperation } from "./store_operations.ts";
import { testOperation } from "./test_operation.ts";
import { verifyOperation } from "./verify_operation.ts";
import { versionOperation } from "./version_operation.ts";

/** Every operation by its name. */
export const OPERATIONS = {
  init: initOperation,
  init_templates: initTemplatesOperation,
  verify: verifyOperation,
  test: testOperation,
  run: runOperation,
  explain: explainOperation,
  replay: replayOperation,
  dlq_list: dlqListOperation,
  dlq_show: dlqShowOperation,
  dlq_count: dlqCountOperation,
  repl: replOperation,
  plugin_catalog: pluginCatalogOperation,
  plugin_schema: pluginSchemaOperation,
  plugin_schema_files: pluginSchemaFilesOperation,
  store_stats: storeStatsOperation,
  store_check: storeCheckOperation,
  store_salvage: storeSalvageOperation,
  version: versionOperation,
} as const;
