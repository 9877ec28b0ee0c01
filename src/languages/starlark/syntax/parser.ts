/** Owns the grammar of statements. */

import { ExpressionParser } from "./expression_parser.ts";
import type { Issues } from "./issues.ts";
import { scan } from "./scanner.ts";
import { SyntaxFault, TokenCursor } from "./token_cursor.ts";
import type { TokenKind } from "./token.ts";
import type { BinaryOperator, Expression, Load, Name, Statement } from "./tree.ts";

/** A parsed script. */
export interface ParsedScript {
  readonly statements: readonly Statement[];
  /**
   * Names in statements that did not parse. What they would have bound is unknown, so that no other statement
   * should be blamed for reading them.
   */
  readonly suspects: ReadonlySet<string>;
}

/** Parses a script. Every statement with an error is reported and left out; parsing goes on behind it. */
export function parse(source: string, issues: Issues): ParsedScript {
  const cursor = new TokenCursor(scan(source, issues));
  return new StatementParser(cursor, issues).script();
}

const ASSIGNMENTS: ReadonlyMap<TokenKind, BinaryOperator | undefined> = new Map<TokenKind, BinaryOperator | undefined>([
  ["=", undefined],
  ["+=", "+"],
  ["-=", "-"],
  ["*=", "*"],
  ["/=", "/"],
  ["//=", "//"],
  ["%=", "%"],
  ["&=", "&"],
  ["|=", "|"],
  ["^=", "^"],
  ["<<=", "<<"],
  [">>=", ">>"],
]);

class StatementParser extends ExpressionParser {
  readonly #issues: Issues;
  readonly #suspects = new Set<string>();

  constructor(cursor: TokenCursor, issues: Issues) {
    super(cursor);
    this.#issues = issues;
  }

  script(): ParsedScript {
    const statements: Statement[] = [];
    while (!this.cursor.is("end")) this.#line(statements);
    return { statements, suspects: this.#suspects };
  }

  /** One line or compound statement, added to `into`. An error ends at the line's end. */
  #line(into: Statement[]): void {
    if (this.cursor.accept("newline") !== undefined) return;
    const start = this.cursor.position;
    try {
      this.#statement(into);
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      // That a bracket is never closed was told already; that something is missing behind it is no second mistake.
      if (!this.#isInOpenBracket(start)) this.#issues.report(error.message, error.start, error.end, error.hint);
      this.#recover();
      // A stray end of block belongs to no statement; without this step the parser would stand still on it.
      if (this.cursor.position === start) this.cursor.advance();
      for (const { kind, text } of this.cursor.since(start)) if (kind === "name") this.#suspects.add(text);
    }
  }

  /** Whether a line that begins at token `start` ends here, inside a bracket. */
  #isInOpenBracket(start: number): boolean {
    if (this.#issues.count === 0 || (!this.cursor.is("newline") && !this.cursor.is("end"))) return false;
    let depth = 0;
    for (const { kind } of this.cursor.since(start)) {
      if (kind === "(" || kind === "[" || kind === "{") depth++;
      else if (kind === ")" || kind === "]" || kind === "}") depth--;
    }
    return depth > 0;
  }

  /** Skips to the line behind the error, an indented block below it included. */
  #recover(): void {
    let depth = 0;
    while (!this.cursor.is("end")) {
      const { kind } = this.cursor.token;
      if (kind === "dedent" && depth === 0) return;
      this.cursor.advance();
      if (kind === "indent") depth++;
      else if (kind === "dedent") depth--;
      const endsHere = kind === "newline" || kind === "dedent";
      if (endsHere && depth === 0 && !this.cursor.is("indent")) return;
    }
  }

  #statement(into: Statement[]): void {
    const { kind, start } = this.cursor.token;
    if (kind === "indent") throw new SyntaxFault("unexpected indentation", start, this.cursor.token.end);
    if (kind === "def") into.push(this.#definition());
    else if (kind === "if") into.push(this.#if());
    else if (kind === "for") into.push(this.#for());
    else if (kind === "while") into.push(this.#while());
    else this.#simpleLine(into);
  }

  #simpleLine(into: Statement[]): void {
    for (;;) {
      into.push(this.#simple());
      if (this.cursor.accept(";") === undefined || this.cursor.is("newline") || this.cursor.is("end")) break;
    }
    if (!this.cursor.is("end")) this.cursor.expect("newline", "end of line");
  }

  #block(): readonly Statement[] {
    this.cursor.expect(":", ":");
    const statements: Statement[] = [];
    if (this.cursor.accept("newline") === undefined) {
      this.#simpleLine(statements);
      return statements;
    }
    this.cursor.expect("indent", "an indented block");
    this.nested(() => {
      while (!this.cursor.is("dedent") && !this.cursor.is("end")) this.#line(statements);
    });
    this.cursor.accept("dedent");
    return statements;
  }

  #definition(): Statement {
    const { start } = this.cursor.advance();
    const name = this.name("a function name");
    this.cursor.expect("(", "(");
    const parameters = this.parameters(")");
    this.cursor.expect(")", ")");
    const body = this.#block();
    const place = { start, end: this.cursor.lastEnd };
    const common = { name: name.name, parameters, body, isLambda: false, site: start, scope: undefined };
    return { kind: "definition", name, function: { ...common, ...place }, ...place };
  }

  #if(): Statement {
    const { start } = this.cursor.token;
    const branches: { test: Expression; body: readonly Statement[] }[] = [];
    do {
      this.cursor.advance();
      const test = this.test();
      branches.push({ test, body: this.#block() });
    } while (this.cursor.is("elif"));
    const otherwise = this.cursor.accept("else") === undefined ? [] : this.#block();
    return { kind: "if", branches, otherwise, start, end: this.cursor.lastEnd };
  }

  #for(): Statement {
    const { start } = this.cursor.advance();
    const target = this.loopTargets();
    this.cursor.expect("in", "in");
    const source = this.expression();
    const body = this.#block();
    return { kind: "for", target, source, body, start, end: this.cursor.lastEnd };
  }

  #while(): Statement {
    const { start } = this.cursor.advance();
    const test = this.test();
    const body = this.#block();
    return { kind: "while", test, body, start, end: this.cursor.lastEnd };
  }

  #simple(): Statement {
    const { kind, start, end } = this.cursor.token;
    if (kind === "break" || kind === "continue" || kind === "pass") {
      this.cursor.advance();
      return { kind, start, end };
    }
    if (kind === "return") {
      this.cursor.advance();
      const isBare = this.cursor.is("newline") || this.cursor.is(";") || this.cursor.is("end");
      const value = isBare ? undefined : this.expression();
      return { kind: "return", value, start, end: this.cursor.lastEnd };
    }
    if (kind === "load") return this.#load();
    const target = this.expression();
    const operator = this.cursor.token;
    if (!ASSIGNMENTS.has(operator.kind)) return { kind: "expression", value: target, start, end: target.end };
    this.cursor.advance();
    const value = this.expression();
    const place = { site: operator.start, start, end: value.end };
    return { kind: "assignment", target, operator: ASSIGNMENTS.get(operator.kind), value, ...place };
  }

  #load(): Load {
    const { start } = this.cursor.advance();
    this.cursor.expect("(", "(");
    const module = this.#text("the module's name as a string literal");
    const names: Load["names"][number][] = [];
    while (this.cursor.accept(",") !== undefined && !this.cursor.is(")")) names.push(this.#loadedName());
    const close = this.cursor.expect(")", ") or ,");
    if (names.length === 0) throw new SyntaxFault("load names nothing to bind", start, close.end);
    return { kind: "load", module: module.text, moduleStart: module.start, names, start, end: close.end };
  }

  #loadedName(): Load["names"][number] {
    if (this.cursor.is("name")) {
      const local: Name = this.name("a name");
      this.cursor.expect("=", "=");
      const { text, start } = this.#text("the loaded name as a string literal");
      return { local, from: text, start };
    }
    const { text, start, end } = this.#text("the loaded name as a string literal");
    return { local: { kind: "name", name: text, start, end, binding: undefined }, from: text, start };
  }

  #text(wanted: string): { readonly text: string; readonly start: number; readonly end: number } {
    const { literal, start, end } = this.cursor.token;
    if (literal?.type !== "string") throw this.cursor.fault(wanted);
    this.cursor.advance();
    return { text: literal.text, start, end };
  }
}
