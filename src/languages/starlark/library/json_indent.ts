/** Owns the laying out of JSON text over lines. */

import type { Thread } from "../values/thread.ts";
import { readJson } from "./json_reader.ts";

const TOKEN_REGEXP = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** What a line begins with. */
export interface JsonLayout {
  /** Stands before every line but the first. */
  readonly prefix: string;
  /** Stands once for each level. */
  readonly indent: string;
}

/** The same JSON, a member or element a line. @throws {Fault} when the text is no JSON. */
export function indentJson(text: string, { prefix, indent }: JsonLayout, thread: Thread): string {
  readJson(text, thread);
  const parts: string[] = [];
  let depth = 0;
  let last = "";
  const put = (part: string) => {
    thread.chargeText(part.length);
    parts.push(part);
  };
  const line = () => {
    // Paid for before it is made: a long indent many times over is longer than the engine allows.
    thread.chargeText(prefix.length + indent.length * depth);
    parts.push("\n", prefix, indent.repeat(depth));
  };
  for (const [token] of text.matchAll(TOKEN_REGEXP)) {
    const isClosing = token === "}" || token === "]";
    const afterOpening = last === "{" || last === "[";
    if (isClosing) {
      depth--;
      if (!afterOpening) line();
    } else if (afterOpening || last === ",") line();
    put(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth++;
    last = token;
  }
  return parts.join("");
}
