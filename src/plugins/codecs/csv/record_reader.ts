/** Owns the reading of records: text to cells, as RFC 4180 has it. */

import { quotedText } from "../../../base/mod.ts";
import { CodecError } from "../../../plugin/mod.ts";

/** The characters that structure a record. Each is one character of Unicode, and they differ. */
export interface Dialect {
  readonly delimiter: string;
  readonly quote: string;
}

/** One record, and where the next one would begin. */
export interface ReadRecord {
  readonly cells: readonly string[];
  /** Offset behind the record and its line end; the length of the text where it was the last. */
  readonly end: number;
}

const LINE_END_REGEXP = /\r?\n$/;

/** The text without the line end that closes its last record. */
export function withoutLineEnd(text: string): string {
  return text.endsWith("\n") ? text.replace(LINE_END_REGEXP, "") : text.endsWith("\r") ? text.slice(0, -1) : text;
}

/**
 * Reads the record that begins at `from`. Records end at LF or CRLF, and the text must not end in one: see
 * {@linkcode withoutLineEnd}.
 * @throws {CodecError} on a quote inside a cell that is not quoted, on text behind a closing quote, and on quotes that
 * are not closed
 */
export function readRecord(text: string, from: number, dialect: Dialect): ReadRecord {
  if (from === 0 && !text.includes(dialect.quote) && !text.includes("\n")) {
    return { cells: text.split(dialect.delimiter), end: text.length };
  }
  const cells: string[] = [];
  const newline = text.indexOf("\n", from);
  let at = from;
  let lineEnd = newline < 0 ? text.length : newline;
  for (;;) {
    if (text.startsWith(dialect.quote, at)) {
      const cell = readQuoted(text, at, dialect.quote, cells.length);
      cells.push(cell.text);
      at = cell.end;
      // The cell may have held line ends.
      if (lineEnd < at) lineEnd = endOfLine(text, at);
    } else {
      const end = endOfBareCell(text, at, lineEnd, dialect);
      cells.push(bareCell(text.slice(at, end), dialect.quote, cells.length));
      at = end;
    }
    if (text.startsWith(dialect.delimiter, at)) {
      at += dialect.delimiter.length;
      continue;
    }
    if (at === text.length) return { cells, end: at };
    if (text.startsWith("\n", at)) return { cells, end: at + 1 };
    if (text.startsWith("\r\n", at)) return { cells, end: at + 2 };
    throw new CodecError(
      `cell ${cells.length} goes on behind its closing quote, with ${quotedText(text.slice(at, lineEnd))}; ` +
        `a quote inside a cell is written twice`,
    );
  }
}

/**
 * Whether a line ends within quotes, so that its record goes on. `isInside`: whether it begins within them. A quote in
 * the middle of a bare cell opens nothing: that record is wrong, and must not take the next ones along.
 */
export function endsInQuotes(line: string, isInside: boolean, { delimiter, quote }: Dialect): boolean {
  let at = 0;
  let inside = isInside;
  for (;;) {
    if (!inside && line.startsWith(quote, at)) {
      inside = true;
      at += quote.length;
    }
    while (inside) {
      const close = line.indexOf(quote, at);
      if (close < 0) return true;
      at = close + quote.length;
      if (line.startsWith(quote, at)) at += quote.length;
      else inside = false;
    }
    const next = line.indexOf(delimiter, at);
    if (next < 0) return false;
    at = next + delimiter.length;
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

/** The CR of a CRLF is no part of the cell. */
function endOfBareCell(text: string, from: number, lineEnd: number, { delimiter }: Dialect): number {
  const next = text.indexOf(delimiter, from);
  if (next >= 0 && next < lineEnd) return next;
  return lineEnd < text.length && lineEnd > from && text[lineEnd - 1] === "\r" ? lineEnd - 1 : lineEnd;
}

function bareCell(text: string, quote: string, index: number): string {
  if (!text.includes(quote)) return text;
  throw new CodecError(
    `cell ${index + 1} holds a quote and does not begin with one, found ${quotedText(text)}; ` +
      `such a cell is put in quotes, and the quote inside it is written twice`,
  );
}

interface QuotedCell {
  readonly text: string;
  /** Offset behind the closing quote. */
  readonly end: number;
}

function readQuoted(text: string, from: number, quote: string, index: number): QuotedCell {
  let cell = "";
  let at = from + quote.length;
  for (;;) {
    const close = text.indexOf(quote, at);
    if (close < 0) {
      throw new CodecError(
        `the quotes of cell ${index + 1} are not closed; where a cell holds a line break, the source must bring ` +
          `the whole record as one message, as \`file\` does`,
      );
    }
    cell += text.slice(at, close);
    at = close + quote.length;
    if (!text.startsWith(quote, at)) return { text: cell, end: at };
    cell += quote;
    at += quote.length;
  }
}
