/** Owns the options of the verb `explain`. */

import type { Command } from "commander";
import { type Choose, DATA_DIR_HELP, pipelineOptions, required, RUNTIME_HELP, single } from "../command_options.ts";

interface Options {
  readonly config?: string;
  readonly overlay: string[];
  readonly message?: string;
  readonly at?: string;
  readonly codec?: string;
  readonly meta?: string;
  readonly parameters?: string;
  readonly topology?: boolean;
  readonly svg?: string;
  readonly permissions?: boolean;
  readonly dataDir?: string;
  readonly runtime?: string;
}

/** Options that say something of a message. */
const SAMPLE_OPTIONS = ["at", "codec", "meta", "parameters"] as const;

/** Adds the verb. */
export function addExplain(program: Command, choose: Choose): void {
  pipelineOptions(
    program.command("explain")
      .description("Tell what a pipeline would do, or what becomes of one message in it. Nothing is written.")
      .usage("--config <file> [--overlay <file>]... [--message <file>] [options]"),
  )
    .addOption(single("--message <file>", "a message as a source would bring it; transforms and conditions run on it"))
    .addOption(single("--at <node>", "the node that the message enters (default: the first source)"))
    .addOption(single("--codec <name>", "the codec of the message (default: the decoder of its source)"))
    .addOption(single("--meta <json>", "metadata laid over message_id, ingest_time and source, or a file of it"))
    .addOption(single("--parameters <json>", "the run's parameters, or a file of them (default: as declared)"))
    .option("--topology", "draw the pipeline, for Mermaid and in text")
    .addOption(single("--svg <file>", "write a drawing of the pipeline as SVG"))
    .option("--permissions", "tell what each node needs and each isolate may do")
    .addOption(single("--data-dir <dir>", DATA_DIR_HELP))
    .addOption(single("--runtime <file>", RUNTIME_HELP))
    .addHelpText("after", '\n"-" in place of a file that is read reads standard input.')
    .action((options: Options, command: Command) => {
      const { message, at, codec, meta, parameters, svg, dataDir, runtime } = options;
      const idle = SAMPLE_OPTIONS.find((name) => options[name] !== undefined);
      if (message === undefined && idle !== undefined) command.error(`--${idle} goes with --message`);
      choose({
        verb: "explain",
        config: required(options.config, command),
        overlays: options.overlay,
        message,
        at,
        codec,
        meta,
        parameters,
        topology: options.topology === true,
        svg,
        permissions: options.permissions === true,
        dataDir,
        runtime,
      });
    });
}
