/** Owns the message that codecs are measured with, and what each codec must know of it. */

import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { compileProto } from "../../scripts/proto_compiler.ts";

/** A message of seven fields, flat so that every codec can say it. */
export interface Order {
  readonly id: string;
  readonly sequence: number;
  readonly amount: number;
  readonly quantity: number;
  readonly region: string;
  readonly customer: string;
  readonly paid: boolean;
}

/** Order number `index`. */
export function orderAt(index: number): Order {
  return {
    id: `SO-${100_000 + index}`,
    sequence: 1_700_000_000_000 + index * 37,
    amount: index * 1.25,
    quantity: index % 7,
    region: ["eu", "us", "apac"][index % 3] ?? "",
    // One in eight has a delimiter in it, which CSV puts in quotes.
    customer: index % 8 === 0 ? `Okafor, Grace ${index}` : `Grace Okafor ${index}`,
    paid: index % 2 === 0,
  };
}

/** For the codec csv. */
export const ORDER_COLUMNS = [
  { name: "id", type: "string" },
  { name: "sequence", type: "int" },
  { name: "amount", type: "float" },
  { name: "quantity", type: "int" },
  { name: "region", type: "string" },
  { name: "customer", type: "string" },
  { name: "paid", type: "bool" },
] as const;

/** For the codec avro. */
export const ORDER_SCHEMA = {
  type: "record",
  name: "Order",
  fields: [
    { name: "id", type: "string" },
    { name: "sequence", type: "long" },
    { name: "amount", type: "double" },
    { name: "quantity", type: "int" },
    { name: "region", type: ["null", "string"] },
    { name: "customer", type: "string" },
    { name: "paid", type: "boolean" },
  ],
} as const;

const ORDER_PROTO = `syntax = "proto3"; package bench;
message Order {
  string id = 1; int64 sequence = 2; double amount = 3; int32 quantity = 4; string region = 5; string customer = 6;
  bool paid = 7;
}`;

/** The order's descriptor: in a file, for the codec protobuf, and as the library has it. */
export interface OrderDescriptor extends Disposable {
  /** Holds `order.binpb`; gone when this is disposed. */
  readonly folder: string;
  readonly message: DescMessage;
  readonly registry: FileRegistry;
}

/** Compiles the descriptor into a folder of its own. */
export function orderDescriptor(): OrderDescriptor {
  const bytes = compileProto(new Map([["order.proto", ORDER_PROTO]]));
  const folder = Deno.makeTempDirSync({ prefix: "eventboat-bench-" });
  Deno.writeFileSync(`${folder}/order.binpb`, bytes);
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
  const message = registry.getMessage("bench.Order");
  if (message === undefined) throw new Error("the set does not describe bench.Order");
  return { folder, message, registry, [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }) };
}
