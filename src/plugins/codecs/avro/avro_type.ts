/** Owns the types of an Avro schema, once it was read. */

import type { Data } from "../../../base/mod.ts";

/** Names of the types that need no declaration. */
export const PRIMITIVES = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"] as const;

/** The name of a type that needs no declaration. */
export type Primitive = typeof PRIMITIVES[number];

/** Digits a decimal has, and how many of them follow the point. */
export interface DecimalRule {
  readonly precision: number;
  readonly scale: number;
}

/** A type of no parts. */
export interface PrimitiveType {
  readonly kind: Primitive;
  /** On bytes that hold a decimal. */
  readonly decimal?: DecimalRule;
}

/** So many bytes. */
export interface FixedType {
  readonly kind: "fixed";
  readonly name: string;
  readonly size: number;
  readonly decimal?: DecimalRule;
  /** Whether the 16 bytes are a UUID. */
  readonly uuid?: boolean;
}

/** One of several words. */
export interface EnumType {
  readonly kind: "enum";
  readonly name: string;
  readonly symbols: readonly string[];
}

/** A list. */
export interface ArrayType {
  readonly kind: "array";
  readonly items: AvroType;
}

/** A mapping from text to values of one type. */
export interface MapType {
  readonly kind: "map";
  readonly values: AvroType;
}

/** A field of a record. */
export interface RecordField {
  readonly name: string;
  readonly type: AvroType;
  /** As the schema writes it; undefined where there is none. */
  readonly default?: Data;
}

/** A mapping of known fields. */
export interface RecordType {
  readonly kind: "record";
  readonly name: string;
  /** Filled in once the fields were read: a record may hold itself. */
  readonly fields: readonly RecordField[];
}

/** One of several types. */
export interface UnionType {
  readonly kind: "union";
  readonly branches: readonly AvroType[];
}

/** Any type. Types that the schema names are the same object wherever they are named. */
export type AvroType = PrimitiveType | FixedType | EnumType | ArrayType | MapType | RecordType | UnionType;

/** A type's name: that of a declared one with its namespace. */
export function typeName(type: AvroType): string {
  return "name" in type ? type.name : type.kind;
}

/** The mappings among a union's branches. Where there are several, a value says its branch: `{name: value}`. */
export function mappingBranches({ branches }: UnionType): readonly (RecordType | MapType)[] {
  return branches.filter((branch) => branch.kind === "record" || branch.kind === "map");
}

/** The fewest bytes a value of the type takes, or fewer. */
export function leastBytes(type: AvroType, known: Map<AvroType, number> = new Map()): number {
  switch (type.kind) {
    case "null":
      return 0;
    case "float":
      return 4;
    case "double":
      return 8;
    case "fixed":
      return type.size;
    case "record": {
      const found = known.get(type);
      if (found !== undefined) return found;
      // A record inside itself takes whatever else is around it, or could never end.
      known.set(type, 0);
      const least = type.fields.reduce((sum, field) => sum + leastBytes(field.type, known), 0);
      known.set(type, least);
      return least;
    }
    default:
      return 1;
  }
}
