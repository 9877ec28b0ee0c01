/** Owns one call of the program: from its arguments to its exit code. */

import { HOST_VERB } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { IsolateEntries } from "../ops/mod.ts";
import type { Plugin } from "../plugin/mod.ts";
import { parseCommandLine } from "./command_line.ts";
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE } from "./exit_code.ts";
import { errorText, usageErrorText } from "./error_text.ts";
import type { Invocation } from "./invocation.ts";
import { jsonText, Session } from "./session.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** What a program that calls {@linkcode runCli} may set. */
export interface RunCliOptions {
  /** Gives every plugin the program knows; called when a verb needs them. */
  readonly loadPlugins: () => Promise<readonly Plugin[]>;
  /** Where the entry files of a pipeline's isolates are. */
  readonly entries: IsolateEntries;
  /** The arguments behind the program's name. Default: the process's own. */
  readonly args?: readonly string[];
  /** Default: the process's own streams and signals. */
  readonly terminal?: Terminal;
}

/**
 * Does what the command line asks for and gives the exit code: 0 when all is well, 1 when a verdict or a run failed,
 * 2 when the command line is wrong. Never rejects.
 */
export async function runCli(options: RunCliOptions): Promise<number> {
  const args = options.args ?? Deno.args;
  if (args[0] === HOST_VERB) return await hostPipeline(options);
  const terminal = options.terminal ?? processTerminal();
  const parsed = parseCommandLine(args);
  try {
    if (parsed.kind === "help") {
      terminal.out(parsed.json ? jsonText({ help: parsed.text }) : parsed.text);
      return EXIT_OK;
    }
    if (parsed.kind === "usage") {
      terminal.err(`usage: ${parsed.text}\n`);
      if (parsed.json) terminal.out(jsonText({ error: { code: "usage", message: parsed.text } }));
      return EXIT_USAGE;
    }
    return await perform(parsed.invocation, new Session({ ...options, terminal, json: parsed.json }));
  } catch (caught) {
    return reportError(EventboatError.from(caught), { terminal, json: parsed.json });
  }
}

/** Hosts one pipeline for another process of the program, as `isolation: process` asks for. */
async function hostPipeline({ loadPlugins, entries }: RunCliOptions): Promise<number> {
  const { servePipelineProcess } = await import("../ops/mod.ts");
  const { readable: input } = Deno.stdin;
  await servePipelineProcess({ input, output: Deno.stdout.writable, entries, plugins: await loadPlugins() });
  return EXIT_OK;
}

/** Each verb is loaded when it is asked for, so that a small one does not wait for the large ones. */
async function perform(invocation: Invocation, session: Session): Promise<number> {
  switch (invocation.verb) {
    case "version":
      return (await import("./version_verb.ts")).versionVerb(session);
    case "init":
      return await (await import("./init_verb.ts")).initVerb(invocation, session);
    case "init list":
      return await (await import("./init_verb.ts")).initListVerb(session);
    case "verify":
      return await (await import("./verify_verb.ts")).verifyVerb(invocation, session);
    case "run":
      return await (await import("./run_verb.ts")).runVerb(invocation, session);
    case "test":
      return await (await import("./test_verb.ts")).testVerb(invocation, session);
    case "replay":
      return await (await import("./replay_verb.ts")).replayVerb(invocation, session);
    case "dlq list":
      return await (await import("./dlq_verbs.ts")).dlqListVerb(invocation, session);
    case "dlq count":
      return await (await import("./dlq_verbs.ts")).dlqCountVerb(invocation, session);
    case "dlq show":
      return await (await import("./dlq_verbs.ts")).dlqShowVerb(invocation, session);
    case "dlq export":
      return await (await import("./dlq_verbs.ts")).dlqExportVerb(invocation, session);
    case "explain":
      return await (await import("./explain_verb.ts")).explainVerb(invocation, session);
    case "repl":
      return await (await import("./repl_verb.ts")).replVerb(invocation, session);
    case "plugin catalog":
      return await (await import("./plugin_verbs.ts")).catalogVerb(session);
    case "plugin schema":
      return await (await import("./plugin_verbs.ts")).schemaVerb(invocation, session);
    case "store stats":
      return await (await import("./store_verbs.ts")).statsVerb(invocation, session);
    case "store check":
      return await (await import("./store_verbs.ts")).checkVerb(invocation, session);
    case "store salvage":
      return await (await import("./store_verbs.ts")).salvageVerb(invocation, session);
  }
}

function reportError(error: EventboatError, { terminal, json }: Pick<Session, "terminal" | "json">): number {
  if (error.code === "usage") terminal.err(usageErrorText(error.toRecord()));
  else terminal.err(errorText(error.toRecord()));
  if (error.code === "internal" && error.stack !== undefined) terminal.err(`${error.stack}\n`);
  if (json) terminal.out(jsonText({ error: error.toRecord() }));
  return error.code === "usage" ? EXIT_USAGE : EXIT_FAILED;
}
