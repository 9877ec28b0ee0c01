import assert from "node:assert/strict";
import { type Codec, Registry, testContext } from "../plugin/mod.ts";
import { codecSuite } from "../../tests/suites/codec_suite.ts";
import { builtins } from "./builtins.ts";

const registry = new Registry(builtins());
const encoder = new TextEncoder();

function makeCodec(name: string, block: object): Codec {
  const plugin = registry.get("codec", name);
  const parsed = plugin?.definition.parse(block);
  assert.ok(plugin !== undefined && parsed?.ok);
  return plugin.create(parsed.value, testContext());
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
  ]
) {
  const codec = makeCodec(name, block);
  codecSuite({ name, codec, payloads, wrongBytes, wrongPayloads });
}
