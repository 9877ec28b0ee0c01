/** The command line: parses, calls an operation, renders its answer. */
export { runCli, type RunCliOptions } from "./run_cli.ts";
export { helpScreens } from "./command_line.ts";
