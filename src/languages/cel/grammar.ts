/**
 * Owns the check of CEL text against the grammar: every mistake with its place, and the limits on size and depth.
 *
 * The library's parser stops at the first mistake, names a place before it, and takes some texts that the language does
 * not have (unknown escapes, integers beyond 64 bits). So text is checked here first; only sound text reaches it.
 */

import type { LanguageIssue } from "../scope.ts";
import { quotedText } from "../../base/mod.ts";
import { CEL_DEPTH_MAX, CEL_ISSUES_MAX, CEL_SOURCE_UNITS_MAX } from "./limits.ts";
import { type CelToken, tokenizeCel } from "./token.ts";

/** What the check found: issues in the order of the text, and the tokens when there are none. */
export interface CelGrammarCheck {
  readonly issues: readonly LanguageIssue[];
  readonly tokens: readonly CelToken[];
}

const KEYWORDS: ReadonlySet<string> = new Set(["false", "in", "null", "true"]);
const RESERVED: ReadonlySet<string> = new Set(
  ("as break const continue else for function if import let loop namespace package return var void while").split(" "),
);
const CLOSERS: ReadonlySet<string> = new Set([")", "]", "}"]);
const OPENERS: ReadonlySet<string> = new Set(["(", "[", "{"]);

const RESERVED_HINT = "no variable can have this name";

/** What is a word elsewhere, and how CEL writes it. */
const WORDS: { readonly [word: string]: string } = {
  and: "the logical and is written &&",
  or: "the logical or is written ||",
  not: "the logical not is written !",
  is: "equality is written ==",
  eq: "equality is written ==",
  contains: 'write text.contains("part")',
  startswith: 'write text.startsWith("part")',
  endswith: 'write text.endsWith("part")',
  matches: 'write text.matches("expression")',
  like: 'write text.contains("part") or text.matches("expression")',
  if: "a choice is written condition ? this : that",
  else: "a choice is written condition ? this : that",
};

/** Operators by how tightly they bind, loosest first; `balanced` chains cost one level however long they are. */
const BINARY_LEVELS: readonly { readonly operators: ReadonlySet<string>; readonly balanced: boolean }[] = [
  { operators: new Set(["||"]), balanced: true },
  { operators: new Set(["&&"]), balanced: true },
  { operators: new Set(["<", "<=", ">", ">=", "==", "!=", "in"]), balanced: false },
  { operators: new Set(["+", "-"]), balanced: false },
  { operators: new Set(["*", "/", "%"]), balanced: false },
];

/** Checks an expression against CEL's grammar. */
export function checkCelGrammar(source: string): CelGrammarCheck {
  if (source.length > CEL_SOURCE_UNITS_MAX) {
    const message = `an expression may have ${CEL_SOURCE_UNITS_MAX} characters, this one has ${source.length}`;
    return { issues: [{ message, offset: 0 }], tokens: [] };
  }
  const { tokens, issues } = tokenizeCel(source);
  const found = [...issues];
  new Recognizer(tokens, found).run();
  found.sort((left, right) => left.offset - right.offset);
  return { issues: found, tokens };
}

/** Walks the grammar. Each method takes the level it stands at and returns the deepest level below it. */
class Recognizer {
  readonly #tokens: readonly CelToken[];
  readonly #issues: LanguageIssue[];
  #index = 0;
  #isTooDeep = false;

  constructor(tokens: readonly CelToken[], issues: LanguageIssue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  run(): void {
    this.#expression(1);
    if (this.#token.kind !== "end") this.#unexpected("an operator or the end", this.#operatorHint());
  }

  /** What was probably meant where an operator is missing. */
  #operatorHint(): string | undefined {
    const before = this.#tokens[this.#index - 1];
    return wordHint(this.#token) ?? (before === undefined ? undefined : wordHint(before));
  }

  get #token(): CelToken {
    // The last token is of kind `end` and is never passed.
    return this.#tokens[this.#index] as CelToken;
  }

  #is(text: string): boolean {
    const token = this.#token;
    return token.text === text && (token.kind === "punctuation" || token.kind === "identifier");
  }

  #accept(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#index += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) {
      this.#unexpected(JSON.stringify(text));
      this.#accept(text);
    }
  }

  #expression(level: number): number {
    if (this.#tooDeep(level)) return level;
    let deepest = this.#binary(level, 0);
    if (!this.#accept("?")) return deepest;
    deepest = Math.max(deepest, this.#binary(level + 1, 0));
    this.#expect(":");
    return Math.max(deepest, this.#expression(level + 1));
  }

  #binary(level: number, precedence: number): number {
    const rule = BINARY_LEVELS[precedence];
    if (rule === undefined) return this.#unary(level);
    let deepest = this.#binary(level, precedence + 1);
    while (rule.operators.has(this.#token.text) && this.#token.kind !== "string") {
      this.#index += 1;
      const right = this.#binary(level + 1, precedence + 1);
      // The left side moves one level down with each operator that leans on it.
      deepest = Math.max(rule.balanced ? deepest : deepest + 1, right);
      if (this.#tooDeep(deepest)) return deepest;
    }
    return deepest;
  }

  #unary(level: number): number {
    const operator = this.#is("!") ? "!" : this.#is("-") ? "-" : undefined;
    if (operator === undefined) return this.#member(level);
    let below = level;
    while (this.#accept(operator)) below += 1;
    // A sign that belongs to a number may follow `!`, any other mixture may not stand without brackets.
    if (operator === "!" && this.#is("-") && this.#tokens[this.#index + 1]?.kind === "number") this.#index += 1;
    if (this.#tooDeep(below)) return below;
    return this.#member(below);
  }

  #member(level: number): number {
    const first = this.#index;
    let deepest = this.#primary(level);
    let isName = this.#isName(first);
    while (!this.#tooDeep(deepest)) {
      if (this.#accept(".")) {
        this.#selector();
        if (this.#accept("(")) {
          deepest = Math.max(deepest, this.#list(level + 1, ")", false));
          isName = false;
        }
      } else if (this.#accept("[")) {
        deepest = Math.max(deepest, this.#expression(level + 1));
        this.#expect("]");
        isName = false;
      } else if (isName && this.#accept("{")) {
        deepest = Math.max(deepest, this.#entries(level + 1, () => this.#selector()));
        isName = false;
      } else break;
      deepest += 1;
    }
    return deepest;
  }

  /** Whether what was read since a token is a name alone: it may begin a message. */
  #isName(first: number): boolean {
    const read = this.#tokens.slice(first, this.#index).map(({ kind, text }) => kind === "identifier" ? kind : text);
    return read.join(" ") === "identifier" || read.join(" ") === ". identifier";
  }

  #selector(): void {
    const token = this.#token;
    if (this.#is("?")) {
      this.#unexpected("a field name", "optional values are an extension that is not offered; has() tests for a field");
    } else if (token.kind === "quoted" || (token.kind === "identifier" && !KEYWORDS.has(token.text))) {
      this.#index += 1;
    } else this.#unexpected("a field name");
  }

  #primary(level: number): number {
    const token = this.#token;
    if (token.kind === "number" || token.kind === "string") {
      this.#index += 1;
      return level;
    }
    if (token.kind === "identifier" && token.text !== "in") return this.#name(level);
    if (this.#accept("(")) {
      const deepest = this.#expression(level + 1);
      this.#expect(")");
      return deepest;
    }
    if (this.#accept("[")) return this.#list(level + 1, "]", true);
    if (this.#accept("{")) return this.#entries(level + 1);
    if (this.#accept(".")) {
      if (this.#token.kind === "identifier" && !KEYWORDS.has(this.#token.text)) return this.#name(level);
      this.#unexpected("a name");
      return level;
    }
    if (token.kind === "quoted") this.#unexpected("a value", "back-quotes are for field names, after a dot");
    else this.#unexpected("a value");
    return level;
  }

  #name(level: number): number {
    const token = this.#token;
    if (RESERVED.has(token.text)) {
      this.#issue(`${quotedText(token.text)} is a reserved word of CEL`, token, wordHint(token) ?? RESERVED_HINT);
    }
    this.#index += 1;
    if (!KEYWORDS.has(token.text) && this.#accept("(")) return this.#list(level + 1, ")", false);
    return level;
  }

  #list(level: number, closer: string, mayEndInComma: boolean): number {
    let deepest = level;
    if (this.#accept(closer)) return deepest;
    while (true) {
      if (this.#is("?")) this.#unexpected("a value", "optional values are an extension that is not offered");
      deepest = Math.max(deepest, this.#expression(level));
      if (!this.#accept(",")) break;
      if (mayEndInComma && this.#is(closer)) break;
    }
    this.#expect(closer);
    return deepest;
  }

  /** The entries of a map, or with a reader of field names the fields of a message, up to the closing brace. */
  #entries(level: number, readField?: () => void): number {
    let deepest = level;
    while (!this.#is("}")) {
      if (this.#is("?")) this.#unexpected("a key", "optional values are an extension that is not offered");
      if (readField === undefined) deepest = Math.max(deepest, this.#expression(level));
      else readField();
      this.#expect(":");
      deepest = Math.max(deepest, this.#expression(level));
      if (!this.#accept(",")) break;
    }
    this.#expect("}");
    return deepest;
  }

  #tooDeep(level: number): boolean {
    if (level <= CEL_DEPTH_MAX) return false;
    if (!this.#isTooDeep) {
      this.#issue(`an expression may nest ${CEL_DEPTH_MAX} levels, this one goes deeper here`, this.#token);
      this.#isTooDeep = true;
      this.#index = this.#tokens.length - 1;
    }
    return true;
  }

  /** Reports the current token and skips to where reading can go on: a comma or closer at the same level. */
  #unexpected(wanted: string, hint?: string): void {
    const token = this.#token;
    const found = token.kind === "end" ? "the expression ends" : `found ${quotedText(token.text)}`;
    this.#issue(`expected ${wanted}, but ${found}`, token, hint);
    let open = 0;
    while (this.#token.kind !== "end") {
      const text = this.#token.kind === "punctuation" ? this.#token.text : "";
      if (open === 0 && (text === "," || CLOSERS.has(text))) break;
      if (OPENERS.has(text)) open += 1;
      else if (CLOSERS.has(text)) open -= 1;
      this.#index += 1;
    }
  }

  #issue(message: string, token: CelToken, hint?: string): void {
    if (this.#isTooDeep || this.#issues.some(({ offset }) => offset === token.start)) return;
    const length = Math.max(1, token.end - token.start);
    // Whatever follows, reading ends here.
    if (this.#issues.length >= CEL_ISSUES_MAX) this.#index = this.#tokens.length - 1;
    else this.#issues.push({ message, offset: token.start, length, ...(hint === undefined ? {} : { hint }) });
  }
}

function wordHint({ kind, text }: CelToken): string | undefined {
  const word = text.toLowerCase();
  return kind === "identifier" && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}
