/** Owns the round trips of drawn values: through our codecs, and between them and the libraries that do the same. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import avsc from "avsc";
import Papa from "papaparse";
import { compileProto } from "../../../scripts/proto_compiler.ts";
import { SeededDraw } from "../../../scripts/seeded_draw.ts";
import type { Data } from "../../base/mod.ts";
import { type Codec, testContext } from "../../plugin/mod.ts";
import { avroCodec } from "./avro/mod.ts";
import { csvCodec } from "./csv/mod.ts";
import { protobufCodec } from "./protobuf/mod.ts";

const DRAWN = 2000;
const TEXTS = [
  "",
  "a",
  ",",
  '"',
  "\n",
  "\r\n",
  " ",
  "ü",
  "🤗",
  "\0",
  'x,"y"\r\nz',
  "a text of some length, as they are",
] as const;
const decoder = new TextDecoder();

function text(draw: SeededDraw): string {
  return Array.from({ length: draw.integer(0, 4) }, () => draw.pick(TEXTS)).join("");
}

function long(draw: SeededDraw): number | bigint {
  const value = BigInt.asIntN(draw.integer(1, 64), BigInt(`0x${draw.hex(16)}`));
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function double(draw: SeededDraw): number {
  return draw.pick([0, 0.1, -1.5, 5e-324, 1e308, 2 ** 53, draw.fraction(), draw.fraction() * 1e20]);
}

Deno.test("csv round trip: drawn records come back, and papaparse reads the same cells", () => {
  const names = ["s", "i", "f", "b", "t"];
  const types = ["string", "int", "float", "bool", "string"] as const;
  const columns = names.map((name, i) => ({ name, type: types[i] ?? "string" }));
  const codec = csvCodec.create({ columns, header: false, delimiter: ",", quote: '"' }, testContext());
  const draw = new SeededDraw(51);
  for (let i = 0; i < DRAWN; i++) {
    const maybe = <Value>(value: Value) => draw.chance(0.1) ? null : value;
    const record = {
      s: text(draw),
      i: maybe(long(draw)),
      f: maybe(double(draw)),
      b: maybe(draw.chance(0.5)),
      t: text(draw),
    };
    const bytes = codec.encode(record);
    assert.deepEqual(codec.decode(bytes), record);
    const cells = names.map((name) => String(Reflect.get(record, name) ?? ""));
    assert.deepEqual(Papa.parse(decoder.decode(bytes), { delimiter: ",", newline: "\n" }).data, [cells]);
  }
});

/** A schema of some depth. Branches of a union differ in kind, so that both programs choose the same. */
function drawnSchema(draw: SeededDraw, depth: number, names: { count: number }): Data {
  const primitive = draw.pick(["boolean", "int", "long", "float", "double", "string", "bytes"]);
  if (depth === 0) return primitive;
  const inner = () => drawnSchema(draw, depth - 1, names);
  switch (draw.integer(0, 6)) {
    case 0:
      return { type: "array", items: inner() };
    case 1:
      return { type: "map", values: inner() };
    case 2:
      return { type: "enum", name: `E${names.count++}`, symbols: ["A", "B", "C"] };
    case 3:
      return { type: "fixed", name: `F${names.count++}`, size: draw.integer(0, 5) };
    case 4:
      return ["null", primitive];
    case 5:
      return primitive;
    default: {
      const name = `R${names.count++}`;
      const fields = Array.from({ length: draw.integer(0, 4) }, (_, i) => ({ name: `f${i}`, type: inner() }));
      return { type: "record", name, fields };
    }
  }
}

/** A value of a schema. */
function drawnValue(draw: SeededDraw, schema: Data): unknown {
  if (Array.isArray(schema)) return draw.chance(0.3) ? null : drawnValue(draw, schema[1]);
  if (typeof schema === "object" && schema !== null) return drawnPart(draw, schema as { readonly [key: string]: Data });
  switch (schema) {
    case "boolean":
      return draw.chance(0.5);
    case "int":
      return Number(BigInt.asIntN(draw.integer(1, 32), BigInt(`0x${draw.hex(8)}`)));
    case "long":
      return long(draw);
    case "float":
      return Math.fround(draw.fraction() * 1000);
    case "double":
      return double(draw);
    case "bytes":
      return Uint8Array.fromHex(draw.hex(draw.integer(0, 5) * 2));
    default:
      return text(draw);
  }
}

function drawnPart(draw: SeededDraw, schema: { readonly [key: string]: Data }): unknown {
  const several = <Item>(make: () => Item) => Array.from({ length: draw.integer(0, 3) }, make);
  switch (schema["type"]) {
    case "array":
      return several(() => drawnValue(draw, schema["items"] ?? null));
    case "map":
      return Object.fromEntries(several(() => [text(draw), drawnValue(draw, schema["values"] ?? null)]));
    case "enum":
      return draw.pick(["A", "B", "C"]);
    case "fixed":
      return Uint8Array.fromHex(draw.hex(Number(schema["size"]) * 2));
    default: {
      const fields = schema["fields"] as readonly { readonly name: string; readonly type: Data }[];
      return Object.fromEntries(fields.map(({ name, type }) => [name, drawnValue(draw, type)]));
    }
  }
}

/** The library's own way with 64 bits, so that both programs have the same values. */
const longType = avsc.types.LongType.__with({
  fromBuffer(buffer: Uint8Array) {
    const value = new DataView(buffer.buffer, buffer.byteOffset, 8).getBigInt64(0, true);
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  },
  toBuffer(value: number | bigint) {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(BigInt(value));
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === "bigint" || Number.isInteger(value),
  compare: (one: number, other: number) => one < other ? -1 : one > other ? 1 : 0,
});

/** Bytes as the library wants them. */
function withBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(withBuffers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBuffers(item)]));
}

Deno.test("avro round trip: drawn values of drawn schemas come back, in the very bytes that avsc writes", () => {
  const draw = new SeededDraw(52);
  for (let i = 0; i < DRAWN / 10; i++) {
    const schema = drawnSchema(draw, 3, { count: 0 });
    const codec = avroCodec.create({ schema }, testContext());
    const type = avsc.Type.forSchema(JSON.parse(JSON.stringify(schema)), {
      wrapUnions: false,
      registry: { long: longType },
    });
    for (let j = 0; j < 10; j++) {
      const value = drawnValue(draw, schema);
      const bytes = codec.encode(value);
      assert.deepEqual(codec.decode(bytes), value, JSON.stringify(schema));
      assert.equal(Buffer.from(bytes).toString("hex"), type.toBuffer(withBuffers(value)).toString("hex"));
    }
  }
});

Deno.test("avro: drawn bytes are read or refused, and nothing else happens", () => {
  const draw = new SeededDraw(53);
  for (let i = 0; i < DRAWN; i++) {
    const codec = avroCodec.create({ schema: drawnSchema(draw, 2, { count: 0 }) }, testContext());
    readOrRefuse(codec, Uint8Array.fromHex(draw.hex(draw.integer(0, 20) * 2)));
  }
});

Deno.test("protobuf round trip: drawn messages come back, drawn bytes are read or refused", () => {
  const directory = Deno.makeTempDirSync();
  const proto = 'syntax = "proto3"; package p; message M { string s = 1; int64 i = 2; double d = 3; bytes b = 4; ' +
    "repeated M all = 5; map<string, uint64> counts = 6; M one = 7; }";
  Deno.writeFileSync(`${directory}/m.binpb`, compileProto(new Map([["m.proto", proto]])));
  const codec = protobufCodec.create({ descriptor_set: "m.binpb", message: "p.M" }, testContext({ directory }));
  Deno.removeSync(directory, { recursive: true });
  const draw = new SeededDraw(54);
  const message = (depth: number): { [key: string]: unknown } => {
    const drawn: { [key: string]: unknown } = { s: `x${text(draw)}`, d: draw.fraction() + 1, b: "AP8=" };
    if (draw.chance(0.5)) drawn["i"] = String(BigInt(long(draw)) | 1n);
    if (draw.chance(0.3)) drawn["counts"] = { [text(draw)]: "18446744073709551615" };
    if (depth > 0) drawn["all"] = Array.from({ length: draw.integer(1, 2) }, () => message(depth - 1));
    return drawn;
  };
  for (let i = 0; i < DRAWN / 10; i++) {
    const payload = message(3);
    const bytes = codec.encode(payload);
    assert.deepEqual(codec.decode(bytes), payload);
    const broken = bytes.slice(0, draw.integer(0, bytes.length));
    if (broken.length > 0) broken[draw.integer(0, broken.length - 1)] = draw.integer(0, 255);
    readOrRefuse(codec, broken);
  }
});

function readOrRefuse(codec: Codec, bytes: Uint8Array): void {
  try {
    codec.decode(bytes);
  } catch (caught) {
    assert.equal(caught instanceof Error ? caught.name : "", "CodecError");
  }
}
