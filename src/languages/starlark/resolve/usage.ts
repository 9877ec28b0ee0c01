/** Owns what is known of a script's use of its bindings: constants and parameters read, and whether it sets the route. */

import type { Expression, FunctionNode, Statement } from "../syntax/tree.ts";

/** What a script does with its bindings. */
export interface Usage {
  /** Names read from `constants`; `*` when some name is computed. */
  readonly constantsRead: readonly string[];
  /** Those of them that `get` does not read. */
  readonly constantsRequired: readonly string[];
  /** Names read from `parameters`; `*` when some name is computed. */
  readonly parametersRead: readonly string[];
  /** Whether it may set `meta.route`. */
  readonly assignsRoute: boolean;
}

/** Looks through a resolved script. */
export function usageOf(statements: readonly Statement[]): Usage {
  const finder = new UsageFinder();
  finder.statements(statements);
  const [constantsRead, parametersRead] = ENVIRONMENT_ROOTS.map((root) => [...finder.reads[root]].sort());
  return {
    constantsRead: constantsRead ?? [],
    constantsRequired: (constantsRead ?? []).filter((name) => finder.required.has(name)),
    parametersRead: parametersRead ?? [],
    assignsRoute: finder.assignsRoute,
  };
}

/** The roots that a pipeline gives. */
const ENVIRONMENT_ROOTS = ["constants", "parameters"] as const;
type EnvironmentRoot = (typeof ENVIRONMENT_ROOTS)[number];

/** Methods of dicts that change nothing. */
const READING_METHODS: ReadonlySet<string> = new Set(["get", "items", "keys", "values"]);

class UsageFinder {
  readonly reads: Readonly<Record<EnvironmentRoot, Set<string>>> = { constants: new Set(), parameters: new Set() };
  /** Constants that are read in another way than by `get`. */
  readonly required = new Set<string>();
  assignsRoute = false;

  statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case "expression":
        return this.#expression(statement.value);
      case "assignment":
        this.#target(statement.target);
        return this.#expression(statement.value);
      case "definition":
        return this.#function(statement.function);
      case "if":
        for (const { test, body } of statement.branches) {
          this.#expression(test);
          this.statements(body);
        }
        return this.statements(statement.otherwise);
      case "for":
        this.#target(statement.target);
        this.#expression(statement.source);
        return this.statements(statement.body);
      case "return":
        if (statement.value !== undefined) this.#expression(statement.value);
        return;
    }
  }

  #target(target: Expression): void {
    const member = memberOf(target, "meta");
    if (target.kind === "name") this.assignsRoute ||= target.binding?.place === "meta";
    else if (target.kind === "list" || target.kind === "tuple") { for (const item of target.items) this.#target(item); }
    else if (member !== undefined) {
      const key = keyOf(member);
      this.assignsRoute ||= key === undefined || key === "route";
      if (member.kind === "index") this.#expression(member.index);
    } else this.#expression(target);
  }

  #function(node: FunctionNode): void {
    for (const { fallback } of node.parameters) if (fallback !== undefined) this.#expression(fallback);
    this.statements(node.body);
  }

  #expression(expression: Expression): void {
    const given = environmentMember(expression);
    const member = given?.member ?? memberOf(expression, "meta");
    if (given !== undefined) this.#read(given.root, keyOf(given.member) ?? "*");
    if (member !== undefined) {
      if (member.kind === "index") this.#expression(member.index);
    } else if (expression.kind === "name") this.#name(expression);
    else if (expression.kind === "call") this.#call(expression);
    else for (const part of partsOf(expression)) this.#expression(part);
    if (expression.kind === "lambda") this.#function(expression.function);
    if (expression.kind === "comprehension") {
      for (const clause of expression.clauses) if (clause.form === "for") this.#target(clause.target);
    }
  }

  /** A root that is handed on as a whole: anything may be done with it. */
  #name(name: Extract<Expression, { kind: "name" }>): void {
    if (name.binding?.place === "meta") this.assignsRoute = true;
    if (name.binding?.place !== "predeclared") return;
    for (const root of ENVIRONMENT_ROOTS) if (name.name === root) this.#read(root, "*");
  }

  #read(root: EnvironmentRoot, name: string): void {
    this.reads[root].add(name);
    if (root === "constants") this.required.add(name);
  }

  #call(call: Extract<Expression, { kind: "call" }>): void {
    const { callee } = call;
    for (const { value } of call.arguments) this.#expression(value);
    const given = environmentMember(callee);
    const member = memberOf(callee, "meta");
    if (member?.kind === "attribute") this.assignsRoute ||= !READING_METHODS.has(member.name);
    else if (given?.member.kind === "attribute") {
      const first = call.arguments[0]?.value;
      const isNamed = given.member.name === "get" && first?.kind === "literal" && first.value.type === "string";
      if (isNamed) this.reads[given.root].add(first.value.text);
      else this.#read(given.root, "*");
    } else this.#expression(callee);
  }
}

type Member = Extract<Expression, { kind: "attribute" | "index" }>;

/** The expression when it is a member of a root: `root.x` or `root[x]`. */
function memberOf(expression: Expression, root: EnvironmentRoot | "meta"): Member | undefined {
  if (expression.kind !== "attribute" && expression.kind !== "index") return undefined;
  const { target } = expression;
  if (target.kind !== "name") return undefined;
  const place = root === "meta" ? "meta" : "predeclared";
  return target.name === root && target.binding?.place === place ? expression : undefined;
}

/** The expression when it is a member of a root that the pipeline gives. */
function environmentMember(
  expression: Expression,
): { readonly root: EnvironmentRoot; readonly member: Member } | undefined {
  for (const root of ENVIRONMENT_ROOTS) {
    const member = memberOf(expression, root);
    if (member !== undefined) return { root, member };
  }
  return undefined;
}

/** The member's name when it is written out. */
function keyOf(expression: Member): string | undefined {
  if (expression.kind === "attribute") return expression.name;
  if (expression.index.kind !== "literal") return undefined;
  return expression.index.value.type === "string" ? expression.index.value.text : undefined;
}

/** The expressions directly inside one; calls and lambdas are left to the caller. */
function partsOf(expression: Expression): readonly Expression[] {
  const parts = directParts(expression);
  return parts.filter((part) => part !== undefined);
}

function directParts(expression: Expression): readonly (Expression | undefined)[] {
  switch (expression.kind) {
    case "list":
    case "tuple":
      return expression.items;
    case "dict":
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case "unary":
      return [expression.operand];
    case "binary":
    case "logical":
      // `"x" in meta` only reads; the root is no value that is handed on.
      if (expression.kind === "binary" && /in$/.test(expression.operator) && isName(expression.right)) {
        return [expression.left];
      }
      return [expression.left, expression.right];
    case "conditional":
      return [expression.test, expression.yes, expression.no];
    case "attribute":
      return [expression.target];
    case "index":
      return [expression.target, expression.index];
    case "slice":
      return [expression.target, expression.low, expression.high, expression.step];
    case "comprehension": {
      const clauses = expression.clauses.map((clause) => clause.form === "for" ? clause.source : clause.test);
      return [...clauses, expression.key, expression.item];
    }
    default:
      return [];
  }
}

function isName(expression: Expression): boolean {
  return expression.kind === "name" && (expression.binding?.place === "meta");
}
