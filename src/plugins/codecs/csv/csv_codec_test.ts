import assert from "node:assert/strict";
import type { Data } from "../../../base/mod.ts";
import { type Codec, CodecError, testContext } from "../../../plugin/mod.ts";
import { csvCodec } from "./mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A codec of columns written as `name:type`, with further fields. */
function csv(columns: string, block: { readonly [key: string]: Data } = {}): Codec {
  const declared = columns.split(" ").map((column) => {
    const [name = "", type = "string"] = column.split(":");
    return { name, type };
  });
  const parsed = csvCodec.definition.parse({ columns: declared, ...block });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return csvCodec.create(parsed.value, testContext());
}

const decode = (codec: Codec, text: string) => codec.decode(encoder.encode(text));
const encode = (codec: Codec, payload: unknown) => decoder.decode(codec.encode(payload));

/** The message of the CodecError that is thrown. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (caught) {
    assert.ok(caught instanceof CodecError);
    return caught.message;
  }
  assert.fail("nothing was refused");
}

Deno.test("csv decode: cells take the types of their columns, empty ones are null where they are no text", () => {
  const codec = csv("s i:int f:float b:bool");
  assert.deepEqual(decode(codec, "007,+007,1e3,TRUE"), { s: "007", i: 7, f: 1000, b: true });
  assert.deepEqual(decode(codec, ",,,"), { s: "", i: null, f: null, b: null });
  assert.deepEqual(decode(codec, "x, -12 ,.5 ,f\r\n"), { s: "x", i: -12, f: 0.5, b: false });
  assert.ok(Object.is((decode(codec, "x,-0,1,1") as { i: number }).i, 0));
});

Deno.test("csv: integers beyond 2^53 keep every digit", () => {
  const codec = csv("i:int");
  for (const text of ["9007199254740991", "9007199254740993", "-18446744073709551616", "1" + "0".repeat(40)]) {
    assert.equal(encode(codec, decode(codec, text)), text);
  }
  assert.deepEqual(decode(codec, "9007199254740992"), { i: 9007199254740992n });
  assert.equal(encode(codec, { i: 1e21 }), "1000000000000000000000");
});

Deno.test("csv decode: a cell that does not fit names its column and what was found", () => {
  const codec = csv("name qty:int price:float ok:bool");
  assert.equal(refusal(() => decode(codec, "a,1e3,1,1")), 'column "qty" must be an int, found "1e3"');
  assert.equal(refusal(() => decode(codec, "a,0x10,1,1")), 'column "qty" must be an int, found "0x10"');
  assert.equal(refusal(() => decode(codec, "a,1,NaN,1")), 'column "price" must be a float, found "NaN"');
  assert.equal(refusal(() => decode(codec, "a,1,1e999,1")), 'column "price" must be a float, found "1e999"');
  assert.match(refusal(() => decode(codec, "a,1,1,yes")), /column "ok" must be a bool .*"yes"/);
});

Deno.test("csv decode: missing and extra cells are told by the first column concerned", () => {
  const codec = csv("a b c");
  assert.match(refusal(() => decode(codec, "1,2")), /must have 3 cells and it has 2 cells: "c" is the first/);
  assert.match(refusal(() => decode(codec, "1,2,3,4")), /it has 4 cells: cell 4 is the first without a column/);
  assert.match(refusal(() => decode(codec, "")), /it is empty/);
});

Deno.test("csv decode: quotes hold delimiters, doubled quotes and line breaks; outside they are refused", () => {
  const codec = csv("a b");
  assert.deepEqual(decode(codec, '"x,""y""","line\r\nbreak"\r\n'), { a: 'x,"y"', b: "line\r\nbreak" });
  assert.deepEqual(decode(codec, '"",""'), { a: "", b: "" });
  assert.deepEqual(decode(codec, '"\n",x'), { a: "\n", b: "x" });
  assert.match(refusal(() => decode(codec, 'x"y,z')), /cell 1 holds a quote/);
  assert.match(refusal(() => decode(codec, 'x,"y" ')), /cell 2 goes on behind its closing quote, with " "/);
  assert.match(refusal(() => decode(codec, 'x,"y\n')), /quotes of cell 2 are not closed/);
});

Deno.test("csv decode: one message is one record, with or without its line end", () => {
  const codec = csv("a b");
  assert.deepEqual(decode(codec, "1,2\n"), { a: "1", b: "2" });
  assert.match(refusal(() => decode(codec, "1,2\n3,4")), /several records/);
  assert.match(refusal(() => decode(codec, '"1",2\r\n3,4\r\n')), /several records/);
  assert.throws(() => codec.decode(Uint8Array.of(0x61, 0x2c, 0xff)), CodecError);
});

Deno.test("csv decode: a header line is no message, and one in front of a record says the order of its cells", () => {
  const codec = csv("a b:int", { header: true });
  for (const text of ["a,b", "a,b\r\n", '"a","b"', "\ufeffa,b"]) assert.equal(decode(codec, text), undefined);
  assert.deepEqual(decode(codec, "a,b\r\nx,1\r\n"), { a: "x", b: 1 });
  assert.deepEqual(decode(codec, "b,a\n1,x"), { a: "x", b: 1 });
  assert.deepEqual(decode(codec, "a,2"), { a: "a", b: 2 });
  assert.match(refusal(() => decode(codec, "b,a")), /in the order b, a, and they are declared as a, b/);
  assert.match(refusal(() => decode(codec, "a,b\nx,1\ny,2")), /several records/);
  assert.match(refusal(() => decode(csv("a b:int"), "a,b")), /column "b" must be an int, found "b"/);
});

Deno.test("csv encode: quotes only what needs them, and begins a file with the header", () => {
  const codec = csv("a b c", { header: true });
  assert.equal(encode(codec, { a: 'say "hi"', b: "x,y", c: "l\nm" }), '"say ""hi""","x,y","l\nm"');
  assert.equal(encode(codec, { c: true, b: 1.5, z: "left out" }), ",1.5,true");
  assert.equal(decoder.decode(codec.head), "a,b,c\n");
  assert.equal(csv("a").head, undefined);
  assert.equal(encode(csv("a"), { a: "" }), '""');
});

Deno.test("csv encode: text that reads as the column's type is taken, anything else names the column", () => {
  const codec = csv("i:int b:bool");
  assert.equal(encode(codec, { i: "9223372036854775807", b: "true" }), "9223372036854775807,true");
  assert.equal(refusal(() => encode(codec, { i: 1.5 })), 'column "i" must be an int, found the number 1.5');
  assert.match(refusal(() => encode(codec, { b: 1 })), /column "b" must be a bool/);
  assert.match(refusal(() => encode(csv("s"), { s: [1] })), /column "s" must be text, found a list/);
  assert.match(refusal(() => encode(csv("s"), { s: Uint8Array.of(1) })), /found bytes/);
});

Deno.test("csv: other delimiters and quotes, also such that mean something elsewhere", () => {
  for (
    const [delimiter, quote] of [["\t", '"'], [";", "'"], ["|", "^"], [".", "$"], ["😀", "🤗"], ["1", "2"]] as const
  ) {
    const codec = csv("a f:float", { delimiter, quote });
    for (const a of ["", "x", delimiter, quote, `${quote}${delimiter}`, "\r", "11.5"]) {
      const payload = { a, f: 12.25 };
      assert.deepEqual(decode(codec, encode(codec, payload)), payload);
    }
  }
});

Deno.test("csv: columns named like what every object has are columns like any other", () => {
  const codec = csv("__proto__ toString 1");
  const payload = decode(codec, "x,y,z") as object;
  assert.deepEqual(Object.keys(payload).sort(), ["1", "__proto__", "toString"]);
  assert.equal(encode(codec, payload), "x,y,z");
  assert.equal(encode(codec, {}), ",,");
});

Deno.test("csv passthrough: a line passes as it is, a line end or a header in it does not", () => {
  const codec = csv("a b", { header: true });
  const line = encoder.encode("1,2");
  assert.equal(codec.passthrough?.(line), line);
  for (const text of ["1,2\n", "1,2\r", "a,b\n1,2"]) assert.equal(codec.passthrough?.(encoder.encode(text)), undefined);
});

Deno.test("csv decodeMany: marks, header lines, failures and text beyond ASCII, each at its own index", () => {
  const codec = csv("a b", { header: true });
  for (const lines of [["a,b", "1,2", "3", "\ufeff4,5"], ["a,b", "ü,2", "3", "\ufeff4,5", "€,🤗"]]) {
    const bytes = encoder.encode(lines.join("\n"));
    let end = -1;
    const ends = Uint32Array.from(lines, (line) => end += encoder.encode(line).length + 1);
    const payloads: unknown[] = new Array(lines.length);
    const failed: number[] = [];
    codec.decodeMany?.(bytes, ends, 1, payloads, (index) => failed.push(index));
    assert.deepEqual(failed, [2]);
    assert.deepEqual(Array.from(payloads), lines.map((line, i) => i === 2 ? undefined : decode(codec, line)));
  }
});

Deno.test("csv check: names twice, and a delimiter that is the quote, are told where they stand", () => {
  const column = (name: string) => ({ name, type: "string" as const });
  const config = { columns: [column("a"), column("b"), column("a")], header: false, delimiter: "'", quote: "'" };
  assert.deepEqual(csvCodec.check?.(config, testContext()).map(({ path }) => path), [["columns", 2, "name"], [
    "quote",
  ]]);
  for (const delimiter of ["", ",,", "\n"]) {
    assert.equal(csvCodec.definition.parse({ columns: [column("a")], delimiter }).ok, false);
  }
});
