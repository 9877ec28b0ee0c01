/** Owns the one line that answers a command line which cannot be followed: the trouble first, then what is expected. */

import type { Command, CommanderError } from "commander";
import { didYouMean } from "../base/mod.ts";

const ERROR_PREFIX_REGEXP = /^error: /;
const FULL_STOP_REGEXP = /\.$/;
const LINE_END_REGEXP = /\s*\n\s*/g;

/** A command line that cannot be followed, with the command it was meant for. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly command: Command;
  readonly code: string;

  constructor(command: Command, cause: CommanderError) {
    super(cause.message, { cause });
    this.command = command;
    this.code = cause.code;
  }
}

/** One line without its newline. */
export function usageText(error: UsageError): string {
  return `${problemOf(error).replace(FULL_STOP_REGEXP, "")}; ${synopsis(error.command)}`;
}

/** The same for words behind `help` that name no command below `command`. */
export function unknownVerbText(command: Command, word: string): string {
  return `${unknownVerb(command, word)}; ${synopsis(command)}`;
}

/** The words that name a command, without the program's own name. */
export function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function synopsis(command: Command): string {
  return `${["eventboat", ...pathOf(command)].join(" ")} ${command.usage()}`;
}

function problemOf({ command, code, message }: UsageError): string {
  const [word] = command.args;
  switch (code) {
    case "commander.help":
    case "commander.unknownCommand":
      if (word !== undefined) return unknownVerb(command, word);
      return `a command is missing: ${verbsOf(command).join(", ")}`;
    case "commander.excessArguments":
      return excess(command);
    case "commander.error":
      // Of this program's own words, which quote with " already: an apostrophe in them is one.
      return message;
    default:
      return message.replace(ERROR_PREFIX_REGEXP, "").replaceAll(LINE_END_REGEXP, " ").replaceAll("'", '"')
        .replace("(Did you mean", "(did you mean");
  }
}

function verbsOf(command: Command): readonly string[] {
  return command.commands.map((sub) => sub.name());
}

function unknownVerb(command: Command, word: string): string {
  const path = ["eventboat", ...pathOf(command)].join(" ");
  const verbs = verbsOf(command);
  return `there is no verb "${word}" of ${path} (${didYouMean(word, verbs) ?? `known: ${verbs.join(", ")}`})`;
}

/** A file that stands where no argument can is mostly the pipeline's. */
function excess(command: Command): string {
  const [first = ""] = command.args.slice(command.registeredArguments.length);
  const takesConfig = command.options.some(({ long }) => long === "--config");
  const hint = takesConfig && command.getOptionValue("config") === undefined
    ? ` (did you mean --config ${first}?)`
    : "";
  return `unexpected argument "${first}"${hint}`;
}
