/** Owns the writing of datums: a type becomes a function from a payload's value to bytes. */

import { isMapping } from "../../shared/found_in_payload.ts";
import type { ArrayType, AvroType, MapType, RecordField, RecordType, UnionType } from "./avro_type.ts";
import type { ByteWriter } from "./byte_writer.ts";
import { DatumTrouble, mismatch, within } from "./datum_trouble.ts";
import { defaultValue } from "./default_value.ts";
import { compileLeaf } from "./leaf_writer.ts";
import { compileUnion } from "./union_writer.ts";

/** Writes values of one type. */
export interface DatumWriter {
  /** @throws {DatumTrouble} where the value is none of the type */
  write(to: ByteWriter, value: unknown): void;
  /** Whether a value looks like one of the type: without looking into lists and mappings. */
  isLike(value: unknown): boolean;
  /** Whether a value is not like one, and stands for one all the same: a number written as text. */
  mayBe(value: unknown): boolean;
}

/** Makes the writer of a type. */
export function compileWriter(type: AvroType): DatumWriter {
  return new WriterCompiler().compile(type);
}

class WriterCompiler {
  /** Writers of records; one that is being made is reached through this table, as it may hold itself. */
  readonly #records = new Map<RecordType, DatumWriter>();

  compile(type: AvroType): DatumWriter {
    switch (type.kind) {
      case "array":
        return this.#array(type);
      case "map":
        return this.#map(type);
      case "record":
        return this.#record(type);
      case "union":
        return this.#union(type);
      default:
        return compileLeaf(type);
    }
  }

  #array({ items }: ArrayType): DatumWriter {
    const item = this.compile(items);
    return {
      isLike: Array.isArray,
      mayBe: () => false,
      write(to, value) {
        if (!Array.isArray(value)) throw mismatch("a list", value);
        if (value.length > 0) {
          to.long(value.length);
          let i = 0;
          try {
            for (; i < value.length; i++) item.write(to, value[i]);
          } catch (caught) {
            throw within(caught, i);
          }
        }
        to.long(0);
      },
    };
  }

  #map({ values }: MapType): DatumWriter {
    const item = this.compile(values);
    return {
      isLike: isMapping,
      mayBe: () => false,
      write(to, value) {
        if (!isMapping(value)) throw mismatch("a mapping", value);
        const keys = Object.keys(value);
        if (keys.length > 0) {
          to.long(keys.length);
          for (const key of keys) {
            if (!key.isWellFormed()) throw mismatch("a mapping whose keys are UTF-8", key);
            to.text(key);
            try {
              item.write(to, value[key]);
            } catch (caught) {
              throw within(caught, key);
            }
          }
        }
        to.long(0);
      },
    };
  }

  #record(type: RecordType): DatumWriter {
    const known = this.#records.get(type);
    if (known !== undefined) return known;
    const shape = { isLike: (value: unknown) => isLikeRecord(type, value), mayBe: () => false };
    const table = this.#records;
    table.set(type, { ...shape, write: (to, value) => table.get(type)?.write(to, value) });
    const names = type.fields.map(({ name }) => name);
    const writers = type.fields.map((field) => this.compile(field.type));
    const write = recordMaker(names)(
      writers.map((writer) => writer.write),
      writers.map((writer, i) => absentWriter(type.fields[i], writer)),
      (caught, i) => within(caught, names[i] ?? ""),
    );
    const writer = {
      ...shape,
      write(to: ByteWriter, value: unknown) {
        if (!isMapping(value)) throw mismatch(`a mapping with the fields of ${type.name}`, value);
        if (write(to, value) < keyCount(value)) refuseUnknownField(type.name, names, value);
      },
    };
    table.set(type, writer);
    return writer;
  }

  #union(type: UnionType): DatumWriter {
    return compileUnion(type, type.branches.map((branch) => this.compile(branch)));
  }
}

/** Writes the fields of a mapping and gives how many of them it has. */
type WriteFields = (to: ByteWriter, record: { readonly [key: string]: unknown }) => number;

type RecordMaker = (
  writes: readonly DatumWriter["write"][],
  writeAbsent: readonly ((to: ByteWriter) => void)[],
  fail: (caught: unknown, index: number) => unknown,
) => WriteFields;

/**
 * A function with the fields written out, as a person would write it for this record: one look and one call a field.
 * Names of fields are letters, digits and underscores by the grammar of schemas; of those that every object has, only
 * the mapping's own are looked at.
 */
function recordMaker(names: readonly string[]): RecordMaker {
  const steps = names.map((name, i) => {
    const key = JSON.stringify(name);
    const value = name in Object.prototype
      ? `Object.hasOwn(record, ${key}) ? record[${key}] : undefined`
      : `record[${key}]`;
    return `i = ${i}; value = ${value};
    if (value !== undefined) { known++; w${i}(to, value); } else a${i}(to);`;
  });
  const body = `const [${names.map((_, i) => `w${i}`).join(", ")}] = writes;
const [${names.map((_, i) => `a${i}`).join(", ")}] = writeAbsent;
return (to, record) => {
  let i = 0, known = 0, value;
  try {
    ${steps.join("\n    ")}
  } catch (caught) {
    throw fail(caught, i);
  }
  return known;
};`;
  return new Function("writes", "writeAbsent", "fail", body) as RecordMaker;
}

/** Writes a field that is not there: its default, or null where its type has that. */
function absentWriter(field: RecordField | undefined, writer: DatumWriter): (to: ByteWriter) => void {
  if (field?.default !== undefined) {
    const instead = defaultValue(field.type, field.default);
    return (to) => writer.write(to, instead);
  }
  if (field !== undefined && isNullable(field.type)) return (to) => writer.write(to, null);
  return () => {
    throw new DatumTrouble("is required, and it is not there");
  };
}

function keyCount(value: object): number {
  let count = 0;
  for (const _key in value) count++;
  return count;
}

/** Whether a mapping has no field but those of the record, and all that it must have. */
function isLikeRecord({ fields }: RecordType, value: unknown): boolean {
  if (!isMapping(value)) return false;
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(value).every((key) => names.has(key)) &&
    fields.every((field) => field.default !== undefined || isNullable(field.type) || value[field.name] !== undefined);
}

function isNullable(type: AvroType): boolean {
  return type.kind === "null" || (type.kind === "union" && type.branches.some(({ kind }) => kind === "null"));
}

/** What the schema has no place for would be lost. */
function refuseUnknownField(record: string, names: readonly string[], value: object): void {
  const key = Object.keys(value).find((one) => !names.includes(one));
  // A key whose value is undefined counts as one that is not there.
  if (key === undefined) return;
  throw new DatumTrouble(`is no field of ${record}, which has ${names.join(", ") || "none"}`).within(key);
}
