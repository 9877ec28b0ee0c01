import assert from "node:assert/strict";
import { compileProto } from "../../../../scripts/proto_compiler.ts";
import { type Codec, CodecError, testContext } from "../../../plugin/mod.ts";
import { protobufCodec } from "./mod.ts";

const PROTO = `
syntax = "proto3";
package shop.v1;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum State { STATE_UNSPECIFIED = 0; STATE_OPEN = 1; }
message Order {
  message Line { string sku = 1; int32 quantity = 2; }
  int64 order_id = 1;
  State state = 2;
  repeated Line lines = 3;
  bytes signature = 4;
  double weight = 5;
  map<string, string> labels = 6;
  oneof payer { string card = 7; string account = 8; }
  google.protobuf.Timestamp placed_at = 9;
  google.protobuf.Duration took = 10;
  google.protobuf.Any detail = 11;
  google.protobuf.FieldMask mask = 12;
  google.protobuf.UInt64Value limit = 13;
  Order parent = 14;
}`;

/** A folder with the descriptor set of these files. */
class SetFolder implements Disposable {
  readonly path = Deno.makeTempDirSync();

  constructor(files: { readonly [name: string]: string } = { "shop.proto": PROTO }) {
    Deno.writeFileSync(`${this.path}/set.binpb`, compileProto(new Map(Object.entries(files))));
  }

  codec(message: string): Codec {
    return protobufCodec.create({ descriptor_set: "set.binpb", message }, testContext({ directory: this.path }));
  }

  issues(config: { readonly descriptor_set?: string; readonly message?: string }) {
    const whole = { descriptor_set: "set.binpb", message: "shop.v1.Order", ...config };
    return protobufCodec.check?.(whole, testContext({ directory: this.path })) ?? [];
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

function orders(): Codec {
  using folder = new SetFolder();
  return folder.codec("shop.v1.Order");
}

Deno.test("protobuf: a payload is ProtoJSON, with long integers and bytes as text, enums and types by name", () => {
  const codec = orders();
  const payload = {
    orderId: "9223372036854775807",
    state: "STATE_OPEN",
    lines: [{ sku: "TEA-1", quantity: 2 }],
    signature: "AP8=",
    weight: "NaN",
    labels: { a: "b", "": "" },
    card: "",
    placedAt: "2026-03-02T06:00:00.000001Z",
    took: "1.500s",
    detail: { "@type": "type.googleapis.com/shop.v1.Order.Line", sku: "x" },
    mask: "a.b,cD",
    limit: "18446744073709551615",
  };
  assert.deepEqual(codec.decode(codec.encode(payload)), payload);
});

Deno.test("protobuf encode: takes what payloads have and ProtoJSON writes otherwise", () => {
  const codec = orders();
  const payload = {
    order_id: 9007199254740993n,
    signature: Uint8Array.of(0, 255),
    weight: -Infinity,
    lines: [{ sku: "a", quantity: 1 }, { sku: undefined, quantity: "2" }],
    parent: { orderId: 5 },
  };
  assert.deepEqual(codec.decode(codec.encode(payload)), {
    orderId: "9007199254740993",
    signature: "AP8=",
    weight: "-Infinity",
    lines: [{ sku: "a", quantity: 1 }, { quantity: 2 }],
    parent: { orderId: "5" },
  });
});

Deno.test("protobuf encode: what the message has no place for is refused with the name of the field", () => {
  const codec = orders();
  for (
    const [payload, named] of [
      [{ colour: "red" }, /shop\.v1\.Order.*"colour"/],
      [{ state: "STATE_LOST" }, /State.*STATE_LOST/],
      [{ lines: [{ quantity: 1.5 }] }, /quantity/],
      [{ card: "a", account: "b" }, /payer/],
      [{ detail: { "@type": "type.googleapis.com/none" } }, /none/],
      [undefined, /nothing/],
      [null, /shop\.v1\.Order/],
      [[], /shop\.v1\.Order/],
      ["x", /shop\.v1\.Order/],
      [{ labels: { a: () => 1 } }, /labels/],
    ] as const
  ) {
    assert.throws(() => codec.encode(payload), (error) => error instanceof CodecError && named.test(error.message));
  }
});

Deno.test("protobuf decode: bytes that are no message are refused, at once however much they claim", () => {
  const codec = orders();
  for (
    const hex of ["0a", "08", "1affffffff7f", "1affffffffffffffff7f01", "22ffffffff07", "ff", "0b", "0c", "00", "0f"]
  ) {
    assert.throws(() => codec.decode(Uint8Array.fromHex(hex)), CodecError, hex);
  }
  assert.throws(() => codec.decode(Uint8Array.fromHex("73".repeat(100_000))), CodecError);
  assert.throws(
    () => codec.decode(Uint8Array.of(8)),
    (error) => error instanceof CodecError && error.message.startsWith("the 1 bytes are no shop.v1.Order: "),
  );
});

Deno.test("protobuf: names that every object has are keys like any other", () => {
  const codec = orders();
  const payload = JSON.parse('{"labels":{"__proto__":"a","toString":"b","constructor":"c"}}');
  assert.deepEqual(codec.decode(codec.encode(payload)), payload);
});

Deno.test("protobuf decode: fields the descriptor does not know are left out of the payload", () => {
  assert.deepEqual(orders().decode(Uint8Array.fromHex("0805fa3f03616263")), { orderId: "5" });
});

Deno.test("protobuf: proto2 with its required fields, and a set of several files in any order", () => {
  using folder = new SetFolder({
    "b.proto":
      'syntax = "proto2"; package b; import "a.proto"; message B { required int32 n = 1; optional a.A a = 2; }',
    "a.proto": 'syntax = "proto3"; package a; message A { optional int32 n = 1; }',
  });
  const codec = folder.codec("b.B");
  assert.deepEqual(codec.decode(codec.encode({ n: 0, a: { n: 0 } })), { n: 0, a: { n: 0 } });
  assert.throws(() => codec.encode({ a: {} }), CodecError);
});

Deno.test("protobuf check: a missing file, a file that is no set, an incomplete set and an unknown message", () => {
  using folder = new SetFolder();
  assert.deepEqual(folder.issues({}), []);
  const [missing] = folder.issues({ descriptor_set: "gone.binpb" });
  assert.deepEqual(missing?.path, ["descriptor_set"]);
  for (const bytes of [Uint8Array.of(0xff, 0xff), new Uint8Array()]) {
    Deno.writeFileSync(`${folder.path}/bad.binpb`, bytes);
    const [bad] = folder.issues({ descriptor_set: "bad.binpb" });
    assert.deepEqual(bad?.path, ["descriptor_set"]);
    assert.match(bad?.hint ?? "", /protoc/);
  }
  const [unknown] = folder.issues({ message: "shop.v1.Ordr" });
  assert.deepEqual(unknown?.path, ["message"]);
  assert.match(unknown?.hint ?? "", /did you mean "shop\.v1\.Order"/);
  using alone = new SetFolder({ "b.proto": 'syntax = "proto3"; import "a.proto"; message B { A a = 1; }' });
  assert.match(alone.issues({ message: "B" })[0]?.message ?? "", /lacks a\.proto, which b\.proto imports/);
  const needs = protobufCodec.needs?.({ descriptor_set: "set.binpb", message: "x" }, testContext({ directory: "/a" }));
  assert.deepEqual(needs, { read: ["/a/set.binpb"] });
});
