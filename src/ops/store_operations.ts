/** Owns the operations on a pipeline's store: what it holds, whether it is whole, what can be saved of it. */

import { EventboatError, renderDiagnosticInline } from "../diagnostics/mod.ts";
import { block, data, define, nameProblem, optional, text } from "../schema/mod.ts";
import {
  checkStore,
  type SalvageReport,
  salvageStore,
  type StoreFinding,
  storePath,
  type StoreStats,
  storeStats,
} from "../store/mod.ts";
import { verifyFile } from "../verify/mod.ts";
import { configField, dataDirField, overlaysField, runtimeField } from "./fields.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { openRuntime } from "./runtime.ts";
import { verifyOptions } from "./verify_operation.ts";

const choiceFields = {
  name: optional(text({ description: "The pipeline's name." })),
  config: optional(configField),
  overlays: overlaysField,
  data_dir: optional(dataDirField),
  runtime: optional(runtimeField),
};

/** Which store an operation is about. */
interface StoreChoice {
  readonly name?: string;
  readonly config?: string;
  readonly overlays: readonly string[];
  readonly data_dir?: string;
  readonly runtime?: string;
}

/** A name with the ending of a pipeline file. */
const FILE_NAME_REGEXP = /\.ya?ml$/i;

/** The store of a pipeline that is named, or whose file is. */
function chosenStore(choice: StoreChoice, context: OperationContext): string {
  const opened = openRuntime(choice, context);
  if (opened.kind === "opened") return storePath(opened.runtime.storage.dataDir, chosenName(choice, context));
  const findings = opened.verdict.diagnostics.map(renderDiagnosticInline).join("; ");
  throw new EventboatError("config_invalid", `the Runtime document is not right: ${findings}`);
}

/** What a store threw. Where there is none by a name that looks like a file, that was probably the pipeline's file. */
function meant({ name }: StoreChoice, caught: unknown): unknown {
  const isFile = name !== undefined && FILE_NAME_REGEXP.test(name);
  if (!isFile || !(caught instanceof EventboatError) || caught.code !== "store_open") return caught;
  return new EventboatError(caught.code, caught.message, { cause: caught, hint: `did you mean --config ${name}?` });
}

function lookAt<T>(choice: StoreChoice, look: () => T): T {
  try {
    return look();
  } catch (caught) {
    throw meant(choice, caught);
  }
}

function chosenName({ name, config, overlays }: StoreChoice, context: OperationContext): string {
  if ((name === undefined) === (config === undefined)) {
    throw new EventboatError("usage", "a store is told by its pipeline's name, or by the pipeline's file");
  }
  if (name !== undefined) {
    const problem = nameProblem(name);
    if (problem === undefined) return name;
    throw new EventboatError("usage", `${JSON.stringify(name)} cannot be a pipeline's name: it ${problem}`);
  }
  const { document } = verifyFile(verifyOptions({ config: config ?? "", overlays }, context));
  // A pipeline that does not pass any more still has its store: only its name is asked for.
  if (document !== undefined) return document.name;
  throw new EventboatError("config_invalid", `cannot tell the pipeline's name from ${JSON.stringify(config)}`, {
    hint: `eventboat verify --config ${config} says what is wrong with it`,
  });
}

/** What `store stats` answers. */
export interface StoreStatsAnswer extends StoreStats {
  /** The store's file. */
  readonly store: string;
}

const statsInput = block(choiceFields);

/** Tells what a store holds. */
export const storeStatsOperation: Operation<typeof statsInput, StoreStatsAnswer> = {
  name: "store_stats",
  summary: "Tells what a pipeline's store holds.",
  effect: "read",
  input: define(statsInput),
  output: data({ description: "{store, schemaVersion, checkpoint, firstSeq, lastSeq, segments, messages, ...}" }),
  handle: (choice, context) =>
    Promise.try(() => {
      const store = chosenStore(choice, context);
      return { store, ...lookAt(choice, () => storeStats(store)) };
    }),
};

/** What `store check` answers. */
export interface StoreCheckAnswer {
  readonly ok: boolean;
  readonly store: string;
  readonly findings: readonly StoreFinding[];
}

const checkInput = block(choiceFields);

/** Checks that a store is whole. */
export const storeCheckOperation: Operation<typeof checkInput, StoreCheckAnswer> = {
  name: "store_check",
  summary: "Checks that a pipeline's store is whole and its contents agree.",
  effect: "read",
  input: define(checkInput),
  output: data({ description: "{ok, store, findings: [{severity, what}]}" }),
  handle: (choice, context) =>
    Promise.try(() => {
      const store = chosenStore(choice, context);
      const findings = lookAt(choice, () => checkStore(store));
      return { ok: findings.every(({ severity }) => severity !== "error"), store, findings };
    }),
};

/** What `store salvage` answers. */
export interface StoreSalvageAnswer extends SalvageReport {
  readonly store: string;
  /** The new file. */
  readonly to: string;
}

const salvageInput = block({ ...choiceFields, to: text({ description: "The new store; must not exist." }) });

/** Copies what can be read of a damaged store. */
export const storeSalvageOperation: Operation<typeof salvageInput, StoreSalvageAnswer> = {
  name: "store_salvage",
  summary: "Copies what can be read of a damaged store into a new file.",
  effect: "write",
  input: define(salvageInput),
  output: data({
    description:
      "{store, to, segments, messages, uncommitted, deadLetters, sourceStates, checkpoint, lost, messagesLost, " +
      "lossKnown, notes}",
  }),
  async handle(choice, context) {
    const store = chosenStore(choice, context);
    const report = await salvageStore(store, choice.to).catch((caught) => {
      throw meant(choice, caught);
    });
    return { store, to: choice.to, ...report };
  },
};
