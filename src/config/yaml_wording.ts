/** Owns what an error of YAML's syntax means to the one who wrote the file. */

import type { ErrorCode } from "yaml";

/** What is wrong, and what to do about it. */
export interface SyntaxWording {
  readonly message: string;
  readonly hint?: string;
}

/** Where an error stands: all lines of the text, and the line and column, from 1. */
export interface SyntaxPlace {
  readonly lines: readonly string[];
  readonly line: number;
  readonly column: number;
}

const BLANK_LINE_REGEXP = /^\s*(?:#.*)?$/;
/** A key or item whose value is a block of text that follows in lines of its own. */
const BLOCK_TEXT_REGEXP = /^(?<indent> *)(?:- +)*(?:(?<key>[^\s#:][^#:]*):)? *[|>][-+0-9]*\s*(?:#.*)?$/;
const GLUED_KEY_REGEXP = /^[^\s:"'#]+:[^\s:]/;
const CLOSING_REGEXP = /^[\]}]/;
const BLOCK_MARK_REGEXP = /[|>]\S*$/;
const KEY_END_REGEXP = /:\s*(?:#.*)?$/;
const ITEM_REGEXP = /^ *(?:- +)+/;
const REFERENCE_REGEXP = /\$\{/;
const QUOTES = ['"', "'"];

/** Errors that mean the same wherever they stand. */
const WORDINGS: { readonly [code in ErrorCode]?: SyntaxWording } = {
  TAB_AS_INDENT: { message: "a tab is used as indentation", hint: "indent with spaces" },
  MULTIPLE_DOCS: {
    message: "a second document begins here; one file holds one document",
    hint: "move it to a file of its own",
  },
  RESOURCE_EXHAUSTION: { message: "the document is nested too deep" },
  BLOCK_IN_FLOW: {
    message: "a mapping or list without brackets stands inside { } or [ ]",
    hint: "separate the entries by commas, and write what they hold in brackets too",
  },
  KEY_OVER_1024_CHARS: { message: "a key may have at most 1024 characters" },
  ALIAS_PROPS: { message: "an alias can have neither an anchor nor a tag of its own" },
  MULTIPLE_ANCHORS: { message: "a value can have one anchor, and here is a second one" },
  MULTIPLE_TAGS: { message: "a value can have one tag, and here is a second one" },
  BAD_PROP_ORDER: { message: "an anchor or tag stands in front of the value, not of the - or ? of an item" },
};

/** What a syntax error means. The library's own sentences speak of its parser; what was written tells more. */
export function syntaxWording(code: ErrorCode, place: SyntaxPlace): SyntaxWording {
  const line = place.lines[place.line - 1] ?? "";
  if (line.startsWith("\t")) return { message: "this line begins with a tab", hint: "indent with spaces" };
  return WORDINGS[code] ?? wordingAt(code, place, line);
}

function wordingAt(code: ErrorCode, place: SyntaxPlace, line: string): SyntaxWording {
  const rest = line.slice(place.column - 1);
  const [first = ""] = rest;
  switch (code) {
    case "BAD_DQ_ESCAPE":
      return {
        message: `in double quotes a \\ begins an escape, and ${rest.slice(0, 2)} is none`,
        hint: "write \\\\ for a backslash, or use single quotes",
      };
    case "BAD_SCALAR_START":
      return { message: `a text without quotes cannot begin with ${first}`, hint: "put it in quotes" };
    case "BAD_ALIAS":
      return {
        message: `${first} is followed by the name of ${first === "*" ? "an alias" : "an anchor"}, and here is none`,
        hint: `put text that begins with ${first} in quotes`,
      };
    case "BLOCK_AS_IMPLICIT_KEY":
      return isLineStart(place, line) ? lineWording(code, place, line) : secondKey(place, line);
    default:
      return isLineStart(place, line) ? lineWording(code, place, line) : tokenWording(place, line, rest);
  }
}

/** A `key: value` where none can begin: inside a value, or behind the key of another line. */
function secondKey(place: SyntaxPlace, line: string): SyntaxWording {
  const next = nextLine(place);
  if (next !== undefined && next.indent > indentOf(line)) {
    return {
      message: `line ${next.number} is indented by ${next.indent} and cannot belong to the value that begins here`,
      hint: `indent it by ${indentOf(line)} like this line, or move the value below its key`,
    };
  }
  return {
    message: "a second key on one line",
    hint: "put a text that holds a colon and a space in quotes, and a mapping on lines of its own",
  };
}

/** What is wrong where a whole line cannot be what it is. */
function lineWording(code: ErrorCode, place: SyntaxPlace, line: string): SyntaxWording {
  const indent = indentOf(line);
  const block = blockTextAbove(place, indent);
  if (block !== undefined) return blockWording(block, indent);
  const open = openIndents(place);
  if (!open.includes(indent) && !beginsBelowKey(place, indent)) {
    return {
      message: `this line is indented by ${indent}, and the lines above that it could stand beside by ${listed(open)}`,
      hint: "lines of one mapping or list begin in the same column",
    };
  }
  const text = line.trimStart();
  const beside = sibling(place, indent);
  if (beside !== undefined && isItem(beside) !== isItem(text)) {
    return {
      message: "a list's item and a mapping's key stand side by side",
      hint: "indent what belongs to the other deeper than it",
    };
  }
  if (GLUED_KEY_REGEXP.test(text)) {
    return { message: "after the colon of a key comes a space", hint: "write key: value" };
  }
  if (CLOSING_REGEXP.test(text)) return { message: `this ${text.charAt(0)} closes nothing that is open` };
  if (!text.includes(":")) return { message: "this line has no colon: a key is written key: value" };
  if (code === "BAD_INDENT") {
    const message = "a { or [ that begins above is not closed before this line";
    return { message, hint: "close it, or indent this line deeper than its key" };
  }
  return { message: "this line cannot stand here; a mistake in a line above may be the cause" };
}

/** What is wrong where something stands inside a line that cannot stand there. */
function tokenWording({ lines, line: number }: SyntaxPlace, line: string, rest: string): SyntaxWording {
  const [first = ""] = rest;
  const before = line.slice(0, line.length - rest.length).trimEnd();
  if (rest === "" && number >= lines.length) {
    return { message: "the file ends inside a text in quotes or brackets", hint: "look for one that is never closed" };
  }
  if (REFERENCE_REGEXP.test(line)) {
    return { message: "this cannot stand here", hint: 'inside { } and [ ] a reference needs quotes: "${VAR}"' };
  }
  if (first === "#") return { message: "a comment needs a space in front of its #" };
  if (first === "-") {
    return { message: "a list cannot begin on the line of its key", hint: "put it on the next line, or use [ ]" };
  }
  if (CLOSING_REGEXP.test(first)) return { message: `this ${first} closes nothing that is open` };
  if (BLOCK_MARK_REGEXP.test(before)) {
    return { message: "after | or > only + or - and a digit may follow", hint: "the text begins on the next line" };
  }
  if (QUOTES.some((quote) => before.endsWith(quote))) {
    return {
      message: "something follows the end of a text in quotes",
      hint: "put all of it in the quotes, or a comma between",
    };
  }
  return { message: "this cannot stand here: a comma, a colon or a quote is missing before it" };
}

function isLineStart({ column }: SyntaxPlace, line: string): boolean {
  return line.trim() !== "" && column - 1 <= indentOf(line);
}

function isItem(text: string): boolean {
  return text === "-" || text.startsWith("- ");
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function nextLine({ lines, line }: SyntaxPlace): { readonly number: number; readonly indent: number } | undefined {
  const at = lines.findIndex((text, index) => index >= line && !BLANK_LINE_REGEXP.test(text));
  return at < 0 ? undefined : { number: at + 1, indent: indentOf(lines[at] ?? "") };
}

/** A block of text: how far its key and its first line are indented. */
interface BlockText {
  readonly keyIndent: number;
  readonly key: string | undefined;
  readonly textIndent: number;
}

/** The block of text that a line was probably meant to be part of. */
function blockTextAbove({ lines, line }: SyntaxPlace, indent: number): BlockText | undefined {
  for (let at = line - 2; at >= 0; at--) {
    const text = lines[at] ?? "";
    const header = BLOCK_TEXT_REGEXP.exec(text)?.groups;
    if (header !== undefined) {
      const keyIndent = header["indent"]?.length ?? 0;
      const textIndent = nextLine({ lines, line: at + 1, column: 1 })?.indent ?? indent;
      return indent <= keyIndent || indent < textIndent ? { keyIndent, key: header["key"], textIndent } : undefined;
    }
    if (indentOf(text) <= indent && text.includes(":")) return undefined;
  }
  return undefined;
}

function blockWording({ keyIndent, key, textIndent }: BlockText, indent: number): SyntaxWording {
  if (indent <= keyIndent) {
    const what = key === undefined ? "the - above" : `its key "${key}"`;
    const hint = `indent it by at least ${keyIndent + 1}; it is indented by ${indent}`;
    return { message: `text after | or > must be indented deeper than ${what}`, hint };
  }
  const message = `text after | or > must be indented at least as its first line, by ${textIndent}`;
  return { message, hint: `this line is indented by ${indent}` };
}

/** Indentations of the mappings and lists that are open above a line, the innermost first. */
function openIndents({ lines, line }: SyntaxPlace): readonly number[] {
  const open: number[] = [];
  let least = Infinity;
  for (let at = line - 2; at >= 0 && least > 0; at--) {
    const text = lines[at] ?? "";
    if (BLANK_LINE_REGEXP.test(text) || indentOf(text) >= least) continue;
    // What an item holds begins in a column of its own.
    const inside = ITEM_REGEXP.exec(text)?.[0].length ?? 0;
    if (inside > indentOf(text) && inside < least) open.push(inside);
    least = indentOf(text);
    open.push(least);
  }
  return open;
}

/** Whether a line is the first below a key that has nothing beside it: it may be indented as it likes. */
function beginsBelowKey({ lines, line }: SyntaxPlace, indent: number): boolean {
  const above = lines.slice(0, line - 1).findLast((text) => !BLANK_LINE_REGEXP.test(text));
  return above === undefined || (KEY_END_REGEXP.test(above) && indent > indentOf(above));
}

/** The nearest line above that begins in the same column and has nothing shallower between. */
function sibling({ lines, line }: SyntaxPlace, indent: number): string | undefined {
  for (let at = line - 2; at >= 0; at--) {
    const text = lines[at] ?? "";
    if (BLANK_LINE_REGEXP.test(text) || indentOf(text) > indent) continue;
    return indentOf(text) === indent ? text.trimStart() : undefined;
  }
  return undefined;
}

function listed(indents: readonly number[]): string {
  const last = indents.at(-1);
  return indents.length < 2 ? `${last}` : `${indents.slice(0, -1).join(", ")} or ${last}`;
}
