/** Owns text with expressions in it: `{{` CEL `}}`, evaluated for each message. */

import { EventboatError } from "../../diagnostics/mod.ts";
import {
  type CelExpression,
  type CelFunction,
  compileCel,
  type Compiled,
  type Environment,
  type LanguageIssue,
  type Scope,
} from "../../languages/mod.ts";

const OPEN = "{{";
const CLOSE = "}}";

/** Gives the text for one message. @throws {EventboatError} `expression` or `budget`. */
export type TemplateFunction = (scope: Scope) => string;

/** Decides about the text an expression gave, before it is put in place; throws to refuse it. */
export type ValueGuard = (value: string) => void;

type Part = { readonly literal: string } | { readonly expression: CelExpression };

/** A compiled template, bound to nothing yet. */
export class Template {
  readonly #parts: readonly Part[];

  /** Made by {@linkcode compileTemplate}. */
  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** The whole text, when there is no expression in it. */
  get constant(): string | undefined {
    return this.#parts.every((part) => "literal" in part) ? this.prefix : undefined;
  }

  /** The text before the first expression. */
  get prefix(): string {
    const first = this.#parts[0];
    return first !== undefined && "literal" in first ? first.literal : "";
  }

  /** Names of the constants its expressions read; `*` where a name is computed. */
  get constantsRead(): readonly string[] {
    return this.#readsOf("constants");
  }

  /** Names of the parameters its expressions read; `*` where a name is computed. */
  get parametersRead(): readonly string[] {
    return this.#readsOf("parameters");
  }

  #readsOf(wanted: string): readonly string[] {
    const reads = this.#parts.flatMap((part) => "expression" in part ? part.expression.reads : []);
    return reads.map((read) => read.split(".")).filter(([root]) => root === wanted).map(([, name]) => name ?? "*");
  }

  /** Binds constants and parameters. `guard` sees the text of each expression's value. */
  bind(environment: Environment, guard: ValueGuard = () => {}): TemplateFunction {
    const parts: readonly (string | CelFunction)[] = this.#parts.map((part) =>
      "literal" in part ? part.literal : part.expression.bind(environment)
    );
    return (scope) => {
      let text = "";
      for (const part of parts) {
        if (typeof part === "string") {
          text += part;
        } else {
          const value = textOf(part(scope));
          guard(value);
          text += value;
        }
      }
      return text;
    };
  }
}

/** Reads a template. Offsets of issues count from the start of `source`. */
export function compileTemplate(source: string): Compiled<Template> {
  const parts: Part[] = [];
  const issues: LanguageIssue[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf(OPEN, at);
    if (open !== at) parts.push({ literal: source.slice(at, open < 0 ? source.length : open) });
    if (open < 0) break;
    const start = open + OPEN.length;
    const end = expressionEnd(source, start);
    if (end === undefined) {
      issues.push({ message: "an expression begins here and does not end: `}}` is missing", offset: open, length: 2 });
      break;
    }
    const compiled = compileCel(source.slice(start, end));
    if (compiled.ok) parts.push({ expression: compiled.program });
    else issues.push(...compiled.issues.map((issue) => ({ ...issue, offset: issue.offset + start })));
    at = end + CLOSE.length;
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, program: new Template(parts) };
}

/** Where the expression's `}}` stands: braces and quotes that belong to the expression are passed over. */
function expressionEnd(source: string, start: number): number | undefined {
  let depth = 0;
  for (let i = start; i < source.length; i++) {
    const c = source[i];
    if (c === '"' || c === "'") {
      for (i++; i < source.length && source[i] !== c; i++) if (source[i] === "\\") i++;
    } else if (c === "{") {
      depth++;
    } else if (c === "}") {
      if (depth > 0) depth--;
      else if (source[i + 1] === "}") return i;
    }
  }
  return undefined;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  const found = value === null ? "null" : typeof value === "object" ? "a list, mapping or bytes" : typeof value;
  throw new EventboatError(
    "expression",
    `an expression in a template must give text, a number or a bool, not ${found}`,
  );
}
