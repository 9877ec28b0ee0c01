/** Owns the verb `explain`. */

import { Buffer } from "node:buffer";
import { type Explanation, OPERATIONS } from "../ops/mod.ts";
import { EXIT_FAILED, EXIT_OK } from "./exit_code.ts";
import { outlineText } from "./explain/outline_text.ts";
import { permissionsText } from "./explain/permissions_text.ts";
import { walkText } from "./explain/walk_text.ts";
import { InputTexts, STDIN_NAME, writeTextFile } from "./input_text.ts";
import type { Invocation } from "./invocation.ts";
import { wrapped } from "./line_width.ts";
import type { Session } from "./session.ts";
import { verdictText } from "./verify_verb.ts";

type ExplainInvocation = Invocation & { readonly verb: "explain" };

const NEWLINE = 10;

/** Explains a pipeline: in outline, or what was asked for. Exit code 1 where the file does not pass. */
export async function explainVerb(invocation: ExplainInvocation, session: Session): Promise<number> {
  const { config, overlays, at, codec, topology, svg, permissions, dataDir, runtime } = invocation;
  const texts = new InputTexts(() => Deno.stdin.readable);
  const bytes = invocation.message === undefined ? undefined : await texts.bytes(invocation.message);
  const answer = await session.perform(OPERATIONS.explain, {
    config,
    overlays,
    message_base64: bytes === undefined ? undefined : Buffer.from(bytes).toString("base64"),
    is_line: true,
    at,
    codec,
    meta: invocation.meta === undefined ? undefined : await texts.json(invocation.meta),
    parameters: invocation.parameters === undefined ? undefined : await texts.json(invocation.parameters),
    topology,
    svg: svg !== undefined,
    permissions,
    data_dir: dataDir,
    runtime,
  });
  if (answer.kind === "refused") {
    session.answer(answer.verdict, verdictText);
    return EXIT_FAILED;
  }
  const { svg: drawing, ...explanation } = answer.explanation;
  if (svg !== undefined && drawing !== undefined) writeTextFile(svg, drawing);
  session.answer(svg === undefined ? explanation : { ...explanation, svg }, () => {
    return explanationText(explanation, svg, session.terminal.outColumns());
  });
  if (svg !== undefined) session.terminal.err(`wrote ${svg}\n`);
  if (bytes !== undefined && !session.json) session.terminal.err(manyLinesText(explanation, invocation, bytes));
  return EXIT_OK;
}

/** What was asked for; the outline where nothing was, its lines within `columns`. */
export function explanationText(explanation: Explanation, svg?: string, columns?: number): string {
  const { sample, topology, permissions } = explanation;
  const parts = [
    ...(sample === undefined ? [] : [walkText(sample)]),
    ...(topology === undefined ? [] : [topology.drawing, topology.mermaid]),
    ...(permissions === undefined ? [] : [permissionsText(permissions)]),
  ];
  if (parts.length > 0) return parts.join("\n");
  return svg === undefined ? wrapped(outlineText(explanation), columns) : "";
}

/** Files of many messages are what people have: one of them is a sample. */
function manyLinesText({ sample }: Explanation, { message = "" }: ExplainInvocation, bytes: Uint8Array): string {
  const isUndecodable = sample?.steps[0]?.failure?.class === "decode";
  const lines = bytes.reduce((count, byte) => byte === NEWLINE ? count + 1 : count, 0);
  if (!isUndecodable || lines < 2) return "";
  const name = message === STDIN_NAME ? "standard input" : message;
  return `hint: ${name} has ${lines} lines, and a sample is one message: head -n 1 gives the first\n`;
}
