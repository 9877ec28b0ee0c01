/** Owns where a file sink writes: the path of each message, which no message can lead out of its folder. */

import { resolve } from "node:path";
import { reasonOf } from "../../../diagnostics/mod.ts";
import type { Environment, Scope } from "../../../languages/mod.ts";
import { SinkError } from "../../../plugin/mod.ts";
import type { Template } from "../../shared/template.ts";

/** What file systems take as a name, in UTF-8. */
const NAME_BYTES_MAX = 255;
const CONTROL_CODES_END = 0x20;
const DELETE_CODE = 0x7f;

const encoder = new TextEncoder();

/** The folder that holds everything a template can give: that of the text before its first expression. */
export function templateRoot(template: Template, directory: string): string {
  return resolve(directory, folderPart(template.prefix));
}

/** The path that all messages have, or undefined where it depends on the message. */
export function constantPath(template: Template, directory: string): string | undefined {
  const path = template.constant;
  return path === undefined ? undefined : resolve(directory, path);
}

/** The function that gives a message's path. It throws a {@linkcode SinkError} that no retry can help. */
export function pathFunction(template: Template, directory: string, environment: Environment) {
  const render = template.bind(environment, refuseUnsafeValue);
  const fixedLength = folderPart(template.prefix).length;
  return (scope: Scope): string => {
    let path: string;
    try {
      path = render(scope);
    } catch (caught) {
      if (caught instanceof SinkError) throw caught;
      throw new SinkError(`cannot tell which file a message goes to: ${reasonOf(caught)}`, {
        cause: caught,
        retryable: false,
      });
    }
    for (const name of path.slice(fixedLength).split("/")) {
      if (name === "" || name === "." || name === ".." || encoder.encode(name).length > NAME_BYTES_MAX) {
        throw refusal(`${JSON.stringify(name)} in ${JSON.stringify(path)} is no name of a file or folder`);
      }
    }
    return resolve(directory, path);
  };
}

/** The part of a path's text up to and with its last slash. */
function folderPart(text: string): string {
  return text.slice(0, text.lastIndexOf("/") + 1);
}

/** A value from a message is a name or part of one; it may neither choose folders nor hide in listings' escapes. */
function refuseUnsafeValue(value: string): void {
  for (const character of value) {
    const code = character.charCodeAt(0);
    if (character === "/" || character === "\\" || code < CONTROL_CODES_END || code === DELETE_CODE) {
      throw refusal(`the value ${JSON.stringify(value)} holds a path separator or a control character`);
    }
  }
  if (!value.isWellFormed()) throw refusal(`the value ${JSON.stringify(value)} is no well-formed text`);
}

function refusal(why: string): SinkError {
  return new SinkError(`cannot tell which file a message goes to: ${why}`, { retryable: false });
}
