/** Owns where the characters of a scalar's text stand in its source: folding, escapes and indentation undone. */

import type { Span } from "../diagnostics/mod.ts";
import type { TextSegment } from "./document.ts";

/** Place of a source offset. */
export type OffsetPlace = (offset: number) => { readonly line: number; readonly column: number };

/** How a scalar is written. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** Source text of one scalar, with its quotes or header. */
export interface ScalarSource {
  readonly style: ScalarStyle;
  readonly source: string;
  /** Offset of `source` in the file. */
  readonly offset: number;
}

/** A text offset and the source offset (relative to the scalar) it comes from. */
type Anchor = readonly [textOffset: number, sourceOffset: number];

const FOLD_REGEXP = /\n[ \t\n]*/y;
const BLANKS_REGEXP = /[ \t]*/y;
const LEADING_BREAKS_REGEXP = /^\n+/;

/**
 * Segments of a scalar's text: from each one's offset on, characters stand one after another in the source. Undefined
 * where the whole text follows the scalar's own place.
 */
export function textSegments(scalar: ScalarSource, text: string, place: OffsetPlace): TextSegment[] | undefined {
  const anchors = anchorsOf(scalar, text);
  const [first, ...others] = anchors;
  if (others.length === 0 && first !== undefined && first[1] === 0) return undefined;
  return anchors.map(([offset, source]) => ({ offset, ...place(scalar.offset + source) }));
}

/** The place of the character at `offset` (UTF-16 units) of a text. */
export function placeInText(span: Span, segments: readonly TextSegment[] | undefined, offset: number): Span {
  const found = segmentAt(segments ?? [], offset) ?? { offset: 0, line: span.line, column: span.column };
  const column = found.fixed === true ? found.column : found.column + offset - found.offset;
  return { file: span.file, line: found.line, column };
}

/** The last segment that begins at or before `offset`; undefined where none does. */
export function segmentAt(segments: readonly TextSegment[], offset: number): TextSegment | undefined {
  return segments[segmentsUpTo(segments, offset) - 1];
}

/** How many segments begin at or before `offset`. */
export function segmentsUpTo(segments: readonly TextSegment[], offset: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.offset ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where each line of a text begins, as the span table tells it; undefined for a text of one line. */
export function linePlaces(
  span: Span,
  segments: readonly TextSegment[] | undefined,
  text: string,
): { readonly line: number; readonly column: number }[] | undefined {
  if (!text.includes("\n")) return undefined;
  const places = [];
  for (let offset = 0; offset !== 0 || places.length === 0;) {
    const { line, column } = placeInText(span, segments, offset);
    places.push({ line, column });
    offset = text.indexOf("\n", offset) + 1;
  }
  return places;
}

function anchorsOf({ style, source }: ScalarSource, text: string): readonly Anchor[] {
  switch (style) {
    case "plain":
      return flowAnchors(source, 0, source.length, noEscape);
    case "single":
      return flowAnchors(source, 1, source.length - 1, singleEscape);
    case "double":
      return flowAnchors(source, 1, source.length - 1, doubleEscape);
    case "literal":
      return literalAnchors(source, text);
    case "folded":
      return foldedAnchors(source, text);
  }
}

/** Source characters an escape takes and text units it gives; undefined where none begins here. */
type Escape = (source: string, at: number) => readonly [taken: number, given: number] | undefined;

function noEscape(): undefined {
  return undefined;
}

function singleEscape(source: string, at: number): readonly [number, number] | undefined {
  return source[at] === "'" && source[at + 1] === "'" ? [2, 1] : undefined;
}

function doubleEscape(source: string, at: number): readonly [number, number] | undefined {
  if (source[at] !== "\\") return undefined;
  switch (source[at + 1]) {
    case "x":
      return [4, 1];
    case "u":
      return [6, 1];
    case "U":
      return [10, Number.parseInt(source.slice(at + 2, at + 10), 16) > 0xffff ? 2 : 1];
    case "\n": {
      // An escaped line end gives nothing, and the next line's indentation neither.
      BLANKS_REGEXP.lastIndex = at + 2;
      return [2 + (BLANKS_REGEXP.exec(source)?.[0].length ?? 0), 0];
    }
    default:
      return [2, 1];
  }
}

/** Flow scalars: line ends fold to a blank, or to one newline fewer than there are. */
function flowAnchors(source: string, start: number, end: number, escape: Escape): readonly Anchor[] {
  const anchors: Anchor[] = [[0, start]];
  let textOffset = 0;
  let at = start;
  while (at < end) {
    const escaped = escape(source, at);
    const folded = escaped === undefined ? foldAt(source, at) : undefined;
    if (escaped === undefined && folded === undefined) {
      at++;
      textOffset++;
      continue;
    }
    const [taken, given] = escaped ?? folded ?? [1, 1];
    at += taken;
    textOffset += given;
    if (taken !== given) anchors.push([textOffset, at]);
  }
  return anchors;
}

/** A run of blanks and line ends that begins here; blanks that end no line stand for themselves. */
function foldAt(source: string, at: number): readonly [number, number] | undefined {
  if (source[at] !== "\n" && !isBlank(source[at])) return undefined;
  BLANKS_REGEXP.lastIndex = at;
  const blanks = BLANKS_REGEXP.exec(source)?.[0].length ?? 0;
  if (source[at + blanks] !== "\n") return [blanks, blanks];
  FOLD_REGEXP.lastIndex = at + blanks;
  const fold = FOLD_REGEXP.exec(source)?.[0] ?? "";
  return [blanks + fold.length, Math.max(1, fold.split("\n").length - 2)];
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** The content of a block scalar: where it begins in the source, how far its lines are indented, and the lines. */
interface BlockContent {
  readonly offset: number;
  readonly indent: number;
  readonly lines: readonly string[];
}

/** What follows a block scalar's header; undefined where nothing does. */
function blockContent(source: string, text: string): BlockContent | undefined {
  const offset = source.indexOf("\n") + 1;
  if (offset === 0) return undefined;
  const content = source.slice(offset);
  return { offset, indent: blockIndent(content, text), lines: content.split("\n") };
}

/** Literal block scalars: line by line, each less its indentation. */
function literalAnchors(source: string, text: string): readonly Anchor[] {
  const content = blockContent(source, text);
  if (content === undefined) return [[0, 0]];
  const anchors: Anchor[] = [];
  let sourceOffset = content.offset;
  let textOffset = 0;
  for (const line of content.lines) {
    if (textOffset > text.length) break;
    anchors.push([textOffset, sourceOffset + Math.min(content.indent, line.length)]);
    textOffset += Math.max(0, line.length - content.indent) + 1;
    sourceOffset += line.length + 1;
  }
  return anchors;
}

/**
 * Folded block scalars: each source line, less its indentation, is found again in the text, where only line ends and
 * the blanks they fold to lie between two lines.
 */
function foldedAnchors(source: string, text: string): readonly Anchor[] {
  const content = blockContent(source, text);
  if (content === undefined) return [[0, 0]];
  const anchors: Anchor[] = [];
  let sourceOffset = content.offset;
  let textOffset = 0;
  for (const line of content.lines) {
    const words = line.slice(content.indent);
    if (words.trim() !== "") {
      while (isBreak(text[textOffset]) && !text.startsWith(words, textOffset)) {
        textOffset++;
        // A line of the text that holds nothing stands, as near as can be told, before the next one that does.
        if (text[textOffset - 1] === "\n") anchors.push([textOffset, sourceOffset]);
      }
      if (!text.startsWith(words, textOffset)) break;
      anchors.push([textOffset, sourceOffset + content.indent]);
      textOffset += words.length;
    }
    sourceOffset += line.length + 1;
  }
  return anchors.length === 0 ? [[0, content.offset]] : anchors;
}

function isBreak(character: string | undefined): boolean {
  return character === "\n" || character === " ";
}

/** Blanks that every line of a block scalar begins with: what its first line has more than the text's first line. */
function blockIndent(content: string, text: string): number {
  const first = content.split("\n").find((line) => line.trim() !== "") ?? "";
  const begin = text.replace(LEADING_BREAKS_REGEXP, "");
  const indentMax = first.length - first.trimStart().length;
  let indent = 0;
  while (indent < indentMax && !begin.startsWith(first.slice(indent))) indent++;
  return indent;
}
