/** Owns how an error of run time is written on stderr. */

import type { ErrorRecord } from "../diagnostics/mod.ts";

const LINE_END_REGEXP = /\s*\n\s*/g;

/** `error[code]`, the node where it has one, the message; the hint on a line of its own. */
export function errorText({ code, message, node, hint }: ErrorRecord): string {
  const where = node === undefined ? "" : ` in node "${node}":`;
  return `error[${code}]${where} ${oneLine(message)}\n${hint === undefined ? "" : `  hint: ${oneLine(hint)}\n`}`;
}

/** The one line of wrong usage. */
export function usageErrorText({ message, hint }: ErrorRecord): string {
  return `usage: ${oneLine(message)}${hint === undefined ? "" : ` (${oneLine(hint)})`}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(LINE_END_REGEXP, " ");
}
