/** Owns the step from YAML syntax to a tree of values: core schema, anchors and aliases, merge keys, unique keys. */

import { type Alias, isAlias, isMap, isScalar, type Pair, type ParsedNode, type Scalar, type YAMLMap } from "yaml";
import type { DiagnosticBag, Span } from "../diagnostics/mod.ts";
import { coreScalar } from "../schema/mod.ts";
import type { TextSegment } from "./document.ts";
import { type ScalarStyle, textSegments } from "./text_places.ts";
import type { Entry, ListTree, MappingTree, ScalarTree, Tree } from "./tree.ts";
import { readYaml, type YamlSyntax } from "./yaml_syntax.ts";
import { readableText, type SourceText } from "./yaml_text.ts";

/**
 * Most values that aliases may bring in, all together. A document that grows beyond that is no pipeline but an attempt
 * to fill the memory.
 */
const ALIASED_VALUES_MAX = 10_000;

const CORE_TAG = "tag:yaml.org,2002:";
const MERGE_KEY = "<<";

/**
 * Reads a YAML document whose top level is a mapping. Undefined, with findings, where it cannot be read; mistakes that
 * leave the rest readable (a key twice, an unknown tag) are reported and the tree is given.
 */
export function readTree(source: SourceText, bag: DiagnosticBag): MappingTree | undefined {
  const text = readableText(source, bag);
  if (text === undefined) return undefined;
  const syntax = readYaml(source.file, text, bag);
  if (syntax === undefined) return undefined;
  const tree = new TreeReader(syntax, bag).read();
  if (tree.kind === "mapping") return tree;
  bag.report(
    "yaml_parse",
    { ...tree.span, line: tree.span.line },
    `the top level must be a mapping, found a ${tree.kind}`,
  );
  return undefined;
}

/** Reads one document. */
class TreeReader {
  readonly #syntax: YamlSyntax;
  readonly #bag: DiagnosticBag;
  /** Finished anchors; a name used again means the later node from there on. */
  readonly #anchors = new Map<string, { readonly tree: Tree; readonly size: number }>();
  /** Anchors whose node is being read: an alias to one would have no end. */
  readonly #open = new Set<string>();
  /** Values read so far, those that aliases brought in included. */
  #size = 0;
  #aliasedSize = 0;

  constructor(syntax: YamlSyntax, bag: DiagnosticBag) {
    this.#syntax = syntax;
    this.#bag = bag;
  }

  read(): Tree {
    return this.#node(this.#syntax.root);
  }

  #span(offset: number): Span {
    return { file: this.#syntax.file, ...this.#syntax.place(offset) };
  }

  #report(span: Span, message: string, hint?: string): void {
    this.#bag.report("yaml_parse", span, message, hint === undefined ? {} : { hint });
  }

  #node(node: ParsedNode): Tree {
    if (isAlias(node)) return this.#alias(node);
    const { anchor } = node;
    const sizeBefore = this.#size++;
    if (anchor !== undefined) this.#open.add(anchor);
    const tree = this.#content(node);
    if (anchor !== undefined) {
      this.#open.delete(anchor);
      this.#anchors.set(anchor, { tree, size: this.#size - sizeBefore });
    }
    return tree;
  }

  #content(node: Exclude<ParsedNode, Alias.Parsed>): Tree {
    if (isScalar(node)) return this.#scalar(node);
    const span = this.#span(node.range[0]);
    if (isMap(node)) {
      this.#checkTag(node.tag, "map", span);
      return this.#mapping(node, span);
    }
    this.#checkTag(node.tag, "seq", span);
    const items = node.items.map((item) => this.#node(item as ParsedNode));
    return { kind: "list", items, span } satisfies ListTree;
  }

  #checkTag(tag: string | undefined, core: string, span: Span): void {
    if (tag === undefined || tag === "!" || tag === CORE_TAG + core) return;
    this.#report(span, `the tag ${shortTag(tag)} has no meaning here`, "remove it; only YAML's core tags are known");
  }

  #alias(node: Alias.Parsed): Tree {
    const span = this.#span(node.range[0]);
    const anchor = this.#anchors.get(node.source);
    if (anchor === undefined || this.#open.has(node.source)) {
      const message = this.#open.has(node.source)
        ? `the alias *${node.source} stands inside what it means, so that it would never end`
        : `the alias *${node.source} has no anchor &${node.source} before it`;
      this.#report(span, message);
      return { kind: "scalar", value: null, span };
    }
    this.#size += anchor.size;
    this.#aliasedSize += anchor.size;
    if (this.#aliasedSize > ALIASED_VALUES_MAX) {
      if (this.#aliasedSize - anchor.size <= ALIASED_VALUES_MAX) {
        this.#report(span, `aliases bring in more than ${ALIASED_VALUES_MAX} values`);
      }
      return { kind: "scalar", value: null, span };
    }
    return { ...anchor.tree, span, ...keptSegments(anchor.tree) };
  }

  #mapping(node: YAMLMap.Parsed, span: Span): MappingTree {
    const entries = new Map<string, Entry>();
    const merges: Tree[] = [];
    for (const pair of node.items) {
      const key = this.#key(pair);
      const value = pair.value === null
        ? nullAt(this.#span(endOf(pair.key, node)))
        : this.#node(pair.value as ParsedNode);
      if (key === undefined) continue;
      if (key.merge) {
        merges.push(value);
        continue;
      }
      const first = entries.get(key.name);
      if (first !== undefined) {
        const where = `line ${first.key.line}, column ${first.key.column}`;
        this.#report(key.span, `the key "${key.name}" stands twice in this mapping, first at ${where}`);
        continue;
      }
      entries.set(key.name, { key: key.span, value });
    }
    for (const merged of merges) this.#merge(entries, merged);
    return { kind: "mapping", entries, span };
  }

  /** A mapping's own keys win over merged ones, and of a list of mappings the earlier ones. */
  #merge(entries: Map<string, Entry>, merged: Tree): void {
    const sources = merged.kind === "list" ? merged.items : [merged];
    for (const source of sources) {
      if (source.kind !== "mapping") {
        this.#report(source.span, `the merge key << takes a mapping or a list of mappings, found a ${source.kind}`);
        continue;
      }
      for (const [name, entry] of source.entries) {
        if (!entries.has(name)) entries.set(name, entry);
      }
    }
  }

  #key(pair: Pair<ParsedNode, ParsedNode | null>): { name: string; span: Span; merge: boolean } | undefined {
    const node = pair.key;
    const span = this.#span(node.range[0]);
    const tree = this.#node(node);
    if (tree.kind !== "scalar") {
      this.#report(span, `a key must be plain text, found a ${tree.kind}`);
      return undefined;
    }
    const plain = isScalar(node) && node.type === "PLAIN";
    // As it is written: `1.0` and `yes` are names, not values.
    const name = plain ? node.source ?? "" : String(tree.value);
    if (plain && name === "") {
      this.#report(span, "a key must be plain text, found nothing");
      return undefined;
    }
    return { name, span, merge: plain && name === MERGE_KEY };
  }

  #scalar(node: Scalar.Parsed): ScalarTree {
    const span = this.#span(node.range[0]);
    const text = String(node.value);
    const style = styleOf(node);
    const value = this.#scalarValue(node.tag, style, text, span);
    if (typeof value !== "string") return { kind: "scalar", value, span };
    const [offset, end] = node.range;
    const source = this.#syntax.text.slice(offset, end);
    const segments = textSegments({ style, source, offset }, value, this.#syntax.place);
    return { kind: "scalar", value, span, ...(segments === undefined ? {} : { segments }) };
  }

  #scalarValue(tag: string | undefined, style: ScalarStyle, text: string, span: Span): ScalarTree["value"] {
    if (tag === undefined) return style === "plain" ? coreScalar(text) : text;
    if (tag === "!" || tag === `${CORE_TAG}str`) return text;
    const value = coreScalar(text);
    const type = value === null ? "null" : typeof value;
    const fits = {
      [`${CORE_TAG}null`]: type === "null",
      [`${CORE_TAG}bool`]: type === "boolean",
      [`${CORE_TAG}int`]: type === "bigint" || Number.isInteger(value),
      [`${CORE_TAG}float`]: type === "number" || type === "bigint",
    }[tag];
    if (fits === undefined) this.#checkTag(tag, "str", span);
    if (fits === false) this.#report(span, `the value does not fit its tag ${shortTag(tag)}`);
    return value;
  }
}

/** An alias stands at its own place, but the characters of its text stand where the text is written. */
function keptSegments(tree: Tree): { readonly segments?: readonly TextSegment[] } {
  if (tree.kind !== "scalar" || typeof tree.value !== "string") return {};
  return { segments: tree.segments ?? [{ offset: 0, line: tree.span.line, column: tree.span.column }] };
}

function nullAt(span: Span): ScalarTree {
  return { kind: "scalar", value: null, span };
}

function endOf(key: ParsedNode, mapping: YAMLMap.Parsed): number {
  return (key.range ?? mapping.range)[1];
}

function styleOf(node: Scalar): ScalarStyle {
  switch (node.type) {
    case "QUOTE_SINGLE":
      return "single";
    case "QUOTE_DOUBLE":
      return "double";
    case "BLOCK_LITERAL":
      return "literal";
    case "BLOCK_FOLDED":
      return "folded";
    default:
      return "plain";
  }
}

function shortTag(tag: string): string {
  return tag.startsWith(CORE_TAG) ? `!!${tag.slice(CORE_TAG.length)}` : tag;
}
