import assert from "node:assert/strict";
import { type Codec, Registry, testContext } from "../plugin/mod.ts";
import { compileProto } from "../../scripts/proto_compiler.ts";
import { codecSuite } from "../../tests/suites/codec_suite.ts";
import { builtins } from "./builtins.ts";

const registry = new Registry(builtins());
const encoder = new TextEncoder();

function makeCodec(name: string, block: object, directory?: string): Codec {
  const plugin = registry.get("codec", name);
  const parsed = plugin?.definition.parse(block);
  assert.ok(plugin !== undefined && parsed?.ok);
  return plugin.create(parsed.value, testContext(directory === undefined ? {} : { directory }));
}

for (
  const { name, block = {}, payloads, wrongBytes, wrongPayloads } of [
    {
      name: "json",
      payloads: [null, true, 0.1, -1, 9007199254740993n, "", "grüße 🤗", [], {}, { a: [{ b: "\n" }] }],
      wrongBytes: ["", "{", "nul", '"\n"', "[1,]"].map((text) => encoder.encode(text)),
      wrongPayloads: [undefined, Number.NaN, Uint8Array.of(1)],
    },
    {
      name: "raw",
      payloads: ["", "grüße 🤗", "a\nb", Uint8Array.of(0xff, 0)],
      wrongBytes: [],
      wrongPayloads: [1, null, {}, undefined],
    },
    {
      name: "csv",
      block: {
        columns: [
          { name: "s", type: "string" },
          { name: "i", type: "int" },
          { name: "f", type: "float" },
          { name: "b", type: "bool" },
        ],
      },
      payloads: [
        { s: 'a "b", c\r\n\td', i: -7, f: 0.1, b: true },
        { s: "", i: null, f: null, b: null },
        { s: " grüße 🤗 ", i: 9007199254740993n, f: -1e300, b: false },
      ],
      wrongBytes: ["", "a,1,1", "a,1,1,true,", "a,1.5,1,true", 'a"b,1,1,true', '"a,1,1,true', "a,1,1,true\nb,1,1,true"]
        .map((text) => encoder.encode(text)),
      wrongPayloads: [undefined, null, [], "a", Uint8Array.of(1), { s: {} }, { s: "\ud83e" }, { i: 1.5 }, { i: "x" }],
    },
    {
      name: "avro",
      block: {
        schema: {
          type: "record",
          name: "shop.Order",
          fields: [
            { name: "id", type: "long" },
            { name: "note", type: ["null", "string"], default: null },
            { name: "price", type: { type: "bytes", logicalType: "decimal", precision: 20, scale: 2 } },
            { name: "raw", type: "bytes" },
            { name: "tags", type: { type: "array", items: "string" } },
            { name: "part", type: ["null", "shop.Order", { type: "map", values: "double" }], default: null },
          ],
        },
      },
      payloads: [
        { id: -1, note: null, price: "0.00", raw: new Uint8Array(), tags: [], part: null },
        {
          id: 9223372036854775807n,
          note: "grüße 🤗",
          price: "-123456789012345678.90",
          raw: Uint8Array.of(0, 0xff),
          tags: ["", "a text that is longer than what is put together here"],
          part: { map: { "": Infinity, a: -0.5 } },
        },
        {
          id: 2 ** 40,
          note: "",
          price: "1.50",
          raw: Uint8Array.of(10),
          tags: ["ü"],
          part: {
            "shop.Order": { id: -(2 ** 31), note: null, price: "1.00", raw: Uint8Array.of(1), tags: [], part: null },
          },
        },
      ],
      wrongBytes: ["", "00", "0004", "000000000000ff", "00000000000000", "000204c3280000000000"].map(
        Uint8Array.fromHex,
      ),
      wrongPayloads: [undefined, null, [], "a", {}, { id: 2n ** 63n, price: "1", raw: "", tags: [] }],
    },
  ]
) {
  const codec = makeCodec(name, block);
  codecSuite({ name, codec, payloads, wrongBytes, wrongPayloads });
}

const PROTO = `syntax = "proto3"; package p;
message Part { string name = 1; int64 count = 2; map<string, bool> flags = 3; repeated Part parts = 4; bytes raw = 5; }`;

/** The codec reads its file once, when it is made. */
function protobufCodec(): Codec {
  const directory = Deno.makeTempDirSync();
  try {
    Deno.writeFileSync(`${directory}/set.binpb`, compileProto(new Map([["p.proto", PROTO]])));
    return makeCodec("protobuf", { descriptor_set: "set.binpb", message: "p.Part" }, directory);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

codecSuite({
  name: "protobuf",
  codec: protobufCodec(),
  payloads: [
    {},
    { name: "grüße 🤗", count: "-9223372036854775808", flags: { a: true, "": false }, raw: "AP8=" },
    { parts: [{}, { parts: [{ name: "\n" }] }] },
  ],
  wrongBytes: ["08", "0aff", "0a02c328", "22060a03616263", "07"].map(Uint8Array.fromHex),
  wrongPayloads: [undefined, null, [], "a", 1, { nome: "x" }, { count: "x" }, { flags: { a: 1 } }, { name: "\ud83e" }],
});
