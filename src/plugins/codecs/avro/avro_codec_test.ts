import assert from "node:assert/strict";
import type { Data } from "../../../base/mod.ts";
import { type Codec, CodecError, testContext } from "../../../plugin/mod.ts";
import { avroCodec } from "./mod.ts";

function avro(schema: Data): Codec {
  const parsed = avroCodec.definition.parse({ schema });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return avroCodec.create(parsed.value, testContext());
}

const record = (...fields: readonly Data[]): Data => ({ type: "record", name: "R", fields });
const decode = (schema: Data, hex: string) => avro(schema).decode(Uint8Array.fromHex(hex));
const encode = (schema: Data, payload: unknown) => avro(schema).encode(payload).toHex();

/** The payload of a value that was encoded and decoded. */
function round(schema: Data, payload: unknown): unknown {
  const codec = avro(schema);
  return codec.decode(codec.encode(payload));
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (caught) {
    assert.ok(caught instanceof CodecError, String(caught));
    return caught.message;
  }
  assert.fail("nothing was refused");
}

Deno.test("avro: a long keeps 64 bits and is a number where a double holds it", () => {
  const edges = [0, 1, 63, 64, 2 ** 27, 2 ** 28, 2 ** 29, 2 ** 31, 2 ** 52 - 1, 2 ** 52, 2 ** 53 - 1];
  for (const edge of edges.flatMap((value) => [value, value === 0 ? 0 : -value])) {
    assert.equal(round("long", edge), edge);
  }
  for (const edge of [2n ** 53n, -(2n ** 53n), 2n ** 55n, 2n ** 56n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    assert.equal(round("long", edge), edge);
  }
  assert.equal(round("long", "9007199254740993"), 9007199254740993n);
  assert.equal(round("long", 2 ** 60), 2n ** 60n);
});

Deno.test("avro encode: what a type cannot say is refused with its place", () => {
  for (
    const [type, value] of [
      ["int", 2 ** 31],
      ["int", 1.5],
      ["int", "x"],
      ["long", 2n ** 63n],
      ["long", NaN],
      ["float", 1e300],
      ["double", "one"],
      ["boolean", 1],
      ["string", "\ud83e"],
      ["string", 5],
      ["null", 0],
      ["bytes", 5],
    ] as const
  ) assert.throws(() => avro(type).encode(value), CodecError, `${type} ${value}`);
  const nested = record({ name: "lines", type: { type: "array", items: { type: "map", values: "int" } } });
  assert.equal(
    refusal(() => avro(nested).encode({ lines: [{}, { "a b": "x" }] })),
    'payload.lines[1]["a b"] must be an int, a whole number of 32 bits, found "x"',
  );
});

Deno.test("avro encode: a field without a value takes its default or null, is refused else; an unknown one is refused", () => {
  const schema = record(
    { name: "a", type: "int", default: 7 },
    { name: "b", type: ["string", "null"], default: "x" },
    { name: "c", type: { type: "fixed", name: "F", size: 2 }, default: "\u0001\u00ff" },
    { name: "toString", type: ["null", "int"] },
  );
  assert.deepEqual(round(schema, {}), { a: 7, b: "x", c: Uint8Array.of(1, 255), toString: null });
  assert.equal(
    refusal(() => encode(record({ name: "a", type: "int" }), {})),
    "payload.a is required, and it is not there",
  );
  assert.equal(refusal(() => encode(schema, { z: 1 })), "payload.z is no field of R, which has a, b, c, toString");
  assert.deepEqual(
    round(record({ name: "__proto__", type: "int" }), JSON.parse('{"__proto__":1}')),
    JSON.parse('{"__proto__":1}'),
  );
});

Deno.test("avro: a union's value stands for itself, and says its branch where several are mappings", () => {
  const one = ["null", "long", "string", record({ name: "x", type: "int" })];
  for (const value of [null, 5, "5", { x: 1 }]) assert.deepEqual(round(one, value), value);
  assert.deepEqual(round(one, { R: { x: 1 } }), { x: 1 });
  assert.deepEqual(round(["null", "long"], "12"), 12);
  const two = [record({ name: "x", type: "int" }), {
    type: "record",
    name: "n.S",
    fields: [{ name: "x", type: "int" }],
  }];
  for (const value of [{ R: { x: 1 } }, { "n.S": { x: 1 } }]) assert.deepEqual(round(two, value), value);
  assert.deepEqual(round(two, { x: 1 }), { R: { x: 1 } });
  assert.match(
    refusal(() => encode(two, { y: 1 })),
    /must be one of R, n\.S; a mapping says which it is: \{"R": \.\.\.\}/,
  );
  assert.equal(
    refusal(() => encode(one, { x: "y" })),
    'payload.x must be an int, a whole number of 32 bits, found "y"',
  );
  assert.equal(
    refusal(() => encode(two, { R: { x: "y" } })),
    'payload.R.x must be an int, a whole number of 32 bits, found "y"',
  );
  assert.match(refusal(() => encode(["null", "int"], [])), /must be one of null, int, found a list/);
});

Deno.test("avro: decimals are text with every digit, and never rounded", () => {
  const decimal = { type: "bytes", logicalType: "decimal", precision: 6, scale: 2 };
  assert.equal(decode(decimal, "04ff85"), "-1.23");
  for (const text of ["0.00", "-0.01", "1234.56", "-9999.99"]) assert.equal(round(decimal, text), text);
  for (const [given, text] of [["1.2", "1.20"], [1.25, "1.25"], [7, "7.00"], ["12e1", "120.00"], ["1.250", "1.25"]]) {
    assert.equal(round(decimal, given), text);
  }
  for (const wrong of ["1.005", "12345.67", "1e9", "x", "", ".", NaN, {}]) {
    assert.throws(() => avro(decimal).encode(wrong), CodecError, String(wrong));
  }
  const fixed = { type: "fixed", name: "D", size: 4, logicalType: "decimal", precision: 9, scale: 0 };
  assert.equal(encode(fixed, "-2"), "fffffffe");
  assert.equal(round(fixed, 123456789n), "123456789");
});

Deno.test("avro: a UUID of 16 bytes is its text, other logical types are what they are made of", () => {
  const uuid = { type: "fixed", name: "U", size: 16, logicalType: "uuid" };
  const text = "a4818e1c-8e59-11eb-8dcd-0242ac130003";
  assert.equal(round(uuid, text), text);
  assert.throws(() => avro(uuid).encode("a4818e1c"), CodecError);
  assert.equal(round({ type: "long", logicalType: "timestamp-micros" }, 1700000000000001), 1700000000000001);
});

Deno.test("avro decode: a few bytes that ask for much are refused at once", () => {
  const many = "80808080808040";
  for (const items of ["null", "int", "string", { type: "fixed", name: "F", size: 0 }, record()]) {
    assert.throws(() => decode({ type: "array", items }, `${many}00`), CodecError);
  }
  assert.throws(() => decode({ type: "map", values: "null" }, `${many}00`), CodecError);
  assert.throws(() => decode("bytes", `${many}00`), CodecError);
  // Lists of 50000 nulls each: two are taken, three are too many.
  const lists = { type: "array", items: { type: "array", items: "null" } };
  assert.equal((decode(lists, `04${"a08d0600".repeat(2)}00`) as readonly unknown[]).length, 2);
  assert.throws(() => decode(lists, `06${"a08d0600".repeat(3)}00`), CodecError);
  assert.throws(() => decode("long", "ffffffffffffffffffff01"), CodecError);
  assert.throws(() => decode("long", "ffffffffffffffffff7f"), CodecError);
  assert.throws(() => decode("int", "ffffffffffff01"), CodecError);
});

Deno.test("avro decode: blocks with their size are taken where it is right, and refused where it is not", () => {
  const list = { type: "array", items: "int" };
  assert.deepEqual(decode(list, "0304020400"), [1, 2]);
  assert.deepEqual(decode(list, "03040204" + "0206" + "00"), [1, 2, 3]);
  assert.throws(() => decode(list, "0306020400"), CodecError);
  assert.throws(() => decode(list, "03ff01020400"), CodecError);
  assert.throws(() => decode(list, "ffffffffffffffffff010000"), CodecError);
});

Deno.test("avro decode: a record within itself ends with its bytes, at a depth that the stack allows", () => {
  const list = record({ name: "next", type: ["null", "R"] });
  assert.throws(() => decode(list, "02".repeat(1_000_000)), CodecError);
  let payload: unknown = { next: null };
  for (let i = 0; i < 1_000_000; i++) payload = { next: payload };
  assert.throws(() => avro(list).encode(payload), CodecError);
  const endless = record({ name: "self", type: "R" });
  assert.match(refusal(() => decode(endless, "")), /nested too deeply/);
});

Deno.test("avro decode: errors name the place, the byte and what was found there", () => {
  const schema = record({ name: "tags", type: { type: "array", items: "string" } }, { name: "n", type: "int" });
  assert.equal(
    refusal(() => decode(schema, "04026108")),
    "payload.tags[1] must be as long as byte 3 says, 4 bytes, and 0 are left",
  );
  assert.equal(refusal(() => decode(schema, "000205")), "the datum ends at byte 2, and 1 more bytes follow");
  assert.match(refusal(() => decode("string", "04c328")), /the 2 bytes before byte 3 are no UTF-8/);
  assert.match(
    refusal(() => decode({ type: "enum", name: "E", symbols: ["A"] }, "02")),
    /one of the symbols 0 to 0, found 1/,
  );
});

Deno.test("avro encode: after a failure the next message is whole", () => {
  const codec = avro(record({ name: "a", type: "string" }, { name: "b", type: "int" }));
  assert.throws(() => codec.encode({ a: "left over", b: "x" }), CodecError);
  assert.deepEqual(codec.decode(codec.encode({ a: "é".repeat(3000), b: 1 })), { a: "é".repeat(3000), b: 1 });
});

Deno.test("avro check: a wrong schema is told at the line of its part, in text and files by the place inside", () => {
  const issues = (config: { schema?: Data; schema_file?: string }, directory = "/") =>
    avroCodec.check?.(config, testContext({ directory })) ?? [];
  assert.deepEqual(issues({ schema: "long" }), []);
  const [issue] = issues({ schema: record({ name: "a", type: "strng" }) });
  assert.deepEqual(issue?.path, ["schema", "fields", 0, "type"]);
  assert.match(issue?.hint ?? "", /did you mean "string"/);
  const [inText] = issues({ schema: '{"type": "record", "name": "R", "fields": [{"name": "a", "type": "x"}]}' });
  assert.deepEqual(inText?.path, ["schema"]);
  assert.match(inText?.message ?? "", /^fields\[0\]\.type names the type "x"/);
  assert.match(issues({ schema: "{" })[0]?.message ?? "", /is no JSON/);
  assert.deepEqual(issues({}).map(({ path }) => path), [[]]);
  assert.deepEqual(issues({ schema: "int", schema_file: "a" }).map(({ path }) => path), [["schema_file"]]);

  const directory = Deno.makeTempDirSync();
  assert.match(issues({ schema_file: "a.avsc" }, directory)[0]?.message ?? "", /cannot be read from/);
  Deno.writeTextFileSync(`${directory}/a.avsc`, '{"type": "fixed", "name": "F", "size": -1}');
  assert.match(issues({ schema_file: "a.avsc" }, directory)[0]?.message ?? "", /a\.avsc size must be/);
  Deno.writeTextFileSync(`${directory}/a.avsc`, '"long"');
  assert.deepEqual(issues({ schema_file: "a.avsc" }, directory), []);
  assert.deepEqual(avroCodec.needs?.({ schema_file: "a.avsc" }, testContext({ directory })), {
    read: [`${directory}/a.avsc`],
  });
  Deno.removeSync(directory, { recursive: true });
});

Deno.test("avro check: what the specification forbids in a schema", () => {
  const wrong: readonly Data[] = [
    record({ name: "a", type: "int" }, { name: "a", type: "int" }),
    record({ name: "a", type: "int", default: "x" }),
    record({ name: "a", type: "int", order: "up" }),
    record({ name: "a-b", type: "int" }),
    record({ name: "a", type: record() }),
    ["int", ["null"]],
    ["int", "int"],
    { type: "enum", name: "E", symbols: ["A", "A"] },
    { type: "enum", name: "E", symbols: ["A"], default: "B" },
    { type: "fixed", name: "F", size: 2 ** 31 },
    { type: "record", name: "int", fields: [] },
    { type: "array" },
    null,
    Array.from({ length: 300 }).reduce<Data>((inner) => ({ type: "array", items: inner }), "int"),
  ];
  for (const schema of wrong) {
    assert.equal(avroCodec.check?.({ schema }, testContext()).length, 1, JSON.stringify(schema)?.slice(0, 200));
  }
});

Deno.test("avro create: types that are named again and again cost no more, and a default without end is refused", () => {
  let type: Data = "long";
  for (let i = 0; i < 60; i++) {
    const name = `R${i}`;
    type = { type: "record", name, fields: [{ name: "a", type }, { name: "b", type: i === 0 ? "long" : `R${i - 1}` }] };
  }
  assert.throws(() => avro({ type: "array", items: type }).decode(Uint8Array.of(2, 0)), CodecError);
  assert.throws(() => avro(record({ name: "a", type: "R", default: {} })), CodecError);
});
