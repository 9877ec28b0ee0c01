/** Owns the way from tokens to the syntax tree, and what is wrong with the grammar of a text. */

import { quotedText } from "../../base/mod.ts";
import type { LanguageIssue } from "../scope.ts";
import {
  CESQL_DATA_LEVELS_MAX,
  CESQL_DEPTH_MAX,
  CESQL_ISSUES_MAX,
  CESQL_PATTERN_UNITS_MAX,
  CESQL_SOURCE_UNITS_MAX,
} from "./limits.ts";
import { CesqlDepths, joinCesql } from "./join.ts";
import type { CesqlAttribute, CesqlData, CesqlNode } from "./node.ts";
import { CESQL_KEYWORDS, cesqlStringOf, type CesqlToken, tokenizeCesql } from "./token.ts";
import { INTEGER_MAX, INTEGER_MIN } from "./value.ts";

/** A parsed text: a tree, whole where there are no issues, and all that is wrong with its grammar. */
export interface CesqlParse {
  readonly root: CesqlNode;
  readonly issues: readonly LanguageIssue[];
}

/** Operators of two operands by how tightly they bind, loosest first. All lean to the left. */
const BINARY_LEVELS: readonly ReadonlySet<string>[] = [
  new Set(["AND", "OR", "XOR"]),
  new Set(["=", "!=", "<>", "<", "<=", ">", ">="]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"]),
];

const DATA_REGEXP = /^data/i;
const UNDERSCORE_HINT = "a key with an underscore cannot be reached in CESQL: write the condition in CEL";

/** What CEL and scripts call by these names, and how CESQL reaches it. */
const FOREIGN_ROOTS: { readonly [name: string]: string } = {
  payload: "the payload is read as data.x",
  meta: "a key of meta is read by its name alone",
  constants: "CESQL cannot read constants: write ${constants.x}, or the condition in CEL",
  parameters: "CESQL cannot read parameters: write ${parameters.x}, or the condition in CEL",
};

/** What is a word elsewhere, and how CESQL says it. */
const WORDS: { readonly [word: string]: string } = {
  is: "EXISTS x asks whether there is one, NOT EXISTS x whether there is none",
  between: "write x >= 1 AND x <= 9",
  contains: "write x LIKE '%part%'",
  matches: "write x LIKE '%part%'",
  ilike: "write LOWER(x) LIKE '%part%'",
  rlike: "write x LIKE '%part%'",
};

/** Parses an expression. Never fails. */
export function parseCesql(source: string): CesqlParse {
  if (source.length > CESQL_SOURCE_UNITS_MAX) {
    const message = `an expression may have ${CESQL_SOURCE_UNITS_MAX} characters, this one has ${source.length}`;
    return { root: { kind: "literal", value: false, at: 0 }, issues: [{ message, offset: 0 }] };
  }
  const { tokens, issues } = tokenizeCesql(source);
  const parser = new Parser(tokens, [...issues]);
  return { root: parser.run(), issues: parser.issues };
}

class Parser {
  readonly issues: LanguageIssue[];
  readonly #tokens: readonly CesqlToken[];
  readonly #depths = new CesqlDepths();
  #index = 0;
  #isTooDeep = false;

  constructor(tokens: readonly CesqlToken[], issues: LanguageIssue[]) {
    this.#tokens = tokens;
    this.issues = issues;
  }

  run(): CesqlNode {
    const root = this.#binary(1, 0);
    if (this.#token.kind !== "end") this.#unexpected("an operator or the end", this.#operatorHint());
    return root;
  }

  get #token(): CesqlToken {
    // The last token is of kind `end` and is never passed.
    return this.#tokens[this.#index] as CesqlToken;
  }

  /** Whether a token at a distance is this keyword or punctuation. */
  #is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#index + ahead];
    return token?.text === text && (token.kind === "punctuation" || token.kind === "word");
  }

  #accept(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#index += 1;
    return true;
  }

  #expect(text: string): void {
    if (this.#accept(text)) return;
    this.#unexpected(JSON.stringify(text), this.#operatorHint());
    this.#accept(text);
  }

  #binary(level: number, precedence: number): CesqlNode {
    const operators = BINARY_LEVELS[precedence];
    if (operators === undefined) return this.#postfix(level);
    let left = this.#binary(level, precedence + 1);
    while (operators.has(this.#token.text) && this.#token.kind !== "string") {
      const operator = this.#token;
      this.#index += 1;
      left = this.#deepened(joinCesql(operator, left, this.#binary(level + 1, precedence + 1)), operator);
    }
    return left;
  }

  #postfix(level: number): CesqlNode {
    let operand = this.#unary(level);
    while (true) {
      const isNegated = this.#is("NOT") && (this.#is("LIKE", 1) || this.#is("IN", 1));
      const operator = this.#tokens[this.#index + (isNegated ? 1 : 0)];
      if (operator?.kind !== "word" || (operator.text !== "LIKE" && operator.text !== "IN")) return operand;
      this.#index += isNegated ? 2 : 1;
      const at = operator.start;
      operand = operator.text === "LIKE"
        ? { kind: "like", operand, pattern: this.#pattern(), isNegated, at }
        : { kind: "in", operand, items: this.#items(level + 1), isNegated, at };
      operand = this.#deepened(operand, operator);
    }
  }

  #pattern(): string {
    const token = this.#token;
    if (token.kind !== "string") {
      this.#unexpected("a text in quotes: the pattern of LIKE");
      return "";
    }
    this.#index += 1;
    const pattern = cesqlStringOf(token);
    if (pattern.length > CESQL_PATTERN_UNITS_MAX) {
      this.#issue(`a pattern may have ${CESQL_PATTERN_UNITS_MAX} characters, this one has ${pattern.length}`, token);
    }
    return pattern;
  }

  #items(level: number): readonly CesqlNode[] {
    if (!this.#is("(")) {
      this.#unexpected('"(": the list of IN stands in brackets');
      return [];
    }
    this.#index += 1;
    if (this.#is(")")) this.#unexpected("a value: the list of IN is not empty");
    return this.#list(level);
  }

  #unary(level: number): CesqlNode {
    if (this.#tooDeep(level)) return this.#nothing();
    const token = this.#token;
    const sign = token.kind === "punctuation" && (token.text === "-" || token.text === "+") ? token.text : undefined;
    const next = this.#tokens[this.#index + 1];
    if (sign !== undefined && next?.kind === "integer" && next.start === token.end) {
      this.#index += 2;
      return this.#integer(sign + next.text, token);
    }
    if (sign === "-" || this.#is("NOT")) {
      this.#index += 1;
      const operand = this.#unary(level + 1);
      return this.#deepened({ kind: sign === "-" ? "negate" : "not", operand, at: token.start }, token);
    }
    return this.#primary(level);
  }

  #primary(level: number): CesqlNode {
    const token = this.#token;
    if (token.kind === "integer") {
      this.#index += 1;
      return this.#integer(token.text, token);
    }
    if (token.kind === "string") {
      this.#index += 1;
      return { kind: "literal", value: cesqlStringOf(token), at: token.start };
    }
    if (this.#accept("(")) {
      const inner = this.#binary(level + 1, 0);
      this.#expect(")");
      return inner;
    }
    if (token.kind !== "word") {
      this.#unexpected("a value");
      return this.#nothing();
    }
    return this.#word(level);
  }

  #word(level: number): CesqlNode {
    const token = this.#token;
    if (this.#is("TRUE") || this.#is("FALSE")) {
      this.#index += 1;
      return { kind: "literal", value: token.text === "TRUE", at: token.start };
    }
    if (this.#accept("EXISTS")) {
      if (this.#token.kind === "word" && !CESQL_KEYWORDS.has(this.#token.text)) {
        return this.#deepened({ kind: "exists", operand: this.#name(), at: token.start }, token);
      }
      this.#unexpected("the name of an attribute behind EXISTS");
      return this.#nothing();
    }
    if (CESQL_KEYWORDS.has(token.text)) {
      this.#unexpected("a value");
      return this.#nothing();
    }
    if (this.#is("(", 1)) return this.#call(level);
    return this.#name();
  }

  #call(level: number): CesqlNode {
    const token = this.#token;
    this.#index += 2;
    const operands = this.#accept(")") ? [] : this.#list(level + 1);
    return this.#deepened({ kind: "call", name: token.text, operands, at: token.start }, token);
  }

  /** Expressions up to the closing bracket. */
  #list(level: number): readonly CesqlNode[] {
    const items: CesqlNode[] = [];
    do items.push(this.#binary(level, 0)); while (this.#accept(","));
    this.#expect(")");
    return items;
  }

  /** An attribute or a value of the payload. */
  #name(): CesqlAttribute | CesqlData {
    const token = this.#token;
    this.#index += 1;
    const { text: name, start: at } = token;
    if (name.toLowerCase() === "data") return { kind: "data", path: this.#path(), at };
    if (name.includes("_")) {
      this.#issue(
        `${quotedText(name)} is no name of an attribute: they have letters and digits`,
        token,
        UNDERSCORE_HINT,
      );
    } else if (DATA_REGEXP.test(name)) {
      this.#issue(
        `${quotedText(name)} cannot be read: names that begin with "data" are kept for the payload`,
        token,
        "the payload is read as data.x",
      );
    }
    if (this.#is(".")) {
      const hint = Object.hasOwn(FOREIGN_ROOTS, name) ? FOREIGN_ROOTS[name] : "only the payload has members: data.x";
      this.#issue(`${quotedText(name)} has no members`, this.#token, hint);
      this.#path();
    }
    return { kind: "attribute", name, at };
  }

  /** The steps behind `data`, each a dot and a name. */
  #path(): readonly string[] {
    const steps: string[] = [];
    while (this.#accept(".")) {
      const token = this.#token;
      if (token.kind !== "word" && token.kind !== "integer") {
        this.#unexpected("a name behind the dot");
        break;
      }
      this.#index += 1;
      steps.push(token.written);
      if (token.written.includes("_")) {
        this.#issue(
          `${quotedText(token.written)} cannot be read: names have letters and digits`,
          token,
          UNDERSCORE_HINT,
        );
      }
      if (steps.length === CESQL_DATA_LEVELS_MAX + 1) {
        const hint = "what lies deeper is JSON text, or write the condition in CEL";
        this.#issue(`data reaches ${CESQL_DATA_LEVELS_MAX} levels into the payload, this is one more`, token, hint);
      }
    }
    return steps;
  }

  #integer(text: string, token: CesqlToken): CesqlNode {
    const value = Number(text);
    if (value < INTEGER_MIN || value > INTEGER_MAX) {
      this.#issue(
        `${quotedText(text)} is no whole number of 32 bits`,
        token,
        `numbers reach from ${INTEGER_MIN} to ${INTEGER_MAX}`,
      );
    }
    if (this.#is(".")) this.#unexpected("an operator or the end", "numbers have no fraction in CESQL");
    return { kind: "literal", value: value | 0, at: token.start };
  }

  /** Stands where a value is missing: what could be any value is not complained of further. */
  #nothing(): CesqlNode {
    return { kind: "attribute", name: "", at: this.#token.start };
  }

  /** Notes the depth of a node that was just made. */
  #deepened(node: CesqlNode, token: CesqlToken): CesqlNode {
    if (this.#depths.add(node) > CESQL_DEPTH_MAX) this.#reportDepth(token);
    return node;
  }

  #tooDeep(level: number): boolean {
    if (level > CESQL_DEPTH_MAX) this.#reportDepth(this.#token);
    return this.#isTooDeep;
  }

  #reportDepth(token: CesqlToken): void {
    if (this.#isTooDeep) return;
    this.#issue(`an expression may nest ${CESQL_DEPTH_MAX} levels, this one goes deeper here`, token);
    this.#isTooDeep = true;
    this.#index = this.#tokens.length - 1;
  }

  /** What was probably meant where an operator is missing. */
  #operatorHint(): string | undefined {
    const before = this.#tokens[this.#index - 1];
    return wordHint(this.#token) ?? (before === undefined ? undefined : wordHint(before));
  }

  /** Reports the current token and skips to where reading can go on: a comma or closer at the same level. */
  #unexpected(wanted: string, hint?: string): void {
    const token = this.#token;
    const found = token.kind === "end" ? "the expression ends" : `found ${quotedText(token.written)}`;
    this.#issue(`expected ${wanted}, but ${found}`, token, hint);
    let open = 0;
    while (this.#token.kind !== "end") {
      if (open === 0 && (this.#is(",") || this.#is(")"))) break;
      if (this.#is("(")) open += 1;
      else if (this.#is(")")) open -= 1;
      this.#index += 1;
    }
  }

  #issue(message: string, token: CesqlToken, hint?: string): void {
    if (this.#isTooDeep || this.issues.some(({ offset }) => offset === token.start)) return;
    const length = Math.max(1, token.end - token.start);
    // Whatever follows, reading ends here.
    if (this.issues.length >= CESQL_ISSUES_MAX) this.#index = this.#tokens.length - 1;
    else this.issues.push({ message, offset: token.start, length, ...(hint === undefined ? {} : { hint }) });
  }
}

function wordHint({ kind, text }: CesqlToken): string | undefined {
  const word = text.toLowerCase();
  return kind === "word" && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}
