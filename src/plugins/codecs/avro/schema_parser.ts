/** Owns the reading of schemas: JSON data to types, and what is wrong with it where. */

import { type Data, didYouMeanOneOf, foundText, foundValue } from "../../../base/mod.ts";
import type { AvroType, DecimalRule, FixedType, Primitive, RecordField, RecordType } from "./avro_type.ts";
import { PRIMITIVES } from "./avro_type.ts";
import { defaultProblem } from "./default_value.ts";

type Path = readonly (string | number)[];
type Mapping = { readonly [key: string]: Data };

const NAME_REGEXP = /^[A-Za-z_][A-Za-z0-9_]*$/;
const FULL_NAME_REGEXP = /^(?:[A-Za-z_][A-Za-z0-9_]*\.)*[A-Za-z_][A-Za-z0-9_]*$/;
const NAME_EXPECTED = "letters, digits and _, beginning with no digit, with dots between the parts";
const COMPLEX = ["record", "error", "enum", "array", "map", "fixed"] as const;
const ORDERS: readonly Data[] = ["ascending", "descending", "ignore"];
const UUID_BYTES = 16;
/** Most bytes of a fixed. */
const FIXED_BYTES_MAX = 2 ** 30;
/** Types within types, so that the stack suffices. */
const DEPTH_MAX = 200;
const BITS_PER_DIGIT = Math.log2(10);

/** Something wrong with a schema. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";
  /** Keys and indexes from the schema's root to what is wrong. */
  readonly path: Path;
  readonly hint: string | undefined;

  constructor(path: Path, message: string, hint?: string) {
    super(message);
    this.path = path;
    this.hint = hint;
  }
}

/** Reads a schema. @throws {SchemaProblem} */
export function parseSchema(schema: Data): AvroType {
  return new SchemaParser().parse(schema, [], "");
}

class SchemaParser {
  readonly #named = new Map<string, AvroType>();
  #depth = 0;

  parse(schema: Data, path: Path, namespace: string): AvroType {
    if (++this.#depth > DEPTH_MAX) throw new SchemaProblem(path, `is nested deeper than ${DEPTH_MAX} types`);
    try {
      if (typeof schema === "string") return this.#reference(schema, path, namespace);
      if (Array.isArray(schema)) return this.#union(schema, path, namespace);
      if (isMapping(schema)) return this.#declaration(schema, path, namespace);
    } finally {
      this.#depth--;
    }
    throw new SchemaProblem(path, `must be a type: a name, a mapping or a list, found ${foundText(schema)}`);
  }

  #reference(name: string, path: Path, namespace: string): AvroType {
    if (isPrimitive(name)) return { kind: name };
    const found = this.#named.get(qualified(name, namespace)) ?? this.#named.get(name);
    if (found !== undefined) return found;
    const hint = didYouMeanOneOf(name, [...PRIMITIVES, ...this.#named.keys()]);
    throw new SchemaProblem(path, `names the type ${foundValue(name)}, which is not declared before it`, hint);
  }

  #union(schema: readonly Data[], path: Path, namespace: string): AvroType {
    const branches = schema.map((branch, i) => this.parse(branch, [...path, i], namespace));
    const seen = new Set<string>();
    for (const [i, branch] of branches.entries()) {
      if (branch.kind === "union") throw new SchemaProblem([...path, i], "a union may not hold a union");
      const name = "name" in branch ? branch.name : branch.kind;
      if (seen.has(name)) throw new SchemaProblem([...path, i], `a union may hold ${name} once only`);
      seen.add(name);
    }
    return { kind: "union", branches };
  }

  #declaration(schema: Mapping, path: Path, namespace: string): AvroType {
    const { type } = schema;
    if (type === undefined) throw new SchemaProblem(path, "must say its `type`");
    const at = [...path, "type"];
    // A type in parentheses, so to speak.
    if (typeof type !== "string") return this.parse(type, at, namespace);
    switch (type) {
      case "record":
      case "error":
        return this.#record(schema, path, namespace);
      case "enum":
        return this.#enum(schema, path, namespace);
      case "fixed":
        return this.#fixed(schema, path, namespace);
      case "array":
        return { kind: "array", items: this.parse(required(schema, "items", path), [...path, "items"], namespace) };
      case "map":
        return { kind: "map", values: this.parse(required(schema, "values", path), [...path, "values"], namespace) };
    }
    if (!isPrimitive(type)) {
      const known = this.#named.get(qualified(type, namespace)) ?? this.#named.get(type);
      if (known !== undefined) return known;
      const hint = didYouMeanOneOf(type, [...COMPLEX, ...PRIMITIVES, ...this.#named.keys()]);
      throw new SchemaProblem(at, `names the type ${foundValue(type)}, which is not declared before it`, hint);
    }
    if (type !== "bytes") return { kind: type };
    const decimal = decimalRule(schema, Infinity);
    return decimal === undefined ? { kind: "bytes" } : { kind: "bytes", decimal };
  }

  #record(schema: Mapping, path: Path, namespace: string): RecordType {
    const fields: RecordField[] = [];
    const record: RecordType = { kind: "record", name: this.#nameOf(schema, path, namespace), fields };
    this.#declare(record, path);
    const list = required(schema, "fields", path);
    if (!Array.isArray(list)) {
      throw new SchemaProblem([...path, "fields"], `must be a list of fields, found ${foundText(list)}`);
    }
    const names = new Set<string>();
    for (const [i, field] of (list as readonly Data[]).entries()) {
      const at = [...path, "fields", i];
      if (!isMapping(field)) {
        throw new SchemaProblem(at, `must be a mapping with name and type, found ${foundText(field)}`);
      }
      const read = this.#field(field, at, namespaceOf(record.name));
      if (names.has(read.name)) throw new SchemaProblem([...at, "name"], `another field is named ${read.name}`);
      names.add(read.name);
      fields.push(read);
    }
    return record;
  }

  #field(field: Mapping, path: Path, namespace: string): RecordField {
    const name = required(field, "name", path);
    if (typeof name !== "string" || !NAME_REGEXP.test(name)) {
      throw new SchemaProblem([...path, "name"], `must be letters, digits and _, found ${foundValue(name)}`);
    }
    const { order } = field;
    if (order !== undefined && !ORDERS.includes(order)) {
      throw new SchemaProblem([...path, "order"], `must be one of ${ORDERS.join(", ")}, found ${foundValue(order)}`);
    }
    const type = this.parse(required(field, "type", path), [...path, "type"], namespace);
    const fallback = field["default"];
    if (fallback === undefined) return { name, type };
    const problem = defaultProblem(type, fallback);
    if (problem !== undefined) throw new SchemaProblem([...path, "default"], problem);
    return { name, type, default: fallback };
  }

  #enum(schema: Mapping, path: Path, namespace: string): AvroType {
    const name = this.#nameOf(schema, path, namespace);
    const symbols = required(schema, "symbols", path);
    if (!Array.isArray(symbols)) {
      throw new SchemaProblem([...path, "symbols"], `must be a list of words, found ${foundText(symbols)}`);
    }
    const words = (symbols as readonly Data[]).map((symbol, i) => {
      const at = [...path, "symbols", i];
      if (typeof symbol === "string" && NAME_REGEXP.test(symbol)) return symbol;
      throw new SchemaProblem(at, `must be letters, digits and _, found ${foundValue(symbol)}`);
    });
    const twice = words.findIndex((word, i) => words.indexOf(word) !== i);
    if (twice >= 0) throw new SchemaProblem([...path, "symbols", twice], `${words[twice]} is there already`);
    const fallback = schema["default"];
    if (fallback !== undefined && !words.some((word) => word === fallback)) {
      throw new SchemaProblem([...path, "default"], `must be one of the symbols, found ${foundValue(fallback)}`);
    }
    return this.#declare({ kind: "enum", name, symbols: words }, path);
  }

  #fixed(schema: Mapping, path: Path, namespace: string): AvroType {
    const name = this.#nameOf(schema, path, namespace);
    const size = required(schema, "size", path);
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0 || size > FIXED_BYTES_MAX) {
      const range = `a whole number from 0 to ${FIXED_BYTES_MAX}`;
      throw new SchemaProblem([...path, "size"], `must be ${range}, found ${foundText(size)}`);
    }
    const decimal = decimalRule(schema, Math.floor((8 * size - 1) / BITS_PER_DIGIT));
    const uuid = schema["logicalType"] === "uuid" && size === UUID_BYTES;
    const type: FixedType = { kind: "fixed", name, size, ...(decimal === undefined ? {} : { decimal }), uuid };
    return this.#declare(type, path);
  }

  #declare<Type extends AvroType & { readonly name: string }>(type: Type, path: Path): Type {
    if (this.#named.has(type.name)) {
      throw new SchemaProblem([...path, "name"], `another type is named ${type.name}; name it to use it again`);
    }
    this.#named.set(type.name, type);
    return type;
  }

  #nameOf(schema: Mapping, path: Path, namespace: string): string {
    const name = required(schema, "name", path);
    if (typeof name !== "string" || !FULL_NAME_REGEXP.test(name)) {
      throw new SchemaProblem([...path, "name"], `must be ${NAME_EXPECTED}, found ${foundValue(name)}`);
    }
    const own = schema["namespace"] ?? undefined;
    if (own !== undefined && (typeof own !== "string" || (own !== "" && !FULL_NAME_REGEXP.test(own)))) {
      throw new SchemaProblem([...path, "namespace"], `must be ${NAME_EXPECTED}, found ${foundValue(own)}`);
    }
    // A namespace of null is none, as an empty one is.
    const space = schema["namespace"] === null ? "" : own ?? namespace;
    const full = qualified(name, space);
    if (isPrimitive(full)) throw new SchemaProblem([...path, "name"], `must not be that of a type Avro has: ${full}`);
    return full;
  }
}

function isMapping(value: Data): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPrimitive(name: string): name is Primitive {
  return (PRIMITIVES as readonly string[]).includes(name);
}

function required(schema: Mapping, key: string, path: Path): Data {
  const value = schema[key];
  if (value === undefined) throw new SchemaProblem(path, `must have \`${key}\``);
  return value;
}

function qualified(name: string, namespace: string): string {
  return name.includes(".") || namespace === "" ? name : `${namespace}.${name}`;
}

function namespaceOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** The rule of a decimal; undefined where there is none or, as the specification asks, where it makes no sense. */
function decimalRule(schema: Mapping, digitsMax: number): DecimalRule | undefined {
  if (schema["logicalType"] !== "decimal") return undefined;
  const { precision, scale = 0 } = schema;
  if (typeof precision !== "number" || !Number.isInteger(precision) || precision < 1) return undefined;
  if (typeof scale !== "number" || !Number.isInteger(scale) || scale < 0 || scale > precision) return undefined;
  return precision > digitsMax ? undefined : { precision, scale };
}
