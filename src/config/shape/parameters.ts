/** Owns the `parameters` section: the declarations of what a job's run may be given. */

import { type Data, regexpReason } from "../../base/mod.ts";
import type { ParameterDeclaration } from "../document.ts";
import { PARAMETER_FIELDS } from "../../schema/mod.ts";
import { isBinding, parameterProblem } from "../parameter_value.ts";
import { type Entry, type MappingTree, type Tree, treeData } from "../tree.ts";
import { typedValue, type ValueReader } from "../value_reader.ts";
import { checkJobSection } from "./run.ts";

const CODE = "cfg_parameters_decl";
const PARAMETER_NAME_REGEXP = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reads `parameters`, in document order; declarations with mistakes are left out. */
export function readParameters(root: MappingTree, reader: ValueReader): readonly ParameterDeclaration[] {
  const isAllowed = checkJobSection(root, "parameters", reader);
  const mapping = reader.field(root, "parameters", (tree) => reader.mapping(tree, "cfg_parameters_type", "parameters"));
  if (mapping === undefined) return [];
  const declarations = [...mapping.entries].map(([name, entry]) => readDeclaration(name, entry, reader));
  return isAllowed ? declarations.filter((declaration) => declaration !== undefined) : [];
}

function readDeclaration(name: string, entry: Entry, reader: ValueReader): ParameterDeclaration | undefined {
  const what = `parameters.${name}`;
  const isNamed = PARAMETER_NAME_REGEXP.test(name);
  if (!isNamed) {
    reader.report(
      CODE,
      entry.key,
      `the name "${name}" must begin with a letter and hold only letters, digits and underscores`,
    );
  }
  const mapping = reader.mapping(entry.value, CODE, what);
  if (mapping === undefined) return undefined;
  reader.unknownKeys(mapping, PARAMETER_FIELDS, what);
  const type = mapping.entries.get("type");
  if (type === undefined) {
    const words = PARAMETER_FIELDS.type.words.join(", ");
    reader.report(CODE, entry.key, `${what}.type is required: one of ${words}`);
    return undefined;
  }
  const word = reader.word(type.value, PARAMETER_FIELDS.type.words, CODE, `${what}.type`);
  if (word === undefined) return undefined;
  const declaration = { name, type: word, ...readConstraints(mapping, word, what, reader) };
  const fits = checkDefault(mapping, declaration, what, reader);
  return fits && isNamed ? declaration : undefined;
}

type Constraints = Omit<ParameterDeclaration, "name" | "type">;

function readConstraints(
  mapping: MappingTree,
  type: ParameterDeclaration["type"],
  what: string,
  reader: ValueReader,
): Constraints {
  const isNumber = type === "integer" || type === "number";
  const required = reader.field(mapping, "required", (tree) => reader.flag(tree, CODE, `${what}.required`));
  const description = reader.field(mapping, "description", (tree) => reader.text(tree, CODE, `${what}.description`));
  const pattern = reader.field(mapping, "pattern", (tree) => readPattern(tree, type, what, reader));
  const values = reader.field(mapping, "enum", (tree) => readEnum(tree, type, what, reader));
  const bound = (name: "min" | "max") =>
    reader.field(mapping, name, (tree, { key }) => {
      if (!isNumber) reader.report(CODE, key, `${what}.${name} is for numbers, and the type is ${type}`);
      return reader.number(tree, { type: CODE, range: CODE }, `${what}.${name}`);
    });
  const min = bound("min");
  const max = bound("max");
  const maxEntry = mapping.entries.get("max");
  if (min !== undefined && max !== undefined && min > max && maxEntry !== undefined) {
    reader.report(CODE, maxEntry.value.span, `${what}.max must be at least min, which is ${min}, found ${max}`);
  }
  const declared = mapping.entries.get("default");
  return {
    required: required ?? PARAMETER_FIELDS.required.default,
    ...(declared === undefined ? {} : { default: typedData(declared.value, type) }),
    ...(values === undefined ? {} : { enum: values }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(description === undefined ? {} : { description }),
  };
}

function readPattern(
  tree: Tree,
  type: ParameterDeclaration["type"],
  what: string,
  reader: ValueReader,
): string | undefined {
  const pattern = reader.text(tree, CODE, `${what}.pattern`);
  if (pattern === undefined) return undefined;
  if (type !== "string") {
    reader.report(CODE, tree.span, `${what}.pattern is for text, and the type is ${type}`);
    return undefined;
  }
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch (caught) {
    const required = `a regular expression (${regexpReason(caught)})`;
    return reader.wrong(CODE, tree, `${what}.pattern`, required);
  }
}

function readEnum(
  tree: Tree,
  type: ParameterDeclaration["type"],
  what: string,
  reader: ValueReader,
): readonly Data[] | undefined {
  if (tree.kind !== "list" || tree.items.length === 0) {
    return reader.wrong(CODE, tree, `${what}.enum`, "a list of values with at least one");
  }
  for (const [index, item] of tree.items.entries()) {
    const problem = parameterProblem({ name: "", type, required: false }, typedData(item, type));
    if (problem !== undefined) reader.report(CODE, item.span, `${what}.enum[${index}] ${problem}`);
  }
  return tree.items.map((item) => typedData(item, type));
}

function checkDefault(
  mapping: MappingTree,
  declaration: ParameterDeclaration,
  what: string,
  reader: ValueReader,
): boolean {
  const entry = mapping.entries.get("default");
  if (entry === undefined) return true;
  if (declaration.required) {
    reader.report(CODE, entry.key, `${what} is required in every run, so that its default is never used`);
    return false;
  }
  const value = typedData(entry.value, declaration.type);
  if (isBinding(declaration, value)) return true;
  const problem = parameterProblem(declaration, value);
  if (problem === undefined) return true;
  reader.report(CODE, entry.value.span, `${what}.default ${problem}`);
  return false;
}

/** A value as data; text that was exactly one reference takes the declared type where it has it. */
function typedData(tree: Tree, type: ParameterDeclaration["type"]): Data {
  if (type === "string") return treeData(tree);
  return typedValue(tree, type === "boolean" ? "boolean" : "number") ?? treeData(tree);
}
