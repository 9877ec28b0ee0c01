/** Owns the measuring of functions, with the parser that `deno test` lends to lint plugins. */

/** One function and how many lines it spans, from its first word to its closing brace. */
export interface FunctionLength {
  /** Its name, `Class.method`, or the call that a function without a name is given to. */
  readonly name: string;
  readonly lines: number;
}

type FunctionNode = Deno.lint.FunctionDeclaration | Deno.lint.FunctionExpression | Deno.lint.ArrowFunctionExpression;

/** All functions of a file in the order they begin. Works under `deno test` only. */
export function measureFunctions(path: string, text: string): FunctionLength[] {
  const found: FunctionLength[] = [];
  const measure = (node: FunctionNode) => {
    found.push({ name: nameOf(node), lines: text.slice(node.range[0], node.range[1]).split("\n").length });
  };
  const rule: Deno.lint.Rule = {
    create: () => ({ FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure }),
  };
  Deno.lint.runPlugin({ name: "measure", rules: { measure: rule } }, path, text);
  return found;
}

function nameOf(node: FunctionNode): string {
  if (node.type !== "ArrowFunctionExpression" && node.id !== null) return node.id.name;
  const parent: Deno.lint.Node = node.parent;
  if (parent.type === "MethodDefinition") {
    const owner = parent.parent.parent;
    const method = keyName(parent.key);
    return owner.type === "ClassDeclaration" && owner.id !== null ? `${owner.id.name}.${method}` : method;
  }
  if (parent.type === "Property" || parent.type === "PropertyDefinition") return keyName(parent.key);
  if (parent.type === "VariableDeclarator" && parent.id.type === "Identifier") return parent.id.name;
  if (parent.type === "CallExpression") return `(given to ${keyName(parent.callee)})`;
  return "(anonymous)";
}

function keyName(node: Deno.lint.Node): string {
  switch (node.type) {
    case "Identifier":
      return node.name;
    case "PrivateIdentifier":
      return `#${node.name}`;
    case "Literal":
      return String(node.value);
    case "MemberExpression":
      return `${keyName(node.object)}.${keyName(node.property)}`;
    default:
      return node.type;
  }
}
