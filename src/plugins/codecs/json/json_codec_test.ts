import assert from "node:assert/strict";
import { CodecError, testContext } from "../../../plugin/mod.ts";
import { jsonCodec } from "./mod.ts";

const codec = jsonCodec.create({}, testContext());
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const decode = (text: string) => codec.decode(encoder.encode(text));
const encode = (payload: unknown) => decoder.decode(codec.encode(payload));

/** Decodes lines as one batch; a failed one is the error. */
function decodeLines(lines: readonly (string | Uint8Array)[], gap: 0 | 1): unknown[] {
  const parts = lines.map((line) => typeof line === "string" ? encoder.encode(line) : line);
  const bytes: number[] = [];
  const ends = parts.map((part, index) => {
    if (gap === 1 && index > 0) bytes.push(0x0a);
    bytes.push(...part);
    return bytes.length;
  });
  const payloads: unknown[] = new Array(lines.length);
  const failures: unknown[] = [];
  codec.decodeMany?.(Uint8Array.from(bytes), Uint32Array.from(ends), gap, payloads, (index, error) => {
    failures[index] = error;
  });
  return payloads.map((payload, index) => failures[index] ?? payload);
}

const LINES = [
  ["ASCII", ['{"a":1}', "[2,3]", '"x"']],
  ["text beyond ASCII", ['{"a":"grüße"}', '{"b":"🤗"}', '{"c":1}']],
  ["text of Latin-1 alone", ['{"a":"é"}', '{"b":"ü"}']],
  ["messages that hold newlines", ['{"a":\n"é"}', '{"b":\n2}']],
  ["long integers among others", ['{"a":9007199254740993}', '{"a":1}', '{"a":"12345678901234567890"}']],
  ["byte order marks", ["\ufeff1", "\ufeff2"]],
] as const;
for (const [title, lines] of LINES) {
  for (const gap of [0, 1] as const) {
    Deno.test(`json decodeMany: ${title}, gap ${gap}, gives what decode gives`, () => {
      assert.deepEqual(decodeLines(lines, gap), lines.map(decode));
    });
  }
}

Deno.test("json decodeMany: a message that fails is told by its index, and the others are decoded", () => {
  const invalid = Uint8Array.from([0x22, 0xff, 0x22]);
  for (const gap of [0, 1] as const) {
    const [first, second, third, fourth] = decodeLines(["1", "{not", invalid, '"€"'], gap);
    assert.equal(first, 1);
    assert.ok(second instanceof CodecError);
    assert.ok(third instanceof CodecError);
    assert.equal(fourth, "€");
  }
});

Deno.test("json decodeMany: a character cut in two between two messages belongs to neither", () => {
  const bytes = encoder.encode('"é"');
  const [first, second] = decodeLines([bytes.slice(0, 2), bytes.slice(2)], 0);
  assert.ok(first instanceof CodecError);
  assert.ok(second instanceof CodecError);
});

Deno.test("json decode: a replacement character that was really written is taken", () => {
  assert.equal(decode('"\ufffd"'), "\ufffd");
});

Deno.test("json decode: integers beyond 2^53 keep every digit, other numbers are doubles", () => {
  assert.deepEqual(decode('{"a":228930314431312345,"b":-9007199254740992,"c":0.12345678901234567,"d":1e20}'), {
    a: 228930314431312345n,
    b: -9007199254740992n,
    c: 0.12345678901234567,
    d: 1e20,
  });
  assert.equal(encode(decode('{"a":228930314431312345}')), '{"a":228930314431312345}');
});

Deno.test("json: fractions print as their shortest text", () => {
  for (const text of ["1626175065.5934923", "0.12379999458789825", "5e-324"]) assert.equal(encode(decode(text)), text);
});

Deno.test("json decode: of duplicate keys the last wins, and __proto__ is a key like any other", () => {
  assert.deepEqual(decode('{"a":1,"a":2}'), { a: 2 });
  for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":9007199254740993}']) {
    assert.equal(encode(decode(text)), text);
  }
});

Deno.test("json: an escaped emoji is one character, half a pair stays an escape", () => {
  assert.deepEqual(decode('{"text":"\\ud83e\\udd17"}'), { text: "🤗" });
  assert.equal(encode(decode('{"text":"\\ud83e\\udd17","bad":"\\ud83e"}')), '{"text":"🤗","bad":"\\ud83e"}');
});

Deno.test("json encode: what JSON cannot say is refused", () => {
  for (
    const payload of [
      Number.NaN,
      { a: [1, Infinity] },
      { a: null, b: -Infinity },
      undefined,
      Uint8Array.of(1, 2),
      { a: { b: Uint8Array.of(1) } },
      () => 1,
    ]
  ) {
    assert.throws(() => codec.encode(payload), CodecError);
    assert.throws(() => codec.encodeText?.(payload), CodecError);
  }
  assert.equal(encode({ a: null, b: "null", 0: 1 }), '{"0":1,"a":null,"b":"null"}');
});

Deno.test("json: nesting of 10000 levels is taken or refused, and nothing breaks", () => {
  const nested = "[".repeat(10_000) + "9007199254740993" + "]".repeat(10_000);
  assert.doesNotThrow(() => encode(decode(nested.replace("9007199254740993", "1"))));
  try {
    decode(nested);
  } catch (caught) {
    assert.ok(caught instanceof CodecError);
  }
});

Deno.test("json passthrough: bytes without a newline are the very same, others lose white space and nothing else", () => {
  const bytes = encoder.encode('{"a": 1.0}');
  assert.equal(codec.passthrough?.(bytes), bytes);
  const spread = encoder.encode('{\r\n\t"a b" : [1.000, 1e5 ],\n "c\\"\\n \\\\" : "x  y" }');
  assert.equal(decoder.decode(codec.passthrough?.(spread)), '{"a b":[1.000,1e5],"c\\"\\n \\\\":"x  y"}');
});

Deno.test("json passthrough: a byte order mark is no part of what stands among other documents", () => {
  const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x31);
  assert.equal(codec.decode(marked), 1);
  assert.deepEqual(codec.passthrough?.(marked), Uint8Array.of(0x31));
  assert.deepEqual(codec.passthrough?.(Uint8Array.of(0xef, 0xbb, 0xbf, 0x0a, 0x31)), Uint8Array.of(0x31));
});

Deno.test("json encode: bytes inside a payload are refused, none of them too", () => {
  for (const bytes of [new Uint8Array(0), Uint8Array.of(1, 2)]) {
    assert.throws(() => codec.encode({ a: [bytes] }), /payload\.a\[0\] is bytes/);
  }
  assert.equal(decoder.decode(codec.encode({ a: {}, b: [{}] })), '{"a":{},"b":[{}]}');
});

Deno.test("json decode: a number beyond a double is refused by name, alone and among others", () => {
  const refused: readonly (readonly [text: string, path: string])[] = [
    ["1e400", "payload"],
    ["-1E+400", "payload"],
    ['{"a":{"b":[1,{"n":1e309 }]}}', "payload.a.b[1].n"],
    [`[${"9".repeat(400)}.5]`, "payload[0]"],
    [`{"big":9007199254740993,"n":123456789012345678901234567890e999}`, "payload.n"],
  ];
  const named = (path: string) => (caught: unknown) =>
    caught instanceof CodecError && caught.message.startsWith(`${path} is a number`);
  for (const [text, path] of refused) {
    assert.throws(() => decode(text), named(path), text);
    for (const gap of [0, 1] as const) {
      const [before, found, after] = decodeLines(['{"a":1}', text, '{"a":2e100}'], gap);
      assert.deepEqual([before, after], [{ a: 1 }, { a: 2e100 }]);
      assert.ok(named(path)(found), text);
    }
  }
  for (const text of ["1e308", '"1e400"', '["a1e400,"]', '{"1e400":1}', "1e-400", '"3e123"', `${"9".repeat(400)}`]) {
    assert.doesNotThrow(() => decode(text), text);
  }
});
