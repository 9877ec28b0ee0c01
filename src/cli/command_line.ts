/** Owns the command line: its verbs, their options, their help screens. */

import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import {
  type Choose,
  DATA_DIR_HELP,
  overlayOption,
  pipelineOptions,
  required,
  RUNTIME_HELP,
  single,
} from "./command_options.ts";
import { addDlq, addReplay } from "./letter_commands.ts";
import { addExplain } from "./explain/command.ts";
import { addInit } from "./init_command.ts";
import type { Invocation, ParsedCommandLine } from "./invocation.ts";
import { pathOf, unknownVerbText, UsageError, usageText } from "./usage_text.ts";

/** Columns of a help screen: the same everywhere, so that golden files can hold the screens; a usual terminal has them. */
const HELP_COLUMNS = 80;

const HELP_VERB = "help";

/** Most steps that `repl` takes; the operation has the same limit. */
const STEPS_MAX = 100_000_000;
const STORE_USAGE = "<pipeline> | --config <file>";

/** What other programs have taught users to type. */
const VERSION_FLAGS: readonly string[] = ["--version", "-V"];

/** Parses the arguments behind the program's name. Nothing is run and nothing is printed. */
export function parseCommandLine(args: readonly string[]): ParsedCommandLine {
  let invocation: Invocation | undefined;
  let help = "";
  const program = buildProgram((chosen) => {
    invocation = chosen;
  });
  for (const command of allCommands(program)) {
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
      // Help that commander writes because a command is missing: answered with a usage line instead.
      writeErr: () => {},
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
    command.exitOverride((error) => {
      throw error.exitCode === 0 ? error : new UsageError(command, error);
    });
  }
  const json = args.includes("--json");
  const rest = args.filter((arg) => arg !== "--json");
  if (rest.length === 0) return { kind: "help", text: program.helpInformation(), json };
  if (rest.length === 1 && VERSION_FLAGS.includes(rest[0] ?? "")) {
    return { kind: "verb", invocation: { verb: "version" }, json };
  }
  if (rest[0] === HELP_VERB) return helpFor(program, rest.slice(1), json);
  try {
    program.parse([...args], { from: "user" });
  } catch (caught) {
    if (caught instanceof UsageError) return { kind: "usage", text: usageText(caught), json };
    if (caught instanceof CommanderError) return { kind: "help", text: help, json };
    throw caught;
  }
  if (invocation === undefined) return { kind: "help", text: program.helpInformation(), json };
  return { kind: "verb", invocation, json: program.opts()["json"] === true };
}

/** The screen of the command that the words name; commander's own help verb looks at the first word alone. */
function helpFor(program: Command, words: readonly string[], json: boolean): ParsedCommandLine {
  let command = program;
  for (const word of words) {
    if (word.startsWith("-")) continue;
    const next = command.commands.find((sub) => sub.name() === word);
    if (next !== undefined) command = next;
    else if (word !== HELP_VERB) return { kind: "usage", text: unknownVerbText(command, word), json };
  }
  return { kind: "help", text: command.helpInformation(), json };
}

/** All commands with a help screen, by the words that name them: `""` is the program itself. */
export function helpScreens(): ReadonlyMap<string, string> {
  const screens = new Map<string, string>();
  for (const command of allCommands(buildProgram(() => {}))) {
    const words = pathOf(command);
    const parsed = parseCommandLine([...words, "--help"]);
    screens.set(words.join(" "), parsed.kind === "help" ? parsed.text : "");
  }
  return screens;
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((sub) => allCommands(sub))];
}

function buildProgram(choose: Choose): Command {
  const program = new Command("eventboat")
    .description("Carries events between systems and does not lose them.")
    .usage("[--json] <verb> [options]")
    .option("--json", "print one JSON document on stdout and nothing else there")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [verb]", "show the help of a verb")
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true });
  addInit(program, choose);
  addVerify(program, choose);
  addTest(program, choose);
  addRun(program, choose);
  addExplain(program, choose);
  addReplay(program, choose);
  addDlq(program, choose);
  addRepl(program, choose);
  addPlugin(program, choose);
  addStore(program, choose);
  program.command("version")
    .description("Show the version of this program and of what it stands on.")
    .usage("[--json]")
    .action(() => choose({ verb: "version" }));
  for (const command of allCommands(program)) command.copyInheritedSettings(program);
  return program;
}

function addVerify(program: Command, choose: Choose): void {
  interface Options {
    readonly config?: string;
    readonly overlay: string[];
    readonly runtime?: string;
    readonly strict?: boolean;
    readonly fix?: boolean;
  }
  pipelineOptions(
    program.command("verify")
      .description("Check a pipeline file and list everything that is wrong with it. Starts nothing.")
      .usage("--config <file> [--overlay <file>]... [--runtime <file>] [--strict] [--fix]"),
  )
    .addOption(single("--runtime <file>", RUNTIME_HELP))
    .option("--strict", "let warnings fail the verdict too")
    .option("--fix", "rewrite older spellings in the files, then check them")
    .action((options: Options, command: Command) =>
      choose({
        verb: "verify",
        config: required(options.config, command),
        overlays: options.overlay,
        runtime: options.runtime,
        strict: options.strict === true,
        fix: options.fix === true,
      })
    );
}

function addTest(program: Command, choose: Choose): void {
  interface Options {
    readonly updateGolden?: boolean;
    readonly junit?: string;
    readonly watch?: boolean;
  }
  program.command("test")
    .description("Run contract suites: pipelines on the real engine, fed by fixtures, their sinks captured.")
    .usage("<path>... [--update-golden] [--junit <file>] [--watch]")
    .argument("<path...>", "a suite file, or a folder that is searched for them")
    .option("--update-golden", "write golden files that differ, instead of failing")
    .addOption(single("--junit <file>", "write the report as JUnit XML too"))
    .option("--watch", "test again when a suite, a fixture, a pipeline or what it reads changes")
    .action((paths: string[], options: Options) =>
      choose({
        verb: "test",
        paths,
        updateGolden: options.updateGolden === true,
        junit: options.junit,
        watch: options.watch === true,
      })
    );
}

function addRun(program: Command, choose: Choose): void {
  interface Options {
    readonly config?: string;
    readonly overlay: string[];
    readonly dataDir?: string;
    readonly ephemeral?: boolean;
    readonly runtime?: string;
    readonly watch?: boolean;
  }
  pipelineOptions(
    program.command("run")
      .description("Verify a pipeline and run it, until it is done or asked to stop.")
      .usage("--config <file> [--overlay <file>]... [options]"),
  )
    .addOption(single("--data-dir <dir>", DATA_DIR_HELP))
    .option("--ephemeral", "keep the store in memory: nothing survives the run")
    .addOption(single("--runtime <file>", RUNTIME_HELP))
    .option("--watch", "verify again and restart when the pipeline file or an overlay changes")
    .action((options: Options, command: Command) =>
      choose({
        verb: "run",
        config: required(options.config, command),
        overlays: options.overlay,
        dataDir: options.dataDir,
        ephemeral: options.ephemeral === true,
        runtime: options.runtime,
        watch: options.watch === true,
      })
    );
}

function addRepl(program: Command, choose: Choose): void {
  interface Options {
    readonly script?: string;
    readonly cel?: string;
    readonly cesql?: string;
    readonly message?: string;
    readonly meta?: string;
    readonly constants?: string;
    readonly parameters?: string;
    readonly steps?: number;
    readonly history: boolean;
  }
  program.command("repl")
    .description("Try a script or an expression on a message; without either, a console opens.")
    .usage("[--script <file> | --cel <expr> | --cesql <expr>] [--message <json>] [options]")
    .addOption(single("--script <file>", "run a Starlark script once"))
    .addOption(single("--cel <expr>", "evaluate a CEL expression once"))
    .addOption(single("--cesql <expr>", "evaluate a CESQL expression once"))
    .addOption(single("--message <json>", "the payload, one JSON value, or a file of it (default: {})"))
    .addOption(single("--meta <json>", "metadata laid over message_id, ingest_time and source, or a file of it"))
    .addOption(single("--constants <json>", "the pipeline's constants, or a file of them"))
    .addOption(single("--parameters <json>", "the run's parameters, or a file of them"))
    .addOption(
      new Option("--steps <n>", "steps a script may take (default: as many as in a pipeline, 100000)")
        .argParser(stepsOf),
    )
    .option("--no-history", "neither read nor keep the lines that are typed")
    .addHelpText("after", '\n"-" in place of a file reads standard input.')
    .action((options: Options, command: Command) => {
      const { script, cel, cesql, message, meta, constants, parameters, steps, history } = options;
      const asked = [script, cel, cesql].filter((each) => each !== undefined).length;
      if (asked > 1) command.error("give one of --script, --cel, --cesql");
      if (asked === 0 && command.optsWithGlobals()["json"] === true) {
        command.error("--json needs --script, --cel or --cesql");
      }
      choose({ verb: "repl", script, cel, cesql, message, meta, constants, parameters, steps, history });
    });
}

function stepsOf(value: string): number {
  const steps = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (steps >= 1 && steps <= STEPS_MAX) return steps;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${STEPS_MAX}.`);
}

function addPlugin(program: Command, choose: Choose): void {
  const plugin = program.command("plugin")
    .description("Show which plugins there are and what their blocks look like.")
    .usage("<catalog|schema>");
  plugin.command("catalog")
    .description("List every plugin: kind, name, version, capabilities.")
    .usage("[--json]")
    .action(() => choose({ verb: "plugin catalog" }));
  interface Options {
    readonly kind?: string;
    readonly all?: boolean;
    readonly dir?: string;
    readonly document?: boolean;
    readonly suite?: boolean;
  }
  plugin.command("schema")
    .description("Print the JSON Schema of a plugin's block, of all of them, or of a whole file.")
    .usage("<name> [--kind <kind>] | --all --dir <dir> | --document | --suite")
    .argument("[name]", "the plugin")
    .addOption(
      new Option("--kind <kind>", "which, where several kinds have the name")
        .choices(["source", "transform", "sink", "codec"]),
    )
    .option("--all", "write the schema of every plugin into a folder")
    .addOption(single("--dir <dir>", "the folder, made where it is missing"))
    .option("--document", "print the schema of a whole pipeline file, for editors")
    .option("--suite", "print the schema of a contract suite, for editors")
    .action((name: string | undefined, options: Options, command: Command) => {
      const wholes = [options.all === true, options.document === true, options.suite === true];
      const chosen = [name !== undefined, ...wholes].filter(Boolean).length;
      if (chosen !== 1) command.error("give a name, --all, --document or --suite");
      if ((options.all === true) !== (options.dir !== undefined)) command.error("--all and --dir go together");
      if (options.kind !== undefined && name === undefined) command.error("--kind goes with a name");
      const whole = options.document === true ? "document" : options.suite === true ? "suite" : "one";
      const what = options.all === true ? "all" : whole;
      choose({ verb: "plugin schema", name, kind: options.kind, dir: options.dir, what });
    });
}

interface StoreOptions {
  readonly config?: string;
  readonly overlay: string[];
  readonly dataDir?: string;
  readonly runtime?: string;
  readonly to?: string;
}

function addStore(program: Command, choose: Choose): void {
  const store = program.command("store")
    .description("Look at a pipeline's store, check it, save what a damaged one holds.")
    .usage("<stats|check|salvage>");
  storeCommand(store, { verb: "stats", summary: "Show what a store holds." })
    .action((name: string | undefined, options: StoreOptions, command: Command) =>
      choose({ verb: "store stats", ...storeChoice(name, options, command) })
    );
  storeCommand(store, { verb: "check", summary: "Check that a store's file is whole and its contents agree." })
    .action((name: string | undefined, options: StoreOptions, command: Command) =>
      choose({ verb: "store check", ...storeChoice(name, options, command) })
    );
  storeCommand(store, {
    verb: "salvage",
    summary: "Copy what can be read of a damaged store into a new file.",
    required: [single("--to <file>", "the new store, which must not exist yet; required")],
  })
    .action((name: string | undefined, options: StoreOptions, command: Command) =>
      choose({
        verb: "store salvage",
        to: required(options.to, command, "--to <file>"),
        ...storeChoice(name, options, command),
      })
    );
}

/** A command on a store; `required` are options that it needs beside the store. */
function storeCommand(
  store: Command,
  { verb, summary, required = [] }: { readonly verb: string; readonly summary: string; readonly required?: Option[] },
): Command {
  const command = store.command(verb)
    .description(summary)
    .usage([STORE_USAGE, ...required.map(({ flags }) => flags), "[--data-dir <dir>]"].join(" "))
    .argument("[pipeline]", "the pipeline's name");
  for (const option of required) command.addOption(option);
  return overlayOption(command.addOption(single("--config <file>", "the pipeline file, instead of its name")))
    .addOption(single("--data-dir <dir>", DATA_DIR_HELP))
    .addOption(single("--runtime <file>", RUNTIME_HELP));
}

function storeChoice(name: string | undefined, options: StoreOptions, command: Command) {
  if ((name === undefined) === (options.config === undefined)) command.error("give a pipeline's name or --config");
  const { config, overlay, dataDir, runtime } = options;
  return { name, config, overlays: overlay, dataDir, runtime };
}
