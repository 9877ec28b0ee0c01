/** Owns the JavaScript of expressions. */

import { functionSignature } from "../resolve/call_check.ts";
import type { Binding } from "../resolve/binding.ts";
import type {
  Argument,
  Binary,
  Call,
  Comprehension,
  DictDisplay,
  Expression,
  FunctionNode,
  Literal,
  Logical,
  Name,
  Slice,
} from "../syntax/tree.ts";
import { float, StarlarkBytes, type Value } from "../values/value.ts";
import { frameCost, turnCost } from "./cost.ts";
import { Emitter } from "./emitter.ts";
import { isWrittenBoolean, knownComparison, writtenNumber } from "./known_operands.ts";
import { isPlainName, type Member, openMember, RootAccess, writtenName } from "./roots.ts";

const QUICK_OPERATORS: { readonly [operator: string]: string } = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "==": "equal",
  "!=": "!equal",
  "<": "less",
  ">": "greater",
  "<=": "atMost",
  ">=": "atLeast",
};
/** JavaScript's operators between conditions. */
const JOINTS = { and: "&&", or: "||" } as const;
const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">=", "in", "not in"]);

/** Generates expressions. Every method gives JavaScript that evaluates its operands once, in the script's order. */
export abstract class ExpressionGenerator {
  protected readonly emitter: Emitter;
  protected readonly roots: RootAccess;
  /** Values of the names that the script does not bind. */
  readonly #outside: ReadonlyMap<string, Value>;
  /** Names that surely have a value at the place being generated. */
  protected definite = new Set<Binding>();
  /** Names that are bound once, to a bool. */
  protected readonly booleans = new Set<Binding>();

  constructor(outside: ReadonlyMap<string, Value>) {
    this.emitter = new Emitter();
    this.roots = new RootAccess(this.emitter);
    this.#outside = outside;
  }

  /** The statements of a function's body. */
  protected abstract functionBody(node: FunctionNode): string;

  /** The statements that bind a target to a variable's value. */
  protected abstract assign(target: Expression, value: string, site: number): string;

  /** Code that takes steps at the place of an offset. */
  protected charge(steps: number, offset: number): string {
    return `if ((T.steps += ${steps}) > T.stepsMax) spent(T, ${this.emitter.site(offset)});\n`;
  }

  /** JavaScript with the expression's value. */
  protected expression(expression: Expression): string {
    switch (expression.kind) {
      case "literal":
        return this.#literal(expression);
      case "name":
        return this.#name(expression);
      case "list":
        return `listOf(${this.#array(expression.items)})`;
      case "tuple":
        return `tupleOf(${this.#array(expression.items)})`;
      case "dict":
        return this.#dict(expression);
      case "unary":
        if (expression.operator === "not") return `!${this.condition(expression.operand)}`;
        return this.#unary(expression.operator, expression.operand, expression.start);
      case "binary":
        return this.#binary(expression);
      case "logical":
        return this.#logical(expression);
      case "conditional":
        return `(${this.condition(expression.test)} ? ${this.expression(expression.yes)} : ${
          this.expression(expression.no)
        })`;
      case "attribute":
      case "index":
        return this.roots.read(expression, () => this.carefulMember(expression)) ??
          this.#member(expression, this.expression(expression.target));
      case "slice":
        return this.#slice(expression);
      case "call":
        return this.#call(expression);
      case "comprehension":
        return this.#comprehension(expression);
      case "lambda":
        return this.function(expression.function);
    }
  }

  #unary(operator: string, operand: Expression, start: number): string {
    const number = operator === "-" ? writtenNumber(operand) : undefined;
    // The literal of a number in a form of our own, such as a whole float, is none here.
    if (number !== undefined && number !== 0 && this.expression(operand) === String(number)) return `(-${number})`;
    return `unary(${this.emitter.text(operator)}, ${this.expression(operand)}, T, ${this.emitter.site(start)})`;
  }

  /** JavaScript with a JavaScript boolean: whether the expression counts as true. */
  protected condition(expression: Expression): string {
    if (expression.kind === "logical") {
      return `(${this.condition(expression.left)} ${JOINTS[expression.operator]} ${this.condition(expression.right)})`;
    }
    return this.isBoolean(expression) ? this.expression(expression) : `truth(${this.expression(expression)})`;
  }

  /** Whether the expression's value is a bool, whatever its parts are. */
  protected isBoolean(expression: Expression): boolean {
    switch (expression.kind) {
      case "binary":
        return BOOLEAN_OPERATORS.has(expression.operator);
      case "unary":
        return expression.operator === "not";
      case "logical":
        return this.isBoolean(expression.left) && this.isBoolean(expression.right);
      case "conditional":
        return this.isBoolean(expression.yes) && this.isBoolean(expression.no);
      case "name": {
        const { binding } = expression;
        if (isWrittenBoolean(expression)) return true;
        return binding !== undefined && this.booleans.has(binding) && this.definite.has(binding);
      }
      default:
        return false;
    }
  }

  #literal({ value }: Literal): string {
    switch (value.type) {
      case "string":
        return this.emitter.text(value.text);
      case "int":
        return this.#number(value.int);
      case "float":
        return this.#number(float(value.float));
      case "bytes":
        return this.emitter.constant(new StarlarkBytes(value.bytes));
    }
  }

  /** A number as JavaScript writes it, unless it is in a form of our own. */
  #number(value: Value): string {
    return typeof value === "number" && Number.isFinite(value) ? String(value) : this.emitter.constant(value);
  }

  #name({ binding, start }: Name): string {
    const root = this.roots.root(binding);
    if (root !== undefined) return root.value;
    if (binding === undefined) throw new Error("a name without a binding reached the generator");
    if (binding.place === "predeclared" || binding.place === "universal") return this.#outsideValue(binding.name);
    const variable = this.emitter.variable(binding);
    const alias = this.roots.alias(binding);
    const isSet = binding.isAlwaysSet || this.definite.has(binding);
    if (isSet && alias === undefined) return variable;
    const opened = alias === undefined ? "" : `${variable} = ${this.#opened(alias.path)}`;
    if (isSet) return `(${variable} !== undefined ? ${variable} : ${opened})`;
    const what = this.emitter.text(`${binding.place} variable ${binding.name}`);
    const otherwise = `unset(${what}, ${this.emitter.site(start)})`;
    const otherwiseOpened = alias === undefined ? "" : `${alias.data} !== undefined ? ${opened} : `;
    return `(${variable} !== undefined ? ${variable} : ${otherwiseOpened}${otherwise})`;
  }

  #outsideValue(name: string): string {
    const value = this.#outside.get(name);
    if (value === undefined) throw new Error("a name without a value reached the generator");
    return value === null || typeof value === "boolean" ? String(value) : this.emitter.constant(value);
  }

  #array(items: readonly Expression[]): string {
    return `[${items.map((item) => this.expression(item)).join(", ")}]`;
  }

  #dict({ entries, start }: DictDisplay): string {
    if (entries.length === 0) return "emptyDict()";
    const flat = entries.flatMap(({ key, value }) => [key, value]);
    return `dictOf(${this.#array(flat)}, T, ${this.emitter.site(start)})`;
  }

  #binary(expression: Binary): string {
    const { operator, left, right, site } = expression;
    const known = knownComparison(expression, {
      value: (operand) => this.expression(operand),
      scratch: () => this.emitter.scratch(),
      site: this.emitter.site(site),
    });
    if (known !== undefined) return known;
    const [a, b] = [this.expression(left), this.expression(right)];
    const place = this.emitter.site(site);
    const quick = QUICK_OPERATORS[operator];
    if (quick !== undefined) return `${quick}(${a}, ${b}, T, ${place})`;
    // The left operand is evaluated first, though it is the second argument of `contains`.
    if (operator === "in" || operator === "not in") {
      const element = this.emitter.temporary();
      return `(${element} = ${a}, ${operator === "in" ? "" : "!"}contains(${b}, ${element}, T, ${place}))`;
    }
    return `arithmetic(${this.emitter.text(operator)}, ${a}, ${b}, T, ${place})`;
  }

  #logical(expression: Logical): string {
    const { operator, left, right } = expression;
    if (this.isBoolean(left)) return `(${this.expression(left)} ${JOINTS[operator]} ${this.expression(right)})`;
    const first = this.emitter.temporary();
    const second = this.expression(right);
    const test = `truth(${first} = ${this.expression(left)})`;
    return operator === "and" ? `(${test} ? ${second} : ${first})` : `(${test} ? ${first} : ${second})`;
  }

  /** `a.b` and `a[b]`. A name that is written out is looked for right here when the target is a dict. */
  #member(expression: Member, target: string): string {
    const site = this.emitter.site(expression.site);
    const name = writtenName(expression);
    if (name === undefined || !isPlainName(name)) return this.#anyMember(expression, target, site);
    const [owner, found] = [this.emitter.temporary(), this.emitter.temporary()];
    const key = this.emitter.text(name);
    const member = `(${found} = ${owner}.record[${key}]) !== undefined`;
    return `((${owner} = ${target}) instanceof StarlarkDict && ${member} ? ${openMember(owner, found, key)} : ${
      this.#anyMember(expression, owner, site)
    })`;
  }

  /** A path down from a root, step by step: whatever is quick about the whole path was tried before. */
  protected carefulMember(expression: Member): string {
    const { target } = expression;
    const isStep = target.kind === "attribute" || target.kind === "index";
    return this.#member(expression, isStep ? this.carefulMember(target) : this.expression(target));
  }

  /** A path on which something was found before. */
  #opened(path: Member): string {
    const { target } = path;
    const isStep = target.kind === "attribute" || target.kind === "index";
    const opened = isStep ? this.#opened(target) : this.expression(target);
    return this.#anyMember(path, opened, this.emitter.site(path.site));
  }

  #anyMember(expression: Member, target: string, site: string): string {
    if (expression.kind === "attribute") {
      return `getAttribute(${target}, ${this.emitter.text(expression.name)}, ${site})`;
    }
    return `getIndex(${target}, ${this.expression(expression.index)}, T, ${site})`;
  }

  #slice({ target, low, high, step, site }: Slice): string {
    const bounds = [low, high, step].map((bound) => bound === undefined ? "null" : this.expression(bound));
    return `slice(${this.expression(target)}, [${bounds.join(", ")}], T, ${this.emitter.site(site)})`;
  }

  #call({ callee, arguments: given, site }: Call): string {
    const place = this.emitter.site(site);
    if (callee.kind === "attribute") {
      const target = this.expression(callee.target);
      const family = this.emitter.family(callee.name);
      return `callMethod(${target}, ${family}, ${this.#arguments(given, place)}, T, ${place})`;
    }
    const called = this.expression(callee);
    return `call(${called}, ${this.#arguments(given, place)}, T, ${place})`;
  }

  /** Positional and named arguments: what is written out is evaluated before `*args`, and that before `**kwargs`. */
  #arguments(given: readonly Argument[], site: string): string {
    const values = given.filter((argument) => argument.form === "positional").map((argument) => argument.value);
    const named = given.filter((argument) => argument.form === "named");
    const rest = given.find((argument) => argument.form === "sequence");
    const mapping = given.find((argument) => argument.form === "mapping");
    let positional = this.#array(values);
    const pairs = named.map(({ name, value }) => `[${this.emitter.text(name)}, ${this.expression(value)}]`);
    let keywords = pairs.length === 0 ? "null" : `[${pairs.join(", ")}]`;
    if (rest !== undefined) {
      const [first, second] = [this.emitter.temporary(), this.emitter.temporary()];
      const sequence = `withSequence(${first}, ${this.expression(rest.value)}, T, ${site})`;
      positional = `(${first} = ${positional}, ${second} = ${keywords}, ${sequence})`;
      keywords = second;
    }
    if (mapping !== undefined) {
      keywords = `withMapping(${keywords} ?? [], ${this.expression(mapping.value)}, T, ${site})`;
    }
    return `${positional}, ${keywords}`;
  }

  #comprehension(comprehension: Comprehension): string {
    const { key, item, site } = comprehension;
    const bound = new Set<Binding>();
    const result = this.emitter.unique("c");
    const body = this.emitter.frame([], () => {
      const turn = () => {
        if (key === undefined) return `${result}.push(${this.expression(item)});\n`;
        const place = this.emitter.site(site);
        return `putInDict(${result}, ${this.expression(key)}, ${this.expression(item)}, T, ${place});\n`;
      };
      return this.#clauses(comprehension, 0, bound, turn);
    }, () => "");
    const variables = [...bound].map((binding) => this.emitter.variable(binding));
    const declarations = variables.length === 0 ? "" : `let ${variables.join(", ")};\n`;
    const start = key === undefined ? "[]" : "emptyDict()";
    const finish = key === undefined ? `listOf(${result})` : result;
    return `(() => {\nconst ${result} = ${start};\n${declarations}${body}return ${finish};\n})()`;
  }

  #clauses(comprehension: Comprehension, at: number, bound: Set<Binding>, turn: () => string): string {
    const clause = comprehension.clauses[at];
    if (clause === undefined) return turn();
    if (clause.form === "if") {
      return `if (${this.condition(clause.test)}) {\n${this.#clauses(comprehension, at + 1, bound, turn)}}\n`;
    }
    const cursor = this.emitter.unique("c");
    const index = this.emitter.unique("i");
    const element = this.emitter.unique("t");
    collect(clause.target, bound);
    const opening = `const ${cursor} = open(${this.expression(clause.source)}, T, ${
      this.emitter.site(clause.site)
    });\n`;
    const assignment = this.assign(clause.target, element, clause.site);
    const cost = turnCost(comprehension.clauses, at, comprehension);
    return `${opening}for (let ${index} = 0; ${index} < ${cursor}.length; ${index}++) {
${this.charge(cost, clause.site)}const ${element} = ${cursor}.at(${index});
${assignment}${this.#clauses(comprehension, at + 1, bound, turn)}}
${cursor}.close();
`;
  }

  /** JavaScript that makes a function. */
  protected function(node: FunctionNode): string {
    const shape = functionSignature(node);
    const template = this.emitter.template(shape);
    const plain = node.parameters.filter((parameter) => parameter.form === "plain");
    const rest = node.parameters.filter((parameter) => parameter.form === "sequence" || parameter.form === "mapping");
    const parameters = [...plain, ...rest].map(({ name }) => {
      return name?.binding === undefined ? "" : this.emitter.variable(name.binding);
    });
    const defaults = plain.map(({ fallback }) => fallback === undefined ? "undefined" : this.expression(fallback));
    const outer = this.definite;
    this.definite = new Set();
    const body = this.emitter.frame(node.scope?.locals ?? [], () => this.functionBody(node), (variables) => {
      const steps = frameCost(variables);
      return steps === 0 ? "" : this.charge(steps, node.site);
    });
    this.definite = outer;
    return `new StarlarkFunction(T, ${template}, (${parameters.join(", ")}) => {\n${body}}, [${defaults.join(", ")}])`;
  }
}

function collect(target: Expression, into: Set<Binding>): void {
  if (target.kind === "name" && target.binding !== undefined) into.add(target.binding);
  else if (target.kind === "list" || target.kind === "tuple") { for (const item of target.items) collect(item, into); }
}
