/** Owns the reading of one YAML document into its syntax tree. */

import { Composer, type CST, type Document, LineCounter, type ParsedNode, Parser, type YAMLError } from "yaml";
import type { DiagnosticBag } from "../diagnostics/mod.ts";
import { syntaxWording } from "./yaml_wording.ts";

/** A document's syntax tree, and the places of its offsets. */
export interface YamlSyntax {
  readonly root: ParsedNode;
  readonly text: string;
  readonly file: string;
  readonly place: (offset: number) => { readonly line: number; readonly column: number };
}

/** Deepest nesting of collections: far more than a pipeline has, far less than a call stack holds. */
const NESTING_MAX = 64;
/** Most syntax findings that are told: what follows the first few is mostly their echo. */
const SYNTAX_FINDINGS_MAX = 10;

/** Reads the one document of a text. Undefined, with findings, where there is none, more than one, or no syntax. */
export function readYaml(file: string, text: string, bag: DiagnosticBag): YamlSyntax | undefined {
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = tooDeepAt(tokens);
  if (tooDeep !== undefined) {
    const message = `collections may be nested ${NESTING_MAX} deep, and here they are deeper`;
    bag.report("yaml_parse", { file, ...place(tooDeep) }, message);
    return undefined;
  }
  // `failsafe`: plain words are read by us, so that they mean the same in a document and in substituted text.
  const composer = new Composer({
    schema: "failsafe",
    resolveKnownTags: false,
    version: "1.2",
    strict: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const documents = [...composer.compose(tokens, true, text.length)] as Document.Parsed<ParsedNode>[];
  const [document, second] = documents;
  const errors = documents.flatMap((each) => each.errors);
  for (const error of firstOfLines(errors, place)) reportSyntax(error, { file, text, place }, bag);
  if (second !== undefined && errors.length === 0) {
    const span = { file, ...place(second.range[0]) };
    bag.report("yaml_parse", span, "a second document begins here; one file holds one document", {
      hint: "move it to a file of its own",
    });
    return undefined;
  }
  if (errors.length > 0 || document === undefined) return undefined;
  const root = document.contents;
  if (root === null || isEmptyScalar(root)) {
    bag.report("empty_config", { file, line: 1, column: 1 }, "the file holds no document");
    return undefined;
  }
  return { root, text, file, place };
}

function isEmptyScalar(node: ParsedNode): boolean {
  return "value" in node && node.value === "" && node.range[0] === node.range[1] && node.anchor === undefined;
}

/** Offset of the first collection that is nested too deep, found without recursion. */
function tooDeepAt(tokens: readonly CST.Token[]): number | undefined {
  let level: CST.Token[] = [...tokens];
  for (let depth = 0; level.length > 0; depth++) {
    const inner: CST.Token[] = [];
    for (const token of level) {
      if (token.type === "document" && token.value !== undefined) inner.push(token.value);
      if (token.type !== "block-map" && token.type !== "block-seq" && token.type !== "flow-collection") continue;
      if (depth > NESTING_MAX) return token.offset;
      for (const item of token.items) {
        if (item.key !== undefined && item.key !== null) inner.push(item.key);
        if (item.value !== undefined) inner.push(item.value);
      }
    }
    level = inner;
  }
  return undefined;
}

/** The first error of each line, as far as they are worth telling: one mistake often makes the parser stumble again. */
function firstOfLines(errors: readonly YAMLError[], place: YamlSyntax["place"]): readonly YAMLError[] {
  const lines = new Set<number>();
  const first = errors.filter((error) => {
    const { line } = place(error.pos[0]);
    return !lines.has(line) && lines.add(line);
  });
  return first.slice(0, SYNTAX_FINDINGS_MAX);
}

function reportSyntax(error: YAMLError, at: Omit<YamlSyntax, "root">, bag: DiagnosticBag): void {
  const [offset] = error.pos;
  const place = at.place(Math.min(offset, at.text.length));
  const { message, hint } = syntaxWording(error.code, { ...place, lines: at.text.split("\n") });
  bag.report("yaml_parse", { file: at.file, ...place }, message, hint === undefined ? {} : { hint });
}
