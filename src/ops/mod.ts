/** One table of operations: what every surface offers, decided once. */
export { anyPluginSchema, documentSchema, pluginSchema } from "./document_schema.ts";
export type { JsonSchema } from "./key_schema.ts";
export type { ExplainAnswer, Explanation } from "./explain/explain_operation.ts";
export type {
  EdgeOutline,
  NodeOutline,
  PermissionOutline,
  PlanOutline,
  Walk,
  WalkEdge,
  WalkOutput,
  WalkStep,
} from "../explain/mod.ts";
export { type Effect, openRegistry, type Operation, type OperationContext, perform } from "./operation.ts";
export {
  EXPRESSION_LANGUAGES,
  type ExpressionLanguage,
  type ExpressionOutcome,
  type ExpressionTrial,
} from "./repl/expression_trial.ts";
export type { DataChange } from "../base/mod.ts";
export type { ReplFailure, ReplIssue } from "./repl/failure.ts";
export { readEnvironment, readSample, type ReplSample, type SampleTexts } from "./repl/sample.ts";
export type { Output as ReplOutput, ScriptOutcome } from "./repl/script_trial.ts";
export { ReplSession, type SessionStep } from "./repl/session.ts";
export { StatementLines } from "./repl/statement_lines.ts";
export { isScriptAnswer, REPL_STEPS_DEFAULT, REPL_STEPS_MAX, type ReplAnswer } from "./repl_operation.ts";
export type { InitAnswer, InitTemplatesAnswer } from "./init/init_operation.ts";
export type { DlqCountAnswer, DlqListAnswer } from "./letters/dlq_operations.ts";
export type { ContentView, LetterHead, LetterView } from "./letters/letter_view.ts";
export type { ExpectedEnd } from "../replay/mod.ts";
export type { EndedReplay, ReplayAnswer } from "./letters/replay_operation.ts";
export { LETTER_IDS_MAX, LIMIT_DEFAULT, LIMIT_MAX } from "./letters/selection.ts";
export { OPERATIONS } from "./operations.ts";
export type { CatalogEntry } from "./plugin_operations.ts";
export type { EndedRun, EngineCounts, RunAnswer } from "./run_answer.ts";
export type { StoreCheckAnswer, StoreSalvageAnswer, StoreStatsAnswer } from "./store_operations.ts";
export { reportText, type TestProgress, type TestReport } from "../contract/mod.ts";
export type { TestAnswer } from "./test_operation.ts";
export type { VerifyAnswer } from "./verify_operation.ts";
export { type IsolateEntries, servePipelineProcess } from "../isolate/mod.ts";
