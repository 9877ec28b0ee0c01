/** Owns what Tab offers. */

import type { ReplSession } from "../../ops/mod.ts";
import type { ConsoleMode } from "./console.ts";
import { commandWords, isCommand } from "./commands.ts";

/** A path of names that is being typed, at the end of a line: what stands before its last dot, and the rest. */
const TYPED_PATH_REGEXP = /(?:^|[^\p{L}\p{Nd}_.])((?:[\p{L}_][\p{L}\p{Nd}_]*\.)*)([\p{L}_][\p{L}\p{Nd}_]*)?$/u;
/** A command in front of an expression or a file. */
const COMMAND_REGEXP = /^\s*:\S*$/;

/** What may stand at the end of a line, and the part of the line that it takes the place of. */
export type Completion = readonly [candidates: string[], typed: string];

/** Completes the end of a line: commands, names, and fields and methods behind a dot. */
export function complete(
  line: string,
  session: ReplSession,
  mode: ConsoleMode,
): Completion {
  if (isCommand(line) && COMMAND_REGEXP.test(line)) {
    const typed = line.trimStart();
    return [commandWords().filter((word) => word.startsWith(typed)), typed];
  }
  const [, path = "", name = ""] = TYPED_PATH_REGEXP.exec(line) ?? [];
  if (path === "" && name === "") return [[], line];
  // An expression sees the fields of the message, and none of the names or methods of a script.
  const owner = path.slice(0, -1);
  const known = mode !== "script"
    ? session.fields(mode, owner)
    : owner === ""
    ? session.names()
    : session.members(owner);
  return [known.filter((each) => each.startsWith(name)).map((each) => path + each), path + name];
}
