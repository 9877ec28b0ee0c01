/** Owns the step from a file's bytes to text that YAML can be read from, with a clear answer for what cannot. */

import type { DiagnosticBag } from "../diagnostics/mod.ts";

/** A file as it was read, or text that stands for one. */
export interface SourceText {
  /** The name findings are shown under. */
  readonly file: string;
  readonly text: string | Uint8Array;
}

/** Longest document: pipelines are written by people, and parsing costs about 0.6 s a MiB. */
const DOCUMENT_BYTES_MAX = 2 * 1024 * 1024;

const BYTE_ORDER_MARK = "\ufeff";
const NEWLINE_BYTE = 0x0a;
const LONE_RETURN_REGEXP = /\r(?!\n)/;
const INNER_MARK_REGEXP = /\n\ufeff/;
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL_REGEXP = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * The document's text: UTF-8, without a byte order mark, lines ended by LF. Lines and columns are those of the file,
 * but for the mark. Undefined, with a finding, where the bytes are no such text.
 */
export function readableText(source: SourceText, bag: DiagnosticBag): string | undefined {
  const { file } = source;
  if (source.text.length > DOCUMENT_BYTES_MAX) {
    const found = `${source.text.length} found`;
    bag.report(
      "yaml_parse",
      { file, line: 1, column: 1 },
      `a document has at most ${DOCUMENT_BYTES_MAX} bytes, ${found}`,
    );
    return undefined;
  }
  const decoded = typeof source.text === "string" ? source.text : decodedText(file, source.text, bag);
  if (decoded === undefined) return undefined;
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  return hasForbiddenCharacter(file, text, bag) ? undefined : text.replaceAll("\r\n", "\n");
}

function decodedText(file: string, bytes: Uint8Array, bag: DiagnosticBag): string | undefined {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) {
    bag.report("yaml_parse", { file, line: 1, column: 1 }, `the file is ${wide}, a document must be UTF-8`, {
      hint: "save the file as UTF-8",
    });
    return undefined;
  }
  try {
    // `ignoreBOM` keeps the mark, so that text and bytes are treated alike.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder says that a byte is wrong, not which one.
    const place = invalidPlace(bytes);
    bag.report("yaml_parse", { file, ...place }, "the bytes here are no UTF-8", { hint: "save the file as UTF-8" });
    return undefined;
  }
}

function wideEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "UTF-16 (little-endian)";
  return first === 0xfe && second === 0xff ? "UTF-16 (big-endian)" : undefined;
}

/** Where the first byte stands that is no UTF-8. A line end never lies inside a character, so lines decode alone. */
function invalidPlace(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let start = 0;
  for (let line = 1; start <= bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE_BYTE, start);
    const end = newline < 0 ? bytes.length : newline;
    const content = bytes.subarray(start, end);
    try {
      strict.decode(content);
    } catch {
      // This is the line; decoding it loosely shows the place.
      return { line, column: decoder.decode(content).indexOf("\ufffd") + 1 };
    }
    start = end + 1;
  }
  return { line: 1, column: 1 };
}

function hasForbiddenCharacter(file: string, text: string, bag: DiagnosticBag): boolean {
  const control = CONTROL_REGEXP.exec(text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    bag.report(
      "yaml_parse",
      placeOf(file, text, control.index),
      `the control character U+${code} may not stand in YAML`,
      {
        hint: `write it as \\u${code} inside double quotes`,
      },
    );
    return true;
  }
  const mark = INNER_MARK_REGEXP.exec(text);
  if (mark !== null) {
    bag.report("yaml_parse", placeOf(file, text, mark.index + 1), "a byte order mark stands inside the document", {
      hint: "remove the invisible character U+FEFF at the beginning of this line",
    });
    return true;
  }
  const lone = LONE_RETURN_REGEXP.exec(text);
  if (lone === null) return false;
  bag.report("yaml_parse", placeOf(file, text, lone.index), "a carriage return without a line feed ends no line", {
    hint: "end lines with LF or CRLF",
  });
  return true;
}

function placeOf(file: string, text: string, offset: number) {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { file, line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}
