/**
 * Owns the builder of config blocks: fields as plain JSON Schema (draft 2020-12) that carry their TypeScript type.
 *
 * The schemas are TypeBox types without TypeBox at run time: they are plain objects, so that no isolate pays for
 * loading a schema library before it has something to check. TypeBox's own schemas may be mixed in.
 */

import type { Static, TSchema, TUnsafe } from "typebox";
import type { Data } from "../base/mod.ts";
import { DURATION_PATTERN } from "../base/mod.ts";

/** A field that must be there, or that has a default. */
export type Field<Value> = TUnsafe<Value>;

/** A field that may be absent and has no default. */
export type OptionalField<Value> = TUnsafe<Value> & { readonly "~optional": true };

/** Fields of a block, in the order they are documented and printed. */
export type Fields = { readonly [name: string]: TSchema };

type OptionalNames<F extends Fields> = { [K in keyof F]: F[K] extends { "~optional": true } ? K : never }[keyof F];

/** The type of a block once parsed: fields with a default are there, optional ones may not be. */
export type BlockValue<F extends Fields> =
  & { readonly [K in Exclude<keyof F, OptionalNames<F>>]: Static<F[K]> }
  & { readonly [K in OptionalNames<F>]?: Static<F[K]> };

/** What every field may say. */
export interface FieldOptions<Value> {
  /** One sentence for catalogue, editor and reference. */
  readonly description: string;
  /** Filled in where the field is absent. A field with a default need not be written. */
  readonly default?: Value;
}

/** Constraints of a text. */
export interface TextOptions extends FieldOptions<string> {
  /** Fewest characters; 1 unless told, since an empty text is hardly ever meant. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMAScript regular expression the text matches. */
  readonly pattern?: string;
  /** What the pattern stands for, to complete "must be ...": `a duration such as 10s`. */
  readonly expected?: string;
  readonly examples?: readonly string[];
}

/** Constraints of a number. Both ends are required: every number has a documented range. */
export interface NumberOptions extends FieldOptions<number> {
  readonly minimum: number;
  readonly maximum: number;
}

/** Constraints of a list. */
export interface ListOptions<Item> extends FieldOptions<readonly Item[]> {
  /** Fewest elements; 1 unless told. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Constraints of a mapping whose names the user chooses. */
export interface RecordOptions<Value> extends FieldOptions<{ readonly [name: string]: Value }> {
  readonly minProperties?: number;
  /** ECMAScript regular expression of every name. */
  readonly namePattern?: string;
}

/** Text. */
export function text(options: TextOptions): Field<string> {
  const { minLength = 1, maxLength, pattern, expected, examples } = options;
  return field<string>("string", options, { minLength, maxLength, pattern, "x-expected": expected, examples });
}

/** A duration, written as `500ms`, `10s`, `1h30m`. Its value stays text; `parseDuration` of base reads it. */
export function duration(options: FieldOptions<string>): Field<string> {
  return text({ ...options, pattern: DURATION_PATTERN, expected: "a duration such as 500ms, 10s or 1h30m" });
}

/** A whole number. */
export function integer(options: NumberOptions): Field<number> {
  return field<number>("integer", options, { minimum: options.minimum, maximum: options.maximum });
}

/** A number. */
export function number(options: NumberOptions): Field<number> {
  return field<number>("number", options, { minimum: options.minimum, maximum: options.maximum });
}

/** `true` or `false`. */
export function flag(options: FieldOptions<boolean>): Field<boolean> {
  return field<boolean>("boolean", options, {});
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[], options: FieldOptions<Word>): Field<Word> {
  return field<Word>("string", options, { enum: words });
}

/** A list whose elements fit one schema. */
export function list<Item extends TSchema>(
  items: Item,
  options: ListOptions<Static<Item>>,
): Field<readonly Static<Item>[]> {
  const { minItems = 1, maxItems } = options;
  return field<readonly Static<Item>[]>("array", options, { items, minItems, maxItems });
}

/** A mapping whose names the user chooses. */
export function record<Item extends TSchema>(
  values: Item,
  options: RecordOptions<Static<Item>>,
): Field<{ readonly [name: string]: Static<Item> }> {
  const { namePattern, minProperties } = options;
  return field<{ readonly [name: string]: Static<Item> }>("object", options, {
    ...(namePattern === undefined ? {} : { propertyNames: { pattern: namePattern } }),
    additionalProperties: values,
    minProperties,
  });
}

/** Any value. */
export function data(options: FieldOptions<Data>): Field<Data> {
  return field<Data>(undefined, options, {});
}

/** A value that fits one of several schemas; they should differ in type, so that mistakes can be told precisely. */
export function oneOf<const Branches extends readonly TSchema[]>(
  branches: Branches,
  options: FieldOptions<Static<Branches[number]>>,
): Field<Static<Branches[number]>> {
  return field<Static<Branches[number]>>(undefined, options, { anyOf: branches });
}

/**
 * A mapping of known fields. Unknown ones are refused; a field is required unless it is optional or has a default.
 * Where the block itself is a field, give it a description; a default of `{}` lets its own defaults fill it in.
 */
export function block<const F extends Fields>(
  fields: F,
  options: Partial<FieldOptions<object>> = {},
): Field<BlockValue<F>> {
  const required = Object.keys(fields).filter((name) => {
    const property = fields[name];
    return property !== undefined && !isOptional(property) && !("default" in property);
  });
  return field<BlockValue<F>>("object", options, {
    properties: fields,
    required: required.length === 0 ? undefined : required,
    additionalProperties: false,
  });
}

/** Lets a field be absent. For fields without a default; one with a default need not be written anyway. */
export function optional<Value>(schema: Field<Value>): OptionalField<Value> {
  // Not enumerable, as TypeBox has it: the mark is for `block`, and the schema stays plain JSON Schema.
  const marked = Object.defineProperty({ ...schema }, "~optional", { value: true, enumerable: false });
  return marked as OptionalField<Value>;
}

function isOptional(schema: TSchema): boolean {
  return "~optional" in schema;
}

/** Keywords in one order for all fields, without those that are not set. */
function field<Value>(
  type: string | undefined,
  options: Partial<FieldOptions<unknown>>,
  keywords: Readonly<Record<string, unknown>>,
): Field<Value> {
  const all = { type, description: options.description, default: options.default, ...keywords };
  const set = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  // The value type is a phantom: it exists for the compiler only, and nothing at run time could make it.
  return set as unknown as Field<Value>;
}
