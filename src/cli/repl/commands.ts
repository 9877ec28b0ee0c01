/** Owns the commands of a console: lines that begin with a colon. */

import { didYouMean } from "../../base/mod.ts";

/** What a command does. */
export type CommandName =
  | "help"
  | "message"
  | "payload"
  | "meta"
  | "cel"
  | "cesql"
  | "script"
  | "list"
  | "undo"
  | "reset"
  | "save"
  | "quit";

/** A command that was typed. */
export interface Command {
  readonly name: CommandName;
  /** What stands behind the name; empty where nothing does. */
  readonly argument: string;
}

interface CommandInfo {
  readonly name: CommandName;
  readonly aliases?: readonly string[];
  readonly argument?: string;
  readonly help: string;
}

const COMMANDS: readonly CommandInfo[] = [
  { name: "help", help: "show this" },
  { name: "message", argument: "[FILE]", help: "try things on another message (JSON), or show the present one" },
  { name: "payload", help: "show the payload as the script leaves it" },
  { name: "meta", help: "show the metadata as the script leaves it" },
  { name: "cel", argument: "[EXPR]", help: "evaluate a CEL expression, or every line from now on" },
  { name: "cesql", argument: "[EXPR]", help: "the same in CESQL" },
  { name: "script", argument: "[FILE]", help: "go back to Starlark; a file becomes the session's script" },
  { name: "list", aliases: ["show"], help: "show the session's script" },
  { name: "undo", help: "take the last statement back" },
  { name: "reset", help: "begin again with an empty script" },
  { name: "save", argument: "FILE", help: "write the session's script to a file" },
  { name: "quit", aliases: ["q", "exit"], help: "leave, as Ctrl-D does" },
];

const HELP_HEAD = `Each line joins the session's script, which runs again on the original message.
A line that fails is not kept. The value of a line that is an expression is
shown, print() prints.

`;

const HELP_TAIL = `
A def, if or for goes on until a blank line, an open bracket until it is closed.
An expression sees the message as the script leaves it. Ctrl-C drops the line,
Tab completes names.
`;

/** What `:help` shows. */
export function helpText(): string {
  const rows = COMMANDS.map(({ name, argument = "", aliases = [], help }) => {
    const also = aliases.length === 0 ? "" : ` (also ${aliases.map((alias) => `:${alias}`).join(", ")})`;
    return `  ${`:${name} ${argument}`.padEnd(17)}${help}${also}\n`;
  });
  return HELP_HEAD + rows.join("") + HELP_TAIL;
}

/** Every command as it is typed, without its argument. */
export function commandWords(): readonly string[] {
  return COMMANDS.map(({ name }) => `:${name}`);
}

/** Whether a line is meant as a command: nothing of any language here begins with a colon. */
export function isCommand(line: string): boolean {
  return line.trimStart().startsWith(":");
}

/** Reads a command, or says what is wrong with it. */
export function parseCommand(line: string): Command | { readonly problem: string } {
  const [, word = "", argument = ""] = /^\s*:(\S*)\s*([\s\S]*?)\s*$/.exec(line) ?? [];
  const info = COMMANDS.find(({ name, aliases }) => name === word || aliases?.includes(word) === true);
  if (info === undefined) {
    const near = didYouMean(word, COMMANDS.map(({ name }) => name));
    return { problem: `there is no command :${word} (${near ?? ":help lists them"})` };
  }
  const { name } = info;
  if (argument !== "" && info.argument === undefined) return { problem: `:${name} takes no argument` };
  if (argument === "" && info.argument !== undefined && !info.argument.startsWith("[")) {
    return { problem: `:${name} needs an argument: :${name} ${info.argument}` };
  }
  return { name, argument };
}
