/** Owns the reading of datums: a type becomes a function from bytes to a payload. */

import type { ArrayType, AvroType, MapType, RecordType, UnionType } from "./avro_type.ts";
import { leastBytes, mappingBranches, typeName } from "./avro_type.ts";
import type { ByteReader } from "./byte_reader.ts";
import { DatumTrouble, within } from "./datum_trouble.ts";
import { decimalText, uuidText } from "./logical_text.ts";

/** Items that take no bytes which one message may hold: they are the only ones that few bytes can ask many of. */
const EMPTY_ITEMS_MAX = 100_000;

/** Reads one value. @throws {DatumTrouble} */
export type ReadDatum = (from: ByteReader) => unknown;

/** Makes the reader of a type. Bytes of a decimal become its text; every other logical type is left as it is. */
export function compileReader(type: AvroType): ReadDatum {
  return new ReaderCompiler().compile(type);
}

class ReaderCompiler {
  /** Readers of records; a record that is being made is read through this table, as it may hold itself. */
  readonly #records = new Map<RecordType, ReadDatum>();

  compile(type: AvroType): ReadDatum {
    switch (type.kind) {
      case "null":
        return () => null;
      case "boolean":
        return (from) => from.boolean();
      case "int":
        return (from) => from.int();
      case "long":
        return (from) => from.long();
      case "float":
        return (from) => from.float();
      case "double":
        return (from) => from.double();
      case "string":
        return (from) => from.text();
      case "bytes": {
        const { decimal } = type;
        return decimal === undefined ? (from) => from.bytes() : (from) => decimalText(from.bytes(), decimal);
      }
      case "fixed": {
        const { size, decimal, uuid } = type;
        if (decimal !== undefined) return (from) => decimalText(from.fixed(size), decimal);
        return uuid === true ? (from) => uuidText(from.fixed(size)) : (from) => from.fixed(size);
      }
      case "enum": {
        const { symbols } = type;
        return (from) => symbols[from.index(symbols.length, "one of the symbols")];
      }
      case "array":
        return this.#array(type);
      case "map":
        return this.#map(type);
      case "record":
        return this.#record(type);
      case "union":
        return this.#union(type);
    }
  }

  #array({ items }: ArrayType): ReadDatum {
    const read = this.compile(items);
    const least = leastBytes(items);
    return (from) => {
      const list: unknown[] = [];
      for (let block = readBlock(from, least); block.count > 0; block = readBlock(from, least)) {
        try {
          for (let i = 0; i < block.count; i++) list.push(read(from));
        } catch (caught) {
          throw within(caught, list.length);
        }
        checkBlockEnd(from, block);
      }
      return list;
    };
  }

  #map({ values }: MapType): ReadDatum {
    const read = this.compile(values);
    // A key takes a byte at least.
    const least = leastBytes(values) + 1;
    return (from) => {
      const map: { [key: string]: unknown } = {};
      for (let block = readBlock(from, least); block.count > 0; block = readBlock(from, least)) {
        for (let i = 0; i < block.count; i++) {
          const key = from.text();
          try {
            put(map, key, read(from));
          } catch (caught) {
            throw within(caught, key);
          }
        }
        checkBlockEnd(from, block);
      }
      return map;
    };
  }

  #record(type: RecordType): ReadDatum {
    const known = this.#records.get(type);
    if (known !== undefined) return known;
    let read: ReadDatum = () => undefined;
    this.#records.set(type, (from) => read(from));
    const names = type.fields.map(({ name }) => name);
    const make = recordMaker(names);
    const fail = (caught: unknown, index: number) => within(caught, names[index] ?? "");
    read = make(type.fields.map((field) => this.compile(field.type)), fail);
    this.#records.set(type, read);
    return read;
  }

  #union(type: UnionType): ReadDatum {
    const wraps = mappingBranches(type).length > 1;
    const reads = type.branches.map((branch): ReadDatum => {
      const read = this.compile(branch);
      if (!wraps || (branch.kind !== "record" && branch.kind !== "map")) return read;
      const name = typeName(branch);
      return (from) => ({ [name]: read(from) });
    });
    return (from) => {
      const index = from.index(reads.length, "a branch of the union");
      return reads[index]?.(from);
    };
  }
}

type RecordMaker = (reads: readonly ReadDatum[], fail: (caught: unknown, index: number) => unknown) => ReadDatum;

/**
 * A function with the fields written out, as a person would write it for this record: what it makes has one shape, and
 * reading it is one call a field. Names of fields are letters, digits and underscores by the grammar of schemas.
 */
function recordMaker(names: readonly string[]): RecordMaker {
  const reads = names.map((_, i) => `r${i}`);
  const values = names.map((name, i) => `[${JSON.stringify(name)}]: v${i}`);
  const steps = names.map((_, i) => `i = ${i}; const v${i} = r${i}(from);`);
  const body = `const [${reads.join(", ")}] = reads;
return (from) => {
  let i = 0;
  try {
    ${steps.join("\n    ")}
    return { ${values.join(", ")} };
  } catch (caught) {
    throw fail(caught, i);
  }
};`;
  return new Function("reads", "fail", body) as RecordMaker;
}

interface Block {
  readonly count: number;
  /** Where its last item ends; undefined where the block does not say. */
  readonly end: number | undefined;
}

/** Begins a block of an array or map; one of no items ends it. */
function readBlock(from: ByteReader, leastItemBytes: number): Block {
  const at = from.at;
  const said = from.long();
  if (said === 0) return NO_BLOCK;
  const sized = said < 0;
  const size = sized ? from.long() : undefined;
  if (size !== undefined && (typeof size === "bigint" || size < 0 || size > from.left)) {
    throw new DatumTrouble(`has a block at byte ${at} of ${size} bytes, and ${from.left} are left`);
  }
  const count = Number(sized ? -said : said);
  if (leastItemBytes > 0) {
    if (count * leastItemBytes > from.left) {
      throw new DatumTrouble(`has a block at byte ${at} of ${count} items, and ${from.left} bytes are left for them`);
    }
  } else if ((from.emptyItems += count) > EMPTY_ITEMS_MAX) {
    throw new DatumTrouble(
      `has a block at byte ${at} of ${count} items that take no bytes; ${EMPTY_ITEMS_MAX} is most`,
    );
  }
  return { count, end: size === undefined ? undefined : from.at + size };
}

const NO_BLOCK: Block = { count: 0, end: undefined };

function checkBlockEnd(from: ByteReader, { end }: Block): void {
  if (end === undefined || end === from.at) return;
  throw new DatumTrouble(`has a block that says it ends at byte ${end}, and its items end at byte ${from.at}`);
}

/** A key of any name: `__proto__` is one like any other. */
function put(map: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== "__proto__") map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
}
