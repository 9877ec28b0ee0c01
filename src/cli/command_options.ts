/** Owns the options that several verbs share, and how an option's value is judged. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { Invocation } from "./invocation.ts";

/** Takes what the command line asks for. */
export type Choose = (invocation: Invocation) => void;

/** Of `--data-dir`. */
export const DATA_DIR_HELP = "folder of the stores, instead of storage.data_dir (default: data)";
/** Of `--runtime`. */
export const RUNTIME_HELP = "the Runtime document (default: ./eventboat.yaml where there is one)";

/** `--config` and `--overlay`. */
export function pipelineOptions(command: Command): Command {
  return overlayOption(command.addOption(single("--config <file>", "the pipeline file")));
}

/** An option with a value that may be given once: of two, one would be dropped in silence. */
export function single(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, before: string | undefined) => {
    if (before === undefined) return value;
    throw new InvalidArgumentError(`It was given before as "${before}", and may be given once.`);
  });
}

/** Checked by hand: commander looks for required options before it looks for misspelt ones. */
export function required(value: string | undefined, command: Command, option = "--config <file>"): string {
  return value ?? command.error(`${option} is required`);
}

/** `--overlay`, as often as one likes. */
export function overlayOption(command: Command): Command {
  return command.addOption(
    new Option("--overlay <file>", "merge a file onto the pipeline; may be given again")
      .argParser((file: string, before: string[]) => [...before, file])
      .default([], "none"),
  );
}
