/** Measures codecs beside the bare libraries that do the same: MILLISECONDS TURNS. */

import avsc from "avsc";
import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { Buffer } from "node:buffer";
import Papa from "papaparse";
import type { Data } from "../../src/base/mod.ts";
import { type Codec, Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { type Order, ORDER_COLUMNS, ORDER_SCHEMA, orderAt, orderDescriptor } from "./bench_order.ts";
import { tell } from "./child_program.ts";

/** One line printed: nanoseconds a message or bytes a message, in each turn. */
export interface CodecMeasured {
  readonly name: string;
  readonly unit: "ns/msg" | "bytes/msg";
  readonly values: readonly number[];
  readonly references: readonly number[];
}

const MESSAGES = 2000;

/** Works once on every message, and gives something that depends on all of it, so that nothing is left out. */
type Pass = () => number;

/** A codec at work, and the library at the same. */
interface Contest {
  readonly name: string;
  readonly pass: Pass;
  readonly reference: Pass;
}

const registry = new Registry(builtins());

function makeCodec(name: string, block: { readonly [key: string]: Data }, directory = "/"): Codec {
  const plugin = registry.get("codec", name);
  const parsed = plugin?.definition.parse(block);
  if (plugin === undefined || parsed?.ok !== true) throw new Error(JSON.stringify(parsed));
  return plugin.create(parsed.value, testContext({ directory }));
}

/** Messages side by side, as a segment holds them. */
function segmentOf(messages: readonly Uint8Array[]): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
  const newline = Buffer.from("\n");
  const bytes = Buffer.concat(messages.flatMap((message, i) => i === 0 ? [message] : [newline, message]));
  let end = -1;
  return { bytes: new Uint8Array(bytes), ends: Uint32Array.from(messages, ({ length }) => end += length + 1) };
}

/** As the engine decodes: many at once where the codec can. */
function decodePass(codec: Codec, messages: readonly Uint8Array[]): Pass {
  const { bytes, ends } = segmentOf(messages);
  if (codec.decodeMany === undefined) {
    return () => messages.reduce((count, message) => count + (codec.decode(message) === undefined ? 0 : 1), 0);
  }
  return () => {
    const payloads: unknown[] = new Array(ends.length);
    codec.decodeMany?.(bytes, ends, 1, payloads, (_, error) => {
      throw error;
    });
    return payloads.length;
  };
}

/** As the engine encodes: text as long as it can stay text, and bytes for the whole batch at its end. */
function encodePass(codec: Codec, payloads: readonly unknown[]): Pass {
  const { encodeText } = codec;
  if (encodeText === undefined) return () => payloads.reduce<number>((sum, one) => sum + codec.encode(one).length, 0);
  const encoder = new TextEncoder();
  return () => encoder.encode(payloads.map((payload) => encodeText.call(codec, payload)).join("\n")).length;
}

function csvContests(orders: readonly Order[]): readonly Contest[] {
  const codec = makeCodec("csv", { columns: ORDER_COLUMNS });
  const fields = ORDER_COLUMNS.map(({ name }) => name);
  const lines = orders.map((order) => codec.encode(order));
  const text = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  // The library gives cells as text; a program that used it would make mappings of typed values of them, as here.
  const typed = ([id, sequence, amount, quantity, region, customer, paid]: readonly string[]) => ({
    id,
    sequence: Number(sequence),
    amount: Number(amount),
    quantity: Number(quantity),
    region,
    customer,
    paid: paid === "true",
  });
  return [
    {
      name: "csv decode, beside papaparse",
      pass: decodePass(codec, lines),
      reference: () => Papa.parse<string[]>(decoder.decode(text).trimEnd()).data.map(typed).length,
    },
    {
      name: "csv encode, beside papaparse",
      pass: encodePass(codec, orders),
      reference: () => encoder.encode(Papa.unparse({ fields, data: [...orders] }, { header: false })).length,
    },
  ];
}

function avroContests(orders: readonly Order[]): readonly Contest[] {
  const codec = makeCodec("avro", { schema: ORDER_SCHEMA });
  const messages = orders.map((order) => codec.encode(order));
  const buffers = messages.map((message) => Buffer.from(message));
  const type = avsc.Type.forSchema(JSON.parse(JSON.stringify(ORDER_SCHEMA)));
  return [
    {
      name: "avro decode, beside avsc",
      pass: decodePass(codec, messages),
      reference: () => buffers.reduce((count, buffer) => count + (type.fromBuffer(buffer) === null ? 0 : 1), 0),
    },
    {
      name: "avro encode, beside avsc",
      pass: encodePass(codec, orders),
      reference: () => orders.reduce((sum, order) => sum + type.toBuffer(order).length, 0),
    },
  ];
}

function protobufContests(orders: readonly Order[]): readonly Contest[] {
  using descriptor = orderDescriptor();
  const codec = makeCodec("protobuf", { descriptor_set: "order.binpb", message: "bench.Order" }, descriptor.folder);
  const messages = orders.map((order) => codec.encode(order));
  const payloads = messages.map((message) => codec.decode(message));
  const { message, registry: types } = descriptor;
  return [
    {
      name: "protobuf decode, beside the library",
      pass: decodePass(codec, messages),
      reference: () =>
        messages.reduce(
          (count, bytes) => count + (toJson(message, fromBinary(message, bytes), { registry: types }) === null ? 0 : 1),
          0,
        ),
    },
    {
      name: "protobuf encode, beside the library",
      pass: encodePass(codec, payloads),
      reference: () =>
        payloads.reduce<number>(
          // What the codec decoded is what the library made: JSON.
          (sum, payload) => sum + toBinary(message, fromJson(message, payload as never, { registry: types })).length,
          0,
        ),
    },
  ];
}

/** Nanoseconds a message over at least so many milliseconds. */
function time(pass: Pass, ms: number): number {
  const startMs = performance.now();
  let passes = 0;
  let sum = 0;
  let tookMs = 0;
  do {
    sum += pass();
    passes++;
    tookMs = performance.now() - startMs;
  } while (tookMs < ms);
  if (sum === 0) throw new Error("a contest did nothing");
  return tookMs * 1e6 / (passes * MESSAGES);
}

/** Bytes a message, beside those of the same messages in JSON. */
function tellSizes(orders: readonly Order[]): void {
  const average = (codec: Codec) => orders.reduce((sum, order) => sum + codec.encode(order).length, 0) / orders.length;
  const json = average(makeCodec("json", {}));
  using descriptor = orderDescriptor();
  for (
    const [name, codec] of [
      ["csv", makeCodec("csv", { columns: ORDER_COLUMNS })],
      ["avro", makeCodec("avro", { schema: ORDER_SCHEMA })],
      ["protobuf", makeCodec("protobuf", { descriptor_set: "order.binpb", message: "bench.Order" }, descriptor.folder)],
    ] as const
  ) {
    const measured: CodecMeasured = {
      name: `${name} size, beside json`,
      unit: "bytes/msg",
      values: [average(codec)],
      references: [json],
    };
    tell(measured);
  }
}

function main([ms = "", turns = ""]: readonly string[]): void {
  const orders = Array.from({ length: MESSAGES }, (_, i) => orderAt(i));
  for (
    const { name, pass, reference } of [csvContests, avroContests, protobufContests].flatMap((make) => make(orders))
  ) {
    const values: number[] = [];
    const references: number[] = [];
    // The first turn warms up and does not count.
    for (let turn = 0; turn <= Number(turns); turn++) {
      const [value, by] = [time(pass, Number(ms)), time(reference, Number(ms))];
      if (turn === 0) continue;
      values.push(value);
      references.push(by);
    }
    tell({ name, unit: "ns/msg", values, references } satisfies CodecMeasured);
  }
  tellSizes(orders);
  tell(null);
}

if (import.meta.main) main(Deno.args);
