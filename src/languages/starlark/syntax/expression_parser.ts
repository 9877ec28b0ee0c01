/** Owns the grammar of expressions. */

import { ParameterList } from "./parameter_list.ts";
import { SyntaxFault, type TokenCursor } from "./token_cursor.ts";
import type { Token, TokenKind } from "./token.ts";
import type { Argument, BinaryOperator, Clause, Expression, FunctionNode, LiteralValue, Name } from "./tree.ts";

/** How deep expressions and blocks may nest, operators of one chain counted too. */
export const NESTING_MAX = 200;

const PRECEDENCE: readonly (readonly TokenKind[])[] = [
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "//", "%"],
];
const COMPARISONS: ReadonlySet<TokenKind> = new Set(["==", "!=", "<", ">", "<=", ">=", "in", "not"]);
const EXPRESSION_ENDS: ReadonlySet<TokenKind> = new Set([")", "]", "}", "newline", ";", "end", "=", ":"]);

/** Parses expressions from a cursor. */
export class ExpressionParser {
  protected readonly cursor: TokenCursor;
  #depth = 0;

  constructor(cursor: TokenCursor) {
    this.cursor = cursor;
  }

  /** Runs `parse` one level deeper. */
  protected nested<T>(parse: () => T): T {
    const { start, end } = this.cursor.token;
    if (++this.#depth > NESTING_MAX) throw new SyntaxFault(`nested deeper than ${NESTING_MAX} levels`, start, end);
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }

  /** `a` or `a, b`: a tuple without parentheses counts. */
  protected expression(parenthesized = false): Expression {
    const first = this.test();
    if (!this.cursor.is(",")) return first;
    const items = [first];
    while (this.cursor.accept(",") !== undefined) {
      if (EXPRESSION_ENDS.has(this.cursor.token.kind)) {
        if (!parenthesized) {
          const { start, end } = this.cursor.token;
          throw new SyntaxFault("a tuple with a trailing comma needs parentheses", start, end);
        }
        break;
      }
      items.push(this.test());
    }
    return { kind: "tuple", items, start: first.start, end: this.cursor.lastEnd };
  }

  /** One expression: conditional, lambda or anything tighter. */
  test(): Expression {
    return this.nested(() => {
      if (this.cursor.is("lambda")) return this.#lambda(() => this.test());
      const value = this.#or();
      if (this.cursor.accept("if") === undefined) return value;
      const test = this.#or();
      if (!this.cursor.is("else")) throw this.cursor.fault("else: a conditional expression needs both values");
      this.cursor.advance();
      const no = this.test();
      return { kind: "conditional", test, yes: value, no, start: value.start, end: no.end };
    });
  }

  /** Targets of a `for`: names, elements or lists of them, up to `in`. */
  protected loopTargets(): Expression {
    const first = this.#unary();
    if (!this.cursor.is(",")) return first;
    const items = [first];
    while (this.cursor.accept(",") !== undefined) items.push(this.#unary());
    return { kind: "tuple", items, start: first.start, end: this.cursor.lastEnd };
  }

  /** A name that is being bound. */
  protected name(wanted: string): Name {
    const { text, start, end } = this.cursor.expect("name", wanted);
    return { kind: "name", name: text, start, end, binding: undefined };
  }

  /** The parameters of `def`, up to the closing parenthesis, or of `lambda`, up to the colon. */
  protected parameters(close: TokenKind): FunctionNode["parameters"] {
    return new ParameterList(this.cursor, () => this.test()).parse(close);
  }

  #lambda(parseBody: () => Expression): Expression {
    const word = this.cursor.advance();
    const parameters = this.parameters(":");
    this.cursor.expect(":", ":");
    const value = parseBody();
    const place = { start: word.start, end: value.end };
    return {
      kind: "lambda",
      ...place,
      function: {
        name: "lambda",
        parameters,
        body: [{ kind: "return", value, start: value.start, end: value.end }],
        isLambda: true,
        site: word.start,
        scope: undefined,
        ...place,
      },
    };
  }

  #or(): Expression {
    return this.#chain(() => this.#and(), (token) => token.kind === "or", (left, right) => {
      return { kind: "logical", operator: "or", left, right, start: left.start, end: right.end };
    });
  }

  #and(): Expression {
    return this.#chain(() => this.#not(), (token) => token.kind === "and", (left, right) => {
      return { kind: "logical", operator: "and", left, right, start: left.start, end: right.end };
    });
  }

  #not(): Expression {
    const word = this.cursor.accept("not");
    if (word === undefined) return this.#comparison();
    const operand = this.nested(() => this.#not());
    return { kind: "unary", operator: "not", operand, start: word.start, end: operand.end };
  }

  /** Left-associative operators of one level. The chain's length counts as nesting, as the tree is that deep. */
  #chain(
    operand: () => Expression,
    isOperator: (token: Token) => boolean,
    join: (left: Expression, right: Expression, operator: Token) => Expression,
  ): Expression {
    let left = operand();
    let length = 0;
    while (isOperator(this.cursor.token)) {
      const operator = this.cursor.advance();
      if (++length + this.#depth > NESTING_MAX) {
        throw new SyntaxFault(`nested deeper than ${NESTING_MAX} levels`, operator.start, operator.end);
      }
      left = join(left, operand(), operator);
    }
    return left;
  }

  #comparison(): Expression {
    const left = this.#operators(0);
    const { kind } = this.cursor.token;
    if (!COMPARISONS.has(kind)) return left;
    const operator = this.cursor.advance();
    let name = operator.kind as BinaryOperator;
    if (kind === "not") {
      this.cursor.expect("in", "in: the operator is written not in");
      name = "not in";
    }
    const right = this.#operators(0);
    if (COMPARISONS.has(this.cursor.token.kind)) {
      const { start, end, text } = this.cursor.token;
      throw new SyntaxFault(`${operator.text} does not chain with ${text}: use and, or parentheses`, start, end);
    }
    return { kind: "binary", operator: name, left, right, site: operator.start, start: left.start, end: right.end };
  }

  #operators(level: number): Expression {
    const operators = PRECEDENCE[level];
    if (operators === undefined) return this.#unary();
    return this.#chain(
      () => this.#operators(level + 1),
      (token) => operators.includes(token.kind),
      (left, right, { kind, start }) => {
        const operator = kind as BinaryOperator;
        return { kind: "binary", operator, left, right, site: start, start: left.start, end: right.end };
      },
    );
  }

  #unary(): Expression {
    const { kind, start } = this.cursor.token;
    if (kind !== "-" && kind !== "+" && kind !== "~") return this.#suffixes(this.#operand());
    this.cursor.advance();
    const operand = this.nested(() => this.#unary());
    return { kind: "unary", operator: kind, operand, start, end: operand.end };
  }

  #suffixes(operand: Expression): Expression {
    let target = operand;
    for (let length = 0;; length++) {
      const { kind, start, end } = this.cursor.token;
      if (length + this.#depth > NESTING_MAX) {
        throw new SyntaxFault(`nested deeper than ${NESTING_MAX} levels`, start, end);
      }
      if (kind === ".") {
        this.cursor.advance();
        const name = this.cursor.expect("name", "a field or method name");
        target = { kind: "attribute", target, name: name.text, site: start, start: target.start, end: name.end };
      } else if (kind === "(") target = this.#call(target);
      else if (kind === "[") target = this.#subscript(target);
      else return target;
    }
  }

  #call(callee: Expression): Expression {
    const open = this.cursor.advance();
    const found: Argument[] = [];
    while (!this.cursor.is(")")) {
      found.push(this.#argument());
      if (this.cursor.accept(",") === undefined) break;
    }
    const close = this.cursor.expect(")", ") or ,");
    return { kind: "call", callee, arguments: found, site: open.start, start: callee.start, end: close.end };
  }

  #argument(): Argument {
    const { kind, start } = this.cursor.token;
    if (kind === "*" || kind === "**") {
      this.cursor.advance();
      const value = this.test();
      return { form: kind === "*" ? "sequence" : "mapping", name: "", value, start, end: value.end };
    }
    const value = this.test();
    if (!this.cursor.is("=")) return { form: "positional", name: "", value, start, end: value.end };
    if (value.kind !== "name") throw new SyntaxFault("a keyword argument has the form name=value", start, value.end);
    this.cursor.advance();
    const given = this.test();
    return { form: "named", name: value.name, value: given, start, end: given.end };
  }

  #subscript(target: Expression): Expression {
    const { start: site } = this.cursor.advance();
    const start = target.start;
    const low = this.cursor.is(":") ? undefined : this.expression();
    if (low !== undefined && this.cursor.accept("]") !== undefined) {
      return { kind: "index", target, index: low, site, start, end: this.cursor.lastEnd };
    }
    this.cursor.expect(":", "] or :");
    const high = this.cursor.is(":") || this.cursor.is("]") ? undefined : this.test();
    let step: Expression | undefined;
    if (this.cursor.accept(":") !== undefined && !this.cursor.is("]")) step = this.test();
    this.cursor.expect("]", "]");
    return { kind: "slice", target, low, high, step, site, start, end: this.cursor.lastEnd };
  }

  #operand(): Expression {
    const { kind, start, end, text, literal } = this.cursor.token;
    if (kind === "name") {
      this.cursor.advance();
      return { kind: "name", name: text, start, end, binding: undefined };
    }
    if (kind === "literal" && literal !== undefined) return this.#literal(literal);
    if (kind === "(") return this.#parenthesized();
    if (kind === "[") return this.#list();
    if (kind === "{") return this.#dict();
    throw this.cursor.fault("an expression");
  }

  #literal(value: LiteralValue): Expression {
    const { start, end } = this.cursor.advance();
    const next = this.cursor.token;
    const isText = (kind: LiteralValue["type"] | undefined) => kind === "string" || kind === "bytes";
    if (isText(value.type) && isText(next.literal?.type)) {
      throw new SyntaxFault("strings side by side are not joined: write + between them", next.start, next.end);
    }
    return { kind: "literal", value, start, end };
  }

  #parenthesized(): Expression {
    const { start } = this.cursor.advance();
    if (this.cursor.accept(")") !== undefined) return { kind: "tuple", items: [], start, end: this.cursor.lastEnd };
    const inner = this.expression(true);
    this.cursor.expect(")", ")");
    return { ...inner, start, end: this.cursor.lastEnd };
  }

  #list(): Expression {
    const { start } = this.cursor.advance();
    if (this.cursor.accept("]") !== undefined) return { kind: "list", items: [], start, end: this.cursor.lastEnd };
    const first = this.test();
    if (this.cursor.is("for")) return this.#comprehension(start, undefined, first, "]");
    const items = [first];
    while (this.cursor.accept(",") !== undefined && !this.cursor.is("]")) items.push(this.test());
    this.cursor.expect("]", "] or ,");
    return { kind: "list", items, start, end: this.cursor.lastEnd };
  }

  #dict(): Expression {
    const { start } = this.cursor.advance();
    const entries: { key: Expression; value: Expression; colon: number }[] = [];
    while (!this.cursor.is("}")) {
      const key = this.test();
      const colon = this.cursor.expect(":", ":");
      const value = this.test();
      if (entries.length === 0 && this.cursor.is("for")) return this.#comprehension(start, key, value, "}");
      entries.push({ key, value, colon: colon.start });
      if (this.cursor.accept(",") === undefined) break;
    }
    this.cursor.expect("}", "} or ,");
    return { kind: "dict", entries, start, end: this.cursor.lastEnd };
  }

  #comprehension(start: number, key: Expression | undefined, item: Expression, close: TokenKind): Expression {
    const clauses: Clause[] = [];
    while (!this.cursor.is(close)) {
      const word = this.cursor.token;
      if (this.cursor.accept("for") !== undefined) {
        const target = this.loopTargets();
        this.cursor.expect("in", "in");
        clauses.push({ form: "for", target, source: this.#or(), site: word.start });
      } else if (this.cursor.accept("if") !== undefined) {
        const test = this.cursor.is("lambda") ? this.#lambda(() => this.#or()) : this.#or();
        clauses.push({ form: "if", test });
      } else throw this.cursor.fault(`${close}, for or if`);
      if (clauses.length > NESTING_MAX) throw this.cursor.fault(`at most ${NESTING_MAX} clauses`);
    }
    this.cursor.advance();
    return { kind: "comprehension", key, item, clauses, site: start, start, end: this.cursor.lastEnd };
  }
}
