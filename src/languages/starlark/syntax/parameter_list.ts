/** Owns the grammar of a function's parameters. */

import { SyntaxFault, type TokenCursor } from "./token_cursor.ts";
import type { TokenKind } from "./token.ts";
import type { Expression, Name, Parameter } from "./tree.ts";

/** Most parameters of a function: every call makes room for all of them. */
const PARAMETERS_MAX = 1000;

/** Parses `a, b=1, *args, c, **kwargs` and checks its order. */
export class ParameterList {
  readonly #cursor: TokenCursor;
  readonly #fallback: () => Expression;
  readonly #found: Parameter[] = [];
  readonly #names = new Set<string>();
  #sawSequence = false;
  #sawFallback = false;

  /** `fallback` parses a default value. */
  constructor(cursor: TokenCursor, fallback: () => Expression) {
    this.#cursor = cursor;
    this.#fallback = fallback;
  }

  /** Parses up to the token `close`, which is left to be read. */
  parse(close: TokenKind): readonly Parameter[] {
    while (!this.#cursor.is(close)) {
      const before = this.#found.at(-1);
      if (before?.form === "separator" && this.#cursor.is("**")) throw bareStar(before);
      if (this.#found.at(-1)?.form === "mapping") throw this.#cursor.fault(`${close}: nothing may follow **kwargs`);
      this.#found.push(this.#parameter(close));
      if (this.#cursor.accept(",") === undefined) break;
      if (close === ":" && this.#cursor.is(close)) throw this.#cursor.fault("a parameter");
    }
    if (!this.#cursor.is(close)) throw this.#cursor.fault(`${close} or ,`);
    const last = this.#found.at(-1);
    if (last?.form === "separator") throw bareStar(last);
    return this.#found;
  }

  #parameter(close: TokenKind): Parameter {
    const { kind, start, end } = this.#cursor.token;
    if (this.#found.length >= PARAMETERS_MAX) {
      throw new SyntaxFault(`a function takes at most ${PARAMETERS_MAX} parameters`, start, end);
    }
    if (kind === "**") {
      this.#cursor.advance();
      return { form: "mapping", name: this.#name(), fallback: undefined, start, end: this.#cursor.lastEnd };
    }
    if (kind === "*") {
      this.#cursor.advance();
      if (this.#sawSequence) throw new SyntaxFault("a function takes only one *args", start, end);
      this.#sawSequence = true;
      const isBare = this.#cursor.is(",") || this.#cursor.is(close);
      if (isBare) return { form: "separator", name: undefined, fallback: undefined, start, end };
      return { form: "sequence", name: this.#name(), fallback: undefined, start, end: this.#cursor.lastEnd };
    }
    const name = this.#name();
    let fallback: Expression | undefined;
    if (this.#cursor.accept("=") !== undefined) fallback = this.#fallback();
    else if (this.#sawFallback && !this.#sawSequence) {
      throw new SyntaxFault(`parameter "${name.name}" without a default follows one with a default`, start, end);
    }
    if (!this.#sawSequence) this.#sawFallback ||= fallback !== undefined;
    return { form: "plain", name, fallback, start, end: this.#cursor.lastEnd };
  }

  #name(): Name {
    const { text, start, end } = this.#cursor.expect("name", "a parameter name");
    if (this.#names.has(text)) throw new SyntaxFault(`parameter "${text}" is repeated`, start, end);
    this.#names.add(text);
    return { kind: "name", name: text, start, end, binding: undefined };
  }
}

function bareStar({ start, end }: Parameter): SyntaxFault {
  return new SyntaxFault("a bare * must be followed by keyword-only parameters", start, end);
}
