/** Owns the tests of text from bytes through a script to bytes: whole characters, and never anything but UTF-8. */

import assert from "node:assert/strict";
import { compileStarlark } from "../../src/languages/mod.ts";
import { testContext } from "../../src/plugin/mod.ts";
import { jsonCodec } from "../../src/plugins/mod.ts";

const codec = jsonCodec.create({}, testContext());
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** JSON text as a source reads it, through a script, as a sink writes it; fails where that is not UTF-8. */
function through(script: string, json: string): string {
  const compiled = compileStarlark(script);
  assert.ok(compiled.ok, JSON.stringify(compiled));
  const run = compiled.program.bind({ constants: {}, parameters: {} });
  const payload = codec.decode(new TextEncoder().encode(json));
  return utf8.decode(codec.encode(run({ payload, meta: {} }).payload));
}

/** Texts as JSON writes them, with the number of their code points. */
const TEXTS: readonly (readonly [written: string, codePoints: number])[] = [
  ["abc", 3],
  ["😀", 1],
  ["a😀b🤗c", 5],
  ["\\ud83e\\udd17", 1],
  ["e\u0301", 2],
  ["👩‍👩‍👧", 5],
  ["🇳🇴", 2],
  ["a\\u0000b", 3],
  ["\\ud83e", 1],
  ["x\\ud83ey\\udd17z", 5],
  ["\\udd17\\ud83e", 2],
  ["\u2028\u2029\ufeff", 3],
  ["\\u001f\u007f\u0080", 3],
  ["\uffff\u{10ffff}", 2],
];

/** The same text, written as the encoder does it. */
function encoded(written: string): string {
  return utf8.decode(codec.encode(JSON.parse(`"${written}"`)));
}

Deno.test("text: comes out of a script as it went in, as a value and as a key", () => {
  for (const [written] of TEXTS) {
    const text = encoded(written);
    assert.equal(through("payload.same = payload.t", `{"t":"${written}"}`), `{"t":${text},"same":${text}}`);
    const keys = "payload = {k: [k, payload[k]] for k in payload}";
    assert.equal(through(keys, `{"${written}":1}`), `{${text}:[${text},1]}`);
    assert.equal(through("payload[payload.keys()[0]] = 2", `{"${written}":1}`), `{${text}:2}`);
  }
});

Deno.test("text: length, indexes, slices and reversal count code points and split none", () => {
  for (const [written, codePoints] of TEXTS) {
    const points = [...JSON.parse(`"${written}"`) as string];
    const json = `{"t":"${written}"}`;
    const list = `[${points.map((point) => encoded(JSON.stringify(point).slice(1, -1))).join(",")}]`;
    assert.equal(through("payload = len(payload.t)", json), String(codePoints), written);
    assert.equal(through("t = payload.t\npayload = [t[i] for i in range(len(t))]", json), list, written);
    assert.equal(through("t = payload.t\npayload = [t[i - len(t)] for i in range(len(t))]", json), list, written);
    assert.equal(through("t = payload.t\npayload = [t[i:i + 1] for i in range(len(t))]", json), list, written);
    assert.equal(through("payload = list(payload.t.elems())", json).length > 0, true);
    assert.equal(through("payload = list(payload.t.codepoints())", json), list, written);
  }
});

/** Halves that are put side by side are one character, in JavaScript as in UTF-8; nothing else may come of them. */
Deno.test("text: whatever a script does to it, what is written is UTF-8", () => {
  const scripts = [
    "payload = payload.t[::-1]",
    "payload = payload.t[::2] + payload.t[1::2]",
    "payload = [payload.t[:i] + payload.t[i:] for i in range(len(payload.t))]",
    "payload = payload.t.upper() + payload.t.lower() + payload.t.title() + payload.t.capitalize()",
    'payload = payload.t.replace("", "|")',
    "payload = payload.t.replace(payload.t[0], payload.t[-1])",
    "payload = payload.t.split(payload.t[0])",
    "payload = payload.t.partition(payload.t[-1])",
    "payload = payload.t.strip(payload.t[0])",
    "payload = repr(payload.t)",
    "payload = json.decode(json.encode(payload.t))",
    "payload = json.encode({payload.t: payload.t})",
    'payload = "%s|%r" % (payload.t, payload.t)',
    'payload = "{}{0}".replace("0", "").format(payload.t, payload.t)',
    "payload = str(bytes(payload.t))",
    "payload = [chr(ord(c)) for c in payload.t.codepoints()]",
    "payload = {payload.t[-1]: {payload.t: payload.t[0]}}",
    "payload = sorted([payload.t[i:] for i in range(len(payload.t))])",
  ];
  for (const [written] of TEXTS) {
    for (const script of scripts) {
      const json = through(script, `{"t":"${written}"}`);
      JSON.parse(json);
    }
  }
});

Deno.test("text: the escape of half a pair is none in a script; half a pair of a payload goes out as its escape", () => {
  assert.equal(compileStarlark('payload = "\\ud83e"').ok, false);
  assert.equal(through("payload.x = payload.t + '!'", '{"t":"\\ud83e"}'), '{"t":"\\ud83e","x":"\\ud83e!"}');
  assert.equal(through("payload = {payload.t: 1}", '{"t":"\\udd17"}'), '{"\\udd17":1}');
  assert.equal(through("payload = payload.a + payload.b", '{"a":"\\ud83e","b":"\\udd17"}'), '"🤗"');
});
