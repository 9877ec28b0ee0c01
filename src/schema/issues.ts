/** Owns the telling of schema violations: from a validator's error objects to sentences with a place and a hint. */

import type { ErrorObject } from "ajv/dist/2020.js";
import { didYouMean, didYouMeanOneOf, foundText, foundValue, pointerSteps, quotedText } from "../base/mod.ts";
import { hasType, isMapping, propertySchema, type SchemaView } from "./default_values.ts";
import type { ConfigIssue } from "./definition.ts";

/** Most words of a choice that a message lists. */
const WORDS_SHOWN_MAX = 20;

const QUOTED_NUMBER_REGEXP = /^[-+]?\d+(?:\.\d+)?$/;
const INDEX_REGEXP = /^(?:0|[1-9]\d*)$/;

/** Turns a validator's errors about `value` into issues, in the order of the fields as written. */
export function issuesOf(errors: readonly ErrorObject[], value: unknown): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  for (const error of withoutBranches(errors, value)) {
    const issue = issueOf(error, value);
    if (issue !== undefined) issues.push(issue);
  }
  return issues;
}

/**
 * Errors inside the alternatives of a union say what is wrong with each of them. Kept are those of the alternatives
 * whose type the value has; where there is none, the union's own error stands for all.
 */
function withoutBranches(errors: readonly ErrorObject[], value: unknown): readonly ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
  if (unions.length === 0) return errors;
  const dropped = new Set<ErrorObject>();
  for (const union of unions) {
    const inside = errors.filter((error) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`));
    const branches = (union.schema ?? []) as readonly SchemaView[];
    const at = valueAt(value, pathOf(union.instancePath));
    const fitting = branches.findIndex((branch) => hasType(branch, at));
    const kept = inside.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/${fitting}/`));
    for (const error of inside) if (!kept.includes(error)) dropped.add(error);
    if (kept.length > 0) dropped.add(union);
  }
  return errors.filter((error) => !dropped.has(error));
}

function issueOf(error: ErrorObject, value: unknown): ConfigIssue | undefined {
  const path = pathOf(error.instancePath);
  const at = valueAt(value, path);
  const parent = (error.parentSchema ?? {}) as SchemaView;
  switch (error.keyword) {
    case "additionalProperties":
      return unknownField(path, String(error.params["additionalProperty"]), parent);
    case "unevaluatedProperties":
      return unknownField(path, String(error.params["unevaluatedProperty"]), parent);
    case "required":
      return missingField(path, String(error.params["missingProperty"]), parent);
    case "enum":
      return wrongWord(path, at, parent.enum ?? []);
    case "type":
      return wrongType(path, at, parent);
    case "anyOf":
    case "oneOf":
      return { path, message: `${subject(path)} must be ${expectedOf(parent)}, found ${foundValue(at)}` };
    case "propertyNames":
      return undefined;
    case "pattern":
      return wrongPattern(path, error, parent);
    default:
      return { path, message: `${subject(path)} ${rangeText(error, at)}` };
  }
}

function unknownField(path: ConfigIssue["path"], name: string, schema: SchemaView): ConfigIssue {
  const known = Object.keys(schema.properties ?? {});
  const message = path.length === 0 ? `unknown field "${name}"` : `unknown field "${name}" in ${subject(path)}`;
  const inner = known.filter((field) => fieldsOf(schema.properties?.[field]).includes(name));
  const hint = inner.length === 1 ? `did you mean "${inner[0]}.${name}"?` : didYouMeanOneOf(name, known);
  return { path: [...path, name], atKey: true, message, hint };
}

/** The fields that a value of a schema may have; of a union, those of every alternative. */
function fieldsOf(schema: SchemaView | undefined): readonly string[] {
  if (schema === undefined) return [];
  return [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(fieldsOf)];
}

function missingField(path: ConfigIssue["path"], name: string, schema: SchemaView): ConfigIssue {
  const field = propertySchema(schema, name);
  const where = path.length === 0 ? "" : ` in ${subject(path)}`;
  return { path, message: `the field "${name}"${where} is required: ${expectedOf(field)}` };
}

function wrongWord(path: ConfigIssue["path"], value: unknown, words: readonly unknown[]): ConfigIssue {
  const known = words.map(String);
  const hint = typeof value === "string" ? didYouMean(value, known) : undefined;
  return {
    path,
    message: `${subject(path)} must be ${listed(known.slice(0, WORDS_SHOWN_MAX))}, found ${foundValue(value)}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function wrongType(path: ConfigIssue["path"], value: unknown, schema: SchemaView): ConfigIssue {
  // What is no list or mapping says little about how to write one, and may be a secret.
  const found = schema.type === "object" || schema.type === "array" ? foundText(value) : foundValue(value);
  const message = `${subject(path)} must be ${expectedOf(schema)}, found ${found}`;
  const wantsText = schema.type === "string";
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  if (wantsText && isPlain) return { path, message, ...textHint(value, schema) };
  const isQuotedNumber = typeof value === "string" && QUOTED_NUMBER_REGEXP.test(value);
  const wantsNumber = schema.type === "integer" || schema.type === "number";
  if (wantsNumber && isQuotedNumber) return { path, message, hint: "take the quotes off to make it a number" };
  const only = schema.type === "object" && value !== null ? onlyField(schema, value) : undefined;
  return { path, message, ...(only === undefined ? {} : { hint: `write { ${only}: ... }` }) };
}

/** The one field of a block that a value can be meant for. */
function onlyField({ properties = {} }: SchemaView, value: unknown): string | undefined {
  const fitting = Object.entries(properties).filter(([, field]) => hasType(field, value));
  return fitting.length === 1 ? fitting[0]?.[0] : undefined;
}

/** In quotes a value is text, which is of use only where its field takes that text. */
function textHint(value: number | bigint | boolean, { pattern }: SchemaView): Pick<ConfigIssue, "hint"> {
  if (pattern !== undefined && !new RegExp(pattern, "u").test(`${value}`)) return {};
  return { hint: "put the value in quotes to make it text" };
}

function wrongPattern(path: ConfigIssue["path"], error: ErrorObject, schema: SchemaView): ConfigIssue {
  const expected = schema["x-expected"] ?? `text that matches ${String(error.params["pattern"])}`;
  if (error.propertyName === undefined) {
    return { path, message: `${subject(path)} must be ${expected}, found ${foundValue(error.data)}` };
  }
  const name = error.propertyName;
  return { path: [...path, name], atKey: true, message: `the name ${quotedText(name)} must be ${expected}` };
}

/** The rest of the sentence for keywords that set a limit. */
function rangeText(error: ErrorObject, value: unknown): string {
  const limit = error.params["limit"];
  switch (error.keyword) {
    case "minimum":
      return `must be at least ${limit}, found ${foundValue(value)}`;
    case "maximum":
      return `must be at most ${limit}, found ${foundValue(value)}`;
    case "exclusiveMinimum":
      return `must be more than ${limit}, found ${foundValue(value)}`;
    case "exclusiveMaximum":
      return `must be less than ${limit}, found ${foundValue(value)}`;
    case "minLength":
      return limit === 1 ? "must not be empty" : `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters, found ${String(value).length}`;
    case "minItems":
      return `must have at least ${counted(limit, "element")}, found ${sizeOf(value)}`;
    case "maxItems":
      return `must have at most ${counted(limit, "element")}, found ${sizeOf(value)}`;
    case "minProperties":
      return `must have at least ${counted(limit, "field")}, found ${sizeOf(value)}`;
    case "maxProperties":
      return `must have at most ${counted(limit, "field")}, found ${sizeOf(value)}`;
    case "uniqueItems":
      return "must not hold the same element twice";
    default:
      return error.message ?? `does not fit the rule "${error.keyword}" of its schema`;
  }
}

/** What a schema asks for, to complete "must be ...". */
function expectedOf(schema: SchemaView): string {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.map(expectedOf).join(" or ");
  if (schema["x-expected"] !== undefined) return schema["x-expected"];
  if (schema.enum !== undefined) return listed(schema.enum.slice(0, WORDS_SHOWN_MAX).map(String));
  const types = schema.type === undefined ? [] : typeof schema.type === "string" ? [schema.type] : schema.type;
  return types.length === 0 ? "a value" : types.map((type) => typeText(type, schema)).join(" or ");
}

function typeText(type: string, schema: SchemaView): string {
  switch (type) {
    case "string":
      return "text";
    case "integer":
      return `a whole number${spanText(schema)}`;
    case "number":
      return `a number${spanText(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a mapping";
    default:
      return type;
  }
}

function spanText({ minimum, maximum }: SchemaView): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

function counted(count: unknown, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  return isMapping(value) ? String(Object.keys(value).length) : foundValue(value);
}

function subject(path: ConfigIssue["path"]): string {
  if (path.length === 0) return "the block";
  let text = "";
  for (const step of path) text += typeof step === "number" ? `[${step}]` : text === "" ? step : `.${step}`;
  return text;
}

/** Steps of a JSON pointer. Indexes come out as numbers only where the value at hand is a list: see `valueAt`. */
function pathOf(pointer: string): (string | number)[] {
  return pointerSteps(pointer).map((step) => INDEX_REGEXP.test(step) ? Number(step) : step);
}

function valueAt(value: unknown, path: (string | number)[]): unknown {
  let at = value;
  for (const [depth, step] of path.entries()) {
    if (Array.isArray(at)) {
      at = at[Number(step)];
    } else if (isMapping(at)) {
      // A field whose name looks like an index is a name.
      path[depth] = String(step);
      at = at[String(step)];
    } else {
      return undefined;
    }
  }
  return at;
}
