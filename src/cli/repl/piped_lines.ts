/** Owns lines that come through a pipe. */

import { EventboatError } from "../../diagnostics/mod.ts";

/** Most UTF-16 units of one line. */
const LINE_UNITS_MAX = 1 << 24;

/** The lines of a stream, without their ends, as they come. @throws {EventboatError} `usage` for what is no text. */
export async function* pipedLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decode(decoder, chunk)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_UNITS_MAX) {
      throw new EventboatError(
        "usage",
        `cannot read standard input: a line has more than ${LINE_UNITS_MAX} characters`,
      );
    }
    for (const line of lines) yield withoutReturn(line);
  }
  rest += decode(decoder, undefined);
  if (rest !== "") yield withoutReturn(rest);
}

function decode(decoder: TextDecoder, chunk: Uint8Array<ArrayBuffer> | Uint8Array | undefined): string {
  try {
    return decoder.decode(chunk as Uint8Array<ArrayBuffer> | undefined, { stream: chunk !== undefined });
  } catch (caught) {
    throw new EventboatError("usage", "cannot read standard input: it is no UTF-8 text", { cause: caught });
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
