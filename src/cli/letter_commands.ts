/** Owns the command lines of `dlq` and `replay`. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { type Choose, DATA_DIR_HELP, pipelineOptions, required, RUNTIME_HELP, single } from "./command_options.ts";
import type { LetterChoice, LetterSelection } from "./invocation.ts";
import { letterIds } from "./letter_ids.ts";

interface SelectionOptions {
  readonly since?: string;
  readonly where?: string;
  readonly ids?: readonly number[];
  readonly limit?: number;
}

interface PipelineOptions {
  readonly config?: string;
  readonly overlay: string[];
  readonly dataDir?: string;
  readonly runtime?: string;
}

/** Messages that `dlq list` and `replay` take unless they are told otherwise; the operations have the same. */
export const LIMIT_DEFAULT = 100;
/** Most that a call may ask for; the operations have the same limit. */
export const LIMIT_MAX = 100_000_000;

const SELECTION_USAGE = "[--since <when>] [--where <cel>]";
const INTEGER_REGEXP = /^[0-9]+$/;

/** Adds `dlq` and its verbs. */
export function addDlq(program: Command, choose: Choose): void {
  const dlq = program.command("dlq")
    .description("Look at a pipeline's dead letters, while it runs too.")
    .usage("<list|count|show|export>");
  limitOption(letterCommand(dlq, "list", "List dead letters, the oldest first."), String(LIMIT_DEFAULT))
    .action((options: PipelineOptions & SelectionOptions, command: Command) =>
      choose({ verb: "dlq list", ...letterChoice(options, command), ...selection(options) })
    );
  letterCommand(dlq, "count", "Count dead letters by node and class.")
    .action((options: PipelineOptions & SelectionOptions, command: Command) =>
      choose({ verb: "dlq count", ...letterChoice(options, command), ...selection(options) })
    );
  storeOptions(
    dlq.command("show")
      .description("Show one dead letter whole: what it holds, why and where it failed.")
      .usage("<id> --config <file> [options]")
      .argument("<id>", "the letter's id", positive),
  ).action((id: number, options: PipelineOptions, command: Command) =>
    choose({ verb: "dlq show", id, ...letterChoice(options, command) })
  );
  interface ExportOptions extends PipelineOptions, SelectionOptions {
    readonly to?: string;
  }
  limitOption(letterCommand(dlq, "export", "Write dead letters as NDJSON, one whole letter a line."), "all")
    .addOption(single("--to <file>", "write into a file, which must not exist yet (default: stdout)"))
    .action((options: ExportOptions, command: Command) => {
      if (options.to === undefined && command.optsWithGlobals()["json"] === true) command.error("--json needs --to");
      choose({ verb: "dlq export", to: options.to, ...letterChoice(options, command), ...selection(options) });
    });
}

/** Adds `replay`. */
export function addReplay(program: Command, choose: Choose): void {
  interface Options extends PipelineOptions, SelectionOptions {
    readonly dlq?: boolean;
    readonly spool?: boolean;
    readonly job?: string;
    readonly from?: number;
    readonly to?: number;
    readonly at?: string;
    readonly delete?: boolean;
    readonly dryRun?: boolean;
    readonly ephemeral?: boolean;
  }
  const command = program.command("replay")
    .description("Bring dead letters or spooled messages into a pipeline again, its sources off.")
    .usage("--config <file> (--dlq | --spool --from <n> | --job <run>) [options]");
  const replay = storeOptions(command)
    .option("--dlq", "replay dead letters")
    .option("--spool", "replay messages of the spool")
    .addOption(single("--job <run>", "replay the dead letters of one run"))
    .addOption(new Option("--from <n>", "first sequence of the spool").argParser(positive))
    .addOption(new Option("--to <n>", "last sequence of the spool (default: the last one)").argParser(positive));
  limitOption(selectionOptions(replay), String(LIMIT_DEFAULT))
    .addOption(single("--at <node>", "enter this node, instead of the one it failed in or came in at"))
    .option("--delete", "delete letters once what they hold has committed")
    .option("--dry-run", "show what would be replayed, and start nothing")
    .option("--ephemeral", "leave the store as it is, locked or not: what the replay writes stays in memory")
    .action((options: Options, command: Command) => {
      const { dlq = false, spool = false, job, from, to, at } = options;
      if ([dlq, spool, job !== undefined].filter(Boolean).length !== 1) {
        command.error("give one of --dlq, --spool, --job");
      }
      if (spool && from === undefined) command.error("--spool needs --from");
      if (!spool && (from ?? to) !== undefined) command.error("--from and --to go with --spool");
      choose({
        verb: "replay",
        dlq,
        spool,
        job,
        from,
        to,
        at,
        delete: options.delete === true,
        dryRun: options.dryRun === true,
        ephemeral: options.ephemeral === true,
        ...letterChoice(options, command),
        ...selection(options),
      });
    });
}

function letterCommand(dlq: Command, verb: string, summary: string): Command {
  const command = dlq.command(verb).description(summary).usage(`--config <file> ${SELECTION_USAGE} [options]`);
  return selectionOptions(storeOptions(command));
}

function storeOptions(command: Command): Command {
  return pipelineOptions(command)
    .addOption(single("--data-dir <dir>", DATA_DIR_HELP))
    .addOption(single("--runtime <file>", RUNTIME_HELP));
}

function selectionOptions(command: Command): Command {
  return command
    .addOption(single("--since <when>", "only what failed since: 2h, 7d, 2026-03-01, 2026-03-01T12:00:00Z"))
    .addOption(single("--where <cel>", "only where this holds, over payload, meta and letter"))
    .addOption(new Option("--ids <list>", "only these letters, such as 3,7,10-15").argParser(letterIds));
}

function limitOption(command: Command, usual: string): Command {
  return command.addOption(new Option("--limit <n>", `at most so many (default: ${usual})`).argParser(limit));
}

function letterChoice(options: PipelineOptions, command: Command): LetterChoice {
  const { overlay, dataDir, runtime } = options;
  return { config: required(options.config, command), overlays: overlay, dataDir, runtime };
}

function selection({ since, where, ids, limit }: SelectionOptions): LetterSelection {
  return { since, where, ids, limit };
}

function positive(value: string): number {
  const number = INTEGER_REGEXP.test(value) ? Number(value) : 0;
  if (number >= 1 && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It must be a whole number of 1 or more.");
}

function limit(value: string): number {
  const number = positive(value);
  if (number <= LIMIT_MAX) return number;
  throw new InvalidArgumentError(`It must be at most ${LIMIT_MAX}.`);
}
