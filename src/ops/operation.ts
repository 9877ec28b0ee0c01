/** Owns the shape of an operation: what every surface (command line, admin, MCP) offers, described once. */

import type { Static, TSchema } from "typebox";
import type { Clock } from "../base/mod.ts";
import type { RuntimeDocument } from "../config/mod.ts";
import type { TestProgress } from "../contract/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { EngineCounts } from "../engine/mod.ts";
import type { IsolateEntries } from "../isolate/mod.ts";
import { type Plugin, Registry } from "../plugin/mod.ts";
import type { Definition } from "../schema/mod.ts";
import type { Logger } from "../telemetry/mod.ts";
import type { LetterHead, LetterView } from "./letters/letter_view.ts";
import type { EndedRun } from "./run_answer.ts";
import type { TestAnswer } from "./test_operation.ts";
import type { VerifyAnswer } from "./verify_operation.ts";

/** Whether an operation changes anything outside the program. */
export type Effect = "read" | "write";

/** What an operation is given beside its input. */
export interface OperationContext {
  readonly registry: Registry;
  readonly entries: IsolateEntries;
  readonly clock: Clock;
  /** Asks what is going on to stop. */
  readonly signal: AbortSignal;
  /** The value of an environment variable. */
  env(name: string): string | undefined;
  /** Makes the log, once the Runtime document says how it is to be. */
  openLog(settings: RuntimeDocument["log"]): Logger;
  /** Told what a running pipeline has done, about twice a second. */
  onStatus?(pipeline: string, counts: EngineCounts): void;
  /** Told the verdict on a watched file that changed and failed: the pipeline that runs goes on. */
  onVerdict?(verdict: VerifyAnswer): void;
  /** Given dead letters as they are read, a page at a time, instead of an answer that holds them all. */
  onLetters?(letters: readonly (LetterHead | LetterView)[]): void;
  /** Told how a run of a watched pipeline ended that others follow. */
  onEnd?(ended: EndedRun): void;
  /** Told after each case of a test. */
  onTestProgress?(progress: TestProgress): void;
  /** Told what came of each round of a watched test. */
  onTested?(answer: TestAnswer): void;
}

/** One thing the program can do. Handlers decide; surfaces parse, authenticate and render. */
export interface Operation<Input extends TSchema = TSchema, Output = unknown> {
  readonly name: string;
  /** One sentence for help, tools and the reference. */
  readonly summary: string;
  readonly effect: Effect;
  readonly input: Definition<Input>;
  /** What the answer looks like, as JSON Schema. */
  readonly output: TSchema;
  /** @throws {EventboatError} */
  handle(input: Static<Input>, context: OperationContext): Promise<Output>;
}

/**
 * Checks an input and runs an operation on it.
 * @throws {EventboatError} `usage` when the input does not fit; else what the operation throws.
 */
export function perform<Input extends TSchema, Output>(
  operation: Operation<Input, Output>,
  input: { readonly [field: string]: unknown },
  context: OperationContext,
): Promise<Output> {
  const parsed = operation.input.parse(input);
  if (parsed.ok) return operation.handle(parsed.value, context);
  const what = parsed.issues.map((issue) => issue.message).join("; ");
  return Promise.reject(new EventboatError("usage", `cannot perform ${operation.name}: ${what}`));
}

/** The registry an operation is given. @throws {EventboatError} `usage` when two plugins of a kind share a name. */
export function openRegistry(plugins: Iterable<Plugin>): Registry {
  return new Registry(plugins);
}
