/** Owns the options of the verb `init`. */

import type { Command } from "commander";
import { type Choose, single } from "./command_options.ts";

interface Options {
  readonly template?: string;
  readonly name?: string;
  readonly force?: boolean;
  readonly list?: boolean;
}

/** Adds the verb. */
export function addInit(program: Command, choose: Choose): void {
  program.command("init")
    .description("Write a starter pipeline, its test suite and a fixture, ready to verify, test and change.")
    .usage("[<dir>] [--template <name>] [--name <name>] [--force] | --list")
    .argument("[dir]", "the folder, made where it is missing (default: the one you are in)")
    .addOption(single("--template <name>", "file, webhook, kafka, sql or collector (default: file)"))
    .addOption(single("--name <name>", "the pipeline's name (default: the folder's)"))
    .option("--force", "overwrite files that are there; without it nothing is written then")
    .option("--list", "list the templates, and write nothing")
    .action((dir: string | undefined, { template, name, force, list }: Options, command: Command) => {
      const rest = [dir, template, name, force].some((each) => each !== undefined);
      if (list === true && rest) command.error("--list stands alone");
      choose(list === true ? { verb: "init list" } : { verb: "init", dir, template, name, force: force === true });
    });
}
