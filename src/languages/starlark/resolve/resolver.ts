/** Owns the resolving of names and the checks that need no run: scopes, forbidden statements, arity. */

import type { Issues } from "../syntax/issues.ts";
import type { ParsedScript } from "../syntax/parser.ts";
import type { Positions } from "../syntax/positions.ts";
import type { Clause, Expression, FunctionNode, Load, Name, Statement } from "../syntax/tree.ts";
import type { Binding, BindingPlace } from "./binding.ts";
import { eachBound, eachTarget } from "./binder.ts";
import { checkCall } from "./call_check.ts";
import { type FunctionScope, NameScope } from "./scope.ts";
import type { Signature } from "./signature.ts";
import { nearest } from "./spelling.ts";

/** Most names that a hint lists. */
const NAMES_SHOWN_MAX = 20;

/** What a script finds outside itself. */
export interface Surroundings {
  /** Names of the language and of the pipeline; the signature where calls can be checked. */
  readonly names: ReadonlyMap<string, { readonly place: "predeclared" | "universal"; readonly signature?: Signature }>;
  /** Modules that are there and that `load` offers, with their members; the signature where calls can be checked. */
  readonly modules: ReadonlyMap<string, ReadonlyMap<string, Signature | undefined>>;
}

/** A script whose every name has a binding. */
export interface ResolvedScript {
  readonly statements: readonly Statement[];
  /** Variables of the script itself, comprehension variables left out. */
  readonly globals: FunctionScope;
}

/** Everything the checks of one statement depend on. */
interface Surround {
  readonly isInFunction: boolean;
  readonly isInLoop: boolean;
  readonly isTop: boolean;
}

/** Resolves a script. What is wrong is reported; the result is only good for running when nothing was. */
export function resolve(
  script: ParsedScript,
  surroundings: Surroundings,
  { issues, positions }: { readonly issues: Issues; readonly positions: Positions },
): ResolvedScript {
  return new Resolver(script, surroundings, issues, positions).run();
}

class Resolver {
  readonly #script: ParsedScript;
  readonly #surroundings: Surroundings;
  readonly #issues: Issues;
  readonly #positions: Positions;
  readonly #module = new NameScope("module", undefined);
  readonly #outside = new Map<string, Binding>();
  #scope = this.#module;
  #lambdaDepth = 0;
  #nextId = 0;

  constructor(script: ParsedScript, surroundings: Surroundings, issues: Issues, positions: Positions) {
    this.#script = script;
    this.#surroundings = surroundings;
    this.#issues = issues;
    this.#positions = positions;
    for (const place of ["payload", "meta"] as const) this.#module.names.set(place, this.#binding(place, place, -1));
  }

  run(): ResolvedScript {
    eachBound(this.#script.statements, (name, statement) => this.#bindGlobal(name, statement));
    this.#statements(this.#script.statements, { isInFunction: false, isInLoop: false, isTop: true });
    const locals = [...this.#module.names.values()].filter((binding) => binding.place === "global");
    return { statements: this.#script.statements, globals: { locals } };
  }

  #binding(name: string, place: BindingPlace, declaredAt: number, isAlwaysSet = false): Binding {
    return { name, place, id: this.#nextId++, declaredAt, assignments: 0, definition: undefined, isAlwaysSet };
  }

  #bindGlobal(name: Name, statement: Statement | undefined): void {
    const known = this.#module.names.get(name.name);
    const binding = known ?? this.#binding(name.name, "global", name.start);
    if (known === undefined) this.#module.names.set(name.name, binding);
    else if (known.place === "global") {
      const { line, column } = this.#positions.at(known.declaredAt);
      this.#issues.report(
        `cannot reassign global "${name.name}" declared at script:${line}:${column}`,
        name.start,
        name.end,
        "give it another name, or compute it in a function, where variables may be bound again",
      );
    }
    binding.assignments++;
    binding.definition = statement?.kind === "definition" && binding.assignments === 1 ? statement.function : undefined;
    name.binding = binding;
  }

  #bindLocal(name: Name, statement: Statement | undefined): void {
    const known = this.#scope.names.get(name.name);
    const binding = known ?? this.#binding(name.name, "local", name.start);
    this.#scope.names.set(name.name, binding);
    binding.assignments++;
    binding.definition = statement?.kind === "definition" && binding.assignments === 1 ? statement.function : undefined;
    name.binding = binding;
  }

  #statements(statements: readonly Statement[], surround: Surround): void {
    for (const statement of statements) this.#statement(statement, surround);
  }

  #statement(statement: Statement, surround: Surround): void {
    const inner = { ...surround, isTop: false };
    switch (statement.kind) {
      case "expression":
        return this.#expression(statement.value);
      case "assignment":
        this.#expression(statement.value);
        return this.#target(statement.target, statement.operator !== undefined);
      case "definition":
        return this.#function(statement.function);
      case "if":
        for (const branch of statement.branches) {
          this.#expression(branch.test);
          this.#statements(branch.body, inner);
        }
        return this.#statements(statement.otherwise, inner);
      case "for":
        this.#expression(statement.source);
        this.#target(statement.target, false);
        return this.#statements(statement.body, { ...inner, isInLoop: true });
      case "while":
        this.#issues.report("while is not allowed", statement.start, statement.start + 5, "loop with for over a range");
        this.#expression(statement.test);
        return this.#statements(statement.body, { ...inner, isInLoop: true });
      case "load":
        return this.#load(statement, surround.isTop);
      default:
        return this.#jump(statement, surround);
    }
  }

  #jump(statement: Statement, { isInFunction, isInLoop }: Surround): void {
    const { start, end } = statement;
    if (statement.kind === "return") {
      if (!isInFunction) this.#issues.report("return is outside of any function", start, start + "return".length);
      if (statement.value !== undefined) this.#expression(statement.value);
    } else if (statement.kind !== "pass" && !isInLoop) {
      this.#issues.report(`${statement.kind} is outside of any loop`, start, end);
    }
  }

  #load(statement: Load, isTop: boolean): void {
    if (!isTop) this.#issues.report("load may stand at the script's top level only", statement.start, statement.end);
    const module = statement.module.replace(/\.star$/, "");
    const members = this.#surroundings.modules.get(module);
    if (members === undefined) {
      const offered = [...this.#surroundings.modules.keys()].join(" and ");
      const message = `cannot load ${JSON.stringify(statement.module)}: only ${offered} can be loaded`;
      this.#issues.report(message, statement.moduleStart, statement.moduleStart + statement.module.length + 2);
      return;
    }
    for (const { from, start } of statement.names) {
      if (from.startsWith("_")) {
        const message = `cannot load ${JSON.stringify(from)}: names that begin with _ are their module's own`;
        this.#issues.report(message, start, start + from.length + 2);
        continue;
      }
      if (members.has(from) || from === module) continue;
      const hint = meant(nearest(from, members.keys()));
      this.#issues.report(`module "${module}" has no member "${from}"`, start, start + from.length + 2, hint);
    }
  }

  /** Checks what is assigned to; the names in it were bound before. */
  #target(target: Expression, isAugmented: boolean): void {
    switch (target.kind) {
      case "name":
        if (target.binding === undefined) this.#use(target);
        return;
      case "attribute":
        return this.#expression(target.target);
      case "index":
        this.#expression(target.target);
        return this.#expression(target.index);
      case "list":
      case "tuple":
        if (isAugmented) break;
        for (const item of target.items) this.#target(item, false);
        return;
    }
    const what = target.kind === "list" || target.kind === "tuple" ? `a ${target.kind} by an operator` : target.kind;
    this.#issues.report(`cannot assign to ${what}`, target.start, target.end);
  }

  #expressions(expressions: readonly (Expression | undefined)[]): void {
    for (const expression of expressions) if (expression !== undefined) this.#expression(expression);
  }

  #expression(expression: Expression): void {
    switch (expression.kind) {
      case "literal":
        return;
      case "name":
        return this.#use(expression);
      case "list":
      case "tuple":
        return this.#expressions(expression.items);
      case "dict":
        for (const { key, value } of expression.entries) this.#expressions([key, value]);
        return;
      case "unary":
        return this.#expression(expression.operand);
      case "binary":
      case "logical":
        return this.#expressions([expression.left, expression.right]);
      case "conditional":
        return this.#expressions([expression.test, expression.yes, expression.no]);
      case "attribute":
        this.#expression(expression.target);
        return this.#member(expression);
      case "index":
        return this.#expressions([expression.target, expression.index]);
      case "slice":
        return this.#expressions([expression.target, expression.low, expression.high, expression.step]);
      case "call":
        this.#expressions([expression.callee, ...expression.arguments.map((argument) => argument.value)]);
        // Reported here, not in lambdas: a lambda is often written to be handed on, and never called at all.
        checkCall(expression, this.#issues, (callee) => this.#signature(callee), this.#lambdaDepth === 0);
        return;
      case "comprehension":
        return this.#comprehension(expression.clauses, [expression.key, expression.item]);
      case "lambda":
        this.#lambdaDepth++;
        this.#function(expression.function);
        this.#lambdaDepth--;
        return;
    }
  }

  /** The members of the module that an expression names. */
  #moduleMembers(expression: Expression): ReadonlyMap<string, Signature | undefined> | undefined {
    if (expression.kind !== "name" || expression.binding?.place !== "predeclared") return undefined;
    return this.#surroundings.modules.get(expression.name);
  }

  #member({ target, name, site, end }: Extract<Expression, { kind: "attribute" }>): void {
    const members = this.#moduleMembers(target);
    if (members === undefined || members.has(name) || this.#lambdaDepth > 0) return;
    const hint = meant(nearest(name, members.keys()));
    this.#issues.report(`module has no member "${name}"`, site, end, hint);
  }

  /** What a function of the language or of a module accepts. */
  #signature(callee: Expression): Signature | undefined {
    if (callee.kind === "attribute") return this.#moduleMembers(callee.target)?.get(callee.name);
    if (callee.kind !== "name") return undefined;
    const place = callee.binding?.place;
    const isOutside = place === "predeclared" || place === "universal";
    return isOutside ? this.#surroundings.names.get(callee.name)?.signature : undefined;
  }

  #comprehension(clauses: readonly Clause[], results: readonly (Expression | undefined)[]): void {
    const outer = this.#scope;
    const first = clauses[0];
    if (first?.form === "for") this.#expression(first.source);
    this.#scope = new NameScope("comprehension", outer);
    for (const clause of clauses) {
      if (clause.form === "if") {
        this.#expression(clause.test);
        continue;
      }
      if (clause !== first) this.#expression(clause.source);
      eachTarget(clause.target, (name) => {
        const known = this.#scope.names.get(name.name);
        const binding = known ?? this.#binding(name.name, "local", name.start, true);
        this.#scope.names.set(name.name, binding);
        name.binding = binding;
      });
      this.#target(clause.target, false);
    }
    this.#expressions(results);
    this.#scope = outer;
  }

  #function(node: FunctionNode): void {
    for (const { fallback } of node.parameters) if (fallback !== undefined) this.#expression(fallback);
    const outer = this.#scope;
    this.#scope = new NameScope("function", outer);
    const parameters = new Set<Binding>();
    for (const { name } of node.parameters) {
      if (name === undefined) continue;
      name.binding = this.#binding(name.name, "local", name.start, true);
      this.#scope.names.set(name.name, name.binding);
      parameters.add(name.binding);
    }
    eachBound(node.body, (name, statement) => this.#bindLocal(name, statement));
    const locals = [...this.#scope.names.values()].filter((binding) => !parameters.has(binding));
    node.scope = { locals };
    this.#statements(node.body, { isInFunction: true, isInLoop: false, isTop: false });
    this.#scope = outer;
  }

  #use(name: Name): void {
    for (let scope: NameScope | undefined = this.#scope; scope !== undefined; scope = scope.parent) {
      name.binding = scope.names.get(name.name);
      if (name.binding !== undefined) return;
    }
    const found = this.#surroundings.names.get(name.name);
    const known = this.#outside.get(name.name) ??
      (found === undefined ? undefined : this.#binding(name.name, found.place, -1, true));
    if (known !== undefined) this.#outside.set(name.name, known);
    name.binding = known;
    if (known === undefined && !this.#script.suspects.has(name.name)) this.#undefined(name);
  }

  #undefined(name: Name): void {
    if (this.#issues.isFull) return;
    const candidates = new Set(this.#surroundings.names.keys());
    for (let scope: NameScope | undefined = this.#scope; scope !== undefined; scope = scope.parent) {
      for (const candidate of scope.names.keys()) candidates.add(candidate);
    }
    const hint = meant(nearest(name.name, candidates)) ?? this.#knownHint(name.name, candidates);
    this.#issues.report(`undefined: "${name.name}"`, name.start, name.end, hint);
  }

  /** Which names there are beside the language's own, and where a message's fields are. */
  #knownHint(name: string, candidates: ReadonlySet<string>): string {
    const known = [...candidates].filter((each) => this.#surroundings.names.get(each)?.place !== "universal");
    const field = candidates.has("payload") ? `; a field of the message is read as payload.${name}` : "";
    return `known here: ${known.slice(0, NAMES_SHOWN_MAX).join(", ")} and Starlark's functions${field}`;
  }
}

function meant(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
