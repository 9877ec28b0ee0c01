/** Owns the JavaScript of statements and of a whole script. */

import type { Binding } from "../resolve/binding.ts";
import type { ResolvedScript } from "../resolve/resolver.ts";
import type { Assignment, Expression, For, FunctionNode, If, Load, Statement } from "../syntax/tree.ts";
import type { Value } from "../values/value.ts";
import { expressionCost, statementCost } from "./cost.ts";
import type { GeneratedCode } from "./emitter.ts";
import { ExpressionGenerator } from "./expressions.ts";
import { onlyReads } from "./reading.ts";

/** What code is generated against. */
export interface GeneratorOptions {
  /** Values of the names that scripts do not bind. */
  readonly outside: ReadonlyMap<string, Value>;
  /** What `load` binds, by module and name. */
  readonly loaded: (module: string, name: string) => Value;
  /** Names of the runtime's functions, which generated code calls. */
  readonly runtimeNames: readonly string[];
  /** Where the statements begin whose values are shown. */
  readonly shownFrom: number;
}

/** Generates a script's JavaScript. */
export function generate(script: ResolvedScript, options: GeneratorOptions): GeneratedCode {
  return new StatementGenerator(options).script(script);
}

/** Most branches of an `if` that become a chain of `else if`. */
const CHAINED_BRANCHES_MAX = 50;

/** What begins a script that may change its message, and one that only reads it. */
const CHANGING_OPENING = "let P = openPayload(raw), PD = dictIn(P), PB = false, M, MD, MB = false;";
const READING_OPENING = "let P, M, MD;";

class StatementGenerator extends ExpressionGenerator {
  readonly #options: GeneratorOptions;
  readonly #shown = new Set<Statement>();
  /** Cursors of the loops around, per function: `return` closes them. */
  #cursors: string[] = [];
  #isTopOfFunction = true;

  constructor(options: GeneratorOptions) {
    super(options.outside);
    this.#options = options;
  }

  script({ statements, globals }: ResolvedScript): GeneratedCode {
    for (const statement of statements) {
      if (statement.kind === "expression" && statement.start >= this.#options.shownFrom) this.#shown.add(statement);
    }
    const isReading = onlyReads(statements);
    if (isReading) this.roots.onlyRead();
    const main = this.emitter.frame(globals.locals, () => {
      this.#findAliases(statements);
      return this.#block(statements, 0);
    }, () => "");
    const { constants, sites, templates } = this.emitter;
    const end = this.emitter.site(statements.at(-1)?.start ?? 0);
    const tables = [
      `const { ${this.#options.runtimeNames.join(", ")} } = R;`,
      constants.length === 0 ? "" : `const [${constants.map((_, index) => `k${index}`).join(", ")}] = K;`,
      templates.length === 0 ? "" : `const ${templates.join(", ")};`,
      "const { constants, parameters } = E;",
    ];
    // Payload and meta are variables of the run: functions of the script see them, and may see them bound again. That
    // they were is a variable too: a message that is null is not one that the script took away.
    const body = `"use strict";
${tables.join("\n")}
return function main(scope) {
T.begin();
const raw = scope.payload;
${isReading ? READING_OPENING : CHANGING_OPENING}
${main}return ${isReading ? "finishReading(T, raw)" : `finish(T, ${end}, P, PD, raw, PB, M, MD, MB, scope)`};
};`;
    return { body, constants, sites };
  }

  protected override functionBody(node: FunctionNode): string {
    const outerCursors = this.#cursors;
    const outerTop = this.#isTopOfFunction;
    this.#cursors = [];
    this.#isTopOfFunction = true;
    const rest = node.parameters.map(({ form, name }) => {
      if (name?.binding === undefined || (form !== "sequence" && form !== "mapping")) return "";
      const variable = this.emitter.variable(name.binding);
      return `${variable} = ${form === "sequence" ? "tupleOf" : "dictOfPairs"}(${variable});\n`;
    });
    const body = rest.join("") + this.#block(node.body, node.site);
    this.#cursors = outerCursors;
    this.#isTopOfFunction = outerTop;
    return `${body}return null;\n`;
  }

  /** Statements of a block, which pays for all of them when it begins. */
  #block(statements: readonly Statement[], offset: number, extraCost = 0): string {
    let cost = extraCost;
    for (const statement of statements) cost += statementCost(statement);
    return this.charge(cost, statements[0]?.start ?? offset) +
      statements.map((statement) => this.emitter.statement(() => this.#statement(statement))).join("");
  }

  #innerBlock(statements: readonly Statement[], offset: number, extraCost = 0): string {
    const outer = this.#isTopOfFunction;
    this.#isTopOfFunction = false;
    const code = this.#block(statements, offset, extraCost);
    this.#isTopOfFunction = outer;
    return code;
  }

  #statement(statement: Statement): string {
    switch (statement.kind) {
      case "expression":
        return this.#expressionStatement(statement);
      case "assignment":
        return this.#assignment(statement);
      case "definition":
        return this.#bind(statement.name.binding, this.function(statement.function));
      case "if":
        return this.#if(statement);
      case "for":
        return this.#for(statement);
      case "return":
        return this.#return(statement.value);
      case "break":
      case "continue":
        return `${statement.kind};\n`;
      case "pass":
        return "";
      case "load":
        return this.#load(statement);
      case "while":
        throw new Error("a while statement reached the generator");
    }
  }

  #expressionStatement(statement: Extract<Statement, { kind: "expression" }>): string {
    const value = this.expression(statement.value);
    if (!this.#shown.has(statement)) return `${value};\n`;
    return `show(${value}, T, ${this.emitter.site(statement.value.start)});\n`;
  }

  #load({ module, names }: Load): string {
    return names.map(({ local, from }) => {
      const value = this.#options.loaded(module.replace(/\.star$/, ""), from);
      return this.#bind(local.binding, value === null ? "null" : this.emitter.constant(value));
    }).join("");
  }

  #if({ branches, otherwise, start }: If): string {
    if (branches.length > CHAINED_BRANCHES_MAX) return this.#flatIf({ branches, otherwise, start });
    const parts = branches.map(({ test, body }) => {
      return `if (${this.condition(test)}) {\n${this.#innerBlock(body, start)}}`;
    });
    if (otherwise.length > 0) parts.push(`{\n${this.#innerBlock(otherwise, start)}}`);
    return `${parts.join(" else ")}\n`;
  }

  /** Many branches, one behind the other: the engine's own parser takes a chain of `else if` for nesting. */
  #flatIf({ branches, otherwise, start }: Pick<If, "branches" | "otherwise" | "start">): string {
    const label = this.emitter.unique("i");
    const parts = branches.map(({ test, body }) => {
      return `if (${this.condition(test)}) {\n${this.#innerBlock(body, start)}break ${label};\n}\n`;
    });
    if (otherwise.length > 0) parts.push(this.#innerBlock(otherwise, start));
    return `${label}: {\n${parts.join("")}}\n`;
  }

  #for({ target, source, body, start }: For): string {
    const cursor = this.emitter.unique("c");
    const index = this.emitter.unique("i");
    const element = this.emitter.unique("t");
    const opening = `const ${cursor} = open(${this.expression(source)}, T, ${this.emitter.site(start)});`;
    this.#cursors.push(cursor);
    const outer = this.#isTopOfFunction;
    this.#isTopOfFunction = false;
    const assignment = this.assign(target, element, start);
    this.#isTopOfFunction = outer;
    const turn = this.#innerBlock(body, start, 1 + expressionCost(target));
    this.#cursors.pop();
    return `{
${opening}
for (let ${index} = 0; ${index} < ${cursor}.length; ${index}++) {
const ${element} = ${cursor}.at(${index});
${assignment}${turn}}
${cursor}.close();
}
`;
  }

  #return(value: Expression | undefined): string {
    const result = value === undefined ? "null" : this.expression(value);
    if (this.#cursors.length === 0) return `return ${result};\n`;
    const kept = this.emitter.temporary();
    const closing = this.#cursors.map((cursor) => `${cursor}.close();`).join(" ");
    return `${kept} = ${result};\n${closing}\nreturn ${kept};\n`;
  }

  #bind(binding: Binding | undefined, value: string): string {
    if (binding === undefined) throw new Error("a bound name without a binding reached the generator");
    if (binding.place === "payload" || binding.place === "meta") {
      const [dict, root, bound] = binding.place === "payload" ? ["PD", "P", "PB"] : ["MD", "M", "MB"];
      return `${dict} = dictIn(${root} = ${value});\n${bound} = true;\n`;
    }
    const code = `${this.emitter.variable(binding)} = ${value};\n`;
    if (this.#isTopOfFunction) this.definite.add(binding);
    return code;
  }

  /** Tells which names of the script's top are aliases. */
  #findAliases(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (statement.kind !== "assignment" || statement.target.kind !== "name") continue;
      const { binding } = statement.target;
      if (binding?.place === "global" && binding.assignments === 1) this.roots.addAlias(binding, statement.value);
    }
  }

  /** Binds a name. Of one that is bound here alone it is known from here on whether it stands for a bool. */
  #bindName(binding: Binding | undefined, value: Expression): string {
    const alias = binding === undefined ? undefined : this.roots.alias(binding);
    if (binding !== undefined && alias !== undefined) {
      this.definite.add(binding);
      return this.roots.bindAlias(binding, alias, () => this.carefulMember(alias.path));
    }
    const isBoolean = binding?.assignments === 1 && this.#isTopOfFunction && this.isBoolean(value);
    const code = this.#bind(binding, this.expression(value));
    if (binding !== undefined && isBoolean) this.booleans.add(binding);
    return code;
  }

  #assignment(statement: Assignment): string {
    if (statement.operator !== undefined) return this.#augmented(statement);
    const { target, value, site } = statement;
    if (target.kind === "name") return this.#bindName(target.binding, value);
    const kept = this.emitter.temporary();
    return `${kept} = ${this.expression(value)};\n${this.assign(target, kept, site)}`;
  }

  protected override assign(target: Expression, value: string, site: number): string {
    switch (target.kind) {
      case "name":
        return this.#bind(target.binding, value);
      case "list":
      case "tuple": {
        const items = this.emitter.temporary();
        const parts = target.items.map((item, index) => {
          const part = this.emitter.temporary();
          return `${part} = ${items}[${index}];\n${this.assign(item, part, site)}`;
        });
        const unpacked = `unpack(${value}, ${target.items.length}, T, ${this.emitter.site(site)})`;
        return `${items} = ${unpacked};\n${parts.join("")}`;
      }
      case "attribute":
      case "index":
        return this.roots.write(target, value, () => this.#store(target, value)) ?? `${this.#store(target, value)};\n`;
      default:
        throw new Error(`an assignment to ${target.kind} reached the generator`);
    }
  }

  /** The general way to set `a.b` and `a[b]`. */
  #store(target: Extract<Expression, { kind: "attribute" | "index" }>, value: string): string {
    const container = this.expression(target.target);
    const site = this.emitter.site(target.site);
    if (target.kind === "attribute") {
      return `setAttribute(${container}, ${this.emitter.text(target.name)}, ${value}, ${site})`;
    }
    return `setIndex(${container}, ${this.expression(target.index)}, ${value}, T, ${site})`;
  }

  #augmented({ target, operator, value, site }: Assignment): string {
    const place = this.emitter.site(site);
    const combine = (old: string) => {
      if (operator === "+") return `addInPlace(${old}, ${this.expression(value)}, T, ${place})`;
      const operands = `${old}, ${this.expression(value)}, T, ${place}`;
      if (operator === "-") return `subtract(${operands})`;
      if (operator === "*") return `multiply(${operands})`;
      return `${operator === "|" ? "combineInPlace" : "arithmetic"}(${this.emitter.text(operator ?? "")}, ${operands})`;
    };
    if (target.kind === "name") return this.#bind(target.binding, combine(this.expression(target)));
    if (target.kind !== "attribute" && target.kind !== "index") {
      throw new Error(`an assignment to ${target.kind} reached the generator`);
    }
    const direct = this.#augmentedRoot(target, combine);
    if (direct !== undefined) return direct;
    const container = this.emitter.temporary();
    const opening = `${container} = ${this.expression(target.target)};\n`;
    const at = this.emitter.site(target.site);
    if (target.kind === "attribute") {
      const name = this.emitter.text(target.name);
      const old = `getAttribute(${container}, ${name}, ${at})`;
      return `${opening}setAttribute(${container}, ${name}, ${combine(old)}, ${at});\n`;
    }
    const index = this.emitter.temporary();
    const old = `getIndex(${container}, ${index}, T, ${at})`;
    return `${opening}${index} = ${this.expression(target.index)};\nsetIndex(${container}, ${index}, ${
      combine(old)
    }, T, ${at});\n`;
  }

  /** `payload.x += 1`: reading and writing a root's member evaluates nothing twice that could change anything. */
  #augmentedRoot(target: Expression, combine: (old: string) => string): string | undefined {
    const kept = this.emitter.temporary();
    const write = target.kind === "attribute" || target.kind === "index"
      ? this.roots.write(target, kept, () => this.#store(target, kept))
      : undefined;
    return write === undefined ? undefined : `${kept} = ${combine(this.expression(target))};\n${write}`;
  }
}
