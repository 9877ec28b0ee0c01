/** Owns the built-in codec `protobuf`. */

import { resolve } from "node:path";
import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonReadOptions,
  type JsonValue,
  type JsonWriteOptions,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { reasonOf } from "../../../diagnostics/mod.ts";
import { type Codec, CodecError, type CodecPlugin } from "../../../plugin/mod.ts";
import { block, define, text } from "../../../schema/mod.ts";
import { foundInPayload } from "../../shared/found_in_payload.ts";
import { type DescribedMessage, readDescriptor } from "./descriptor_file.ts";
import { jsonReady } from "./json_ready.ts";

const schema = block({
  descriptor_set: text({
    description: "Compiled descriptor set, as `protoc --include_imports --descriptor_set_out` writes it, relative to " +
      "the pipeline file.",
    examples: ["schemas/events.binpb"],
  }),
  message: text({
    description: "Full name of the message type, with its package.",
    examples: ["shop.v1.Order"],
  }),
});

/** One Protocol Buffers message a message, as ProtoJSON has it. */
export const protobufCodec: CodecPlugin<typeof schema> = {
  kind: "codec",
  name: "protobuf",
  version: 1,
  summary: "One Protocol Buffers message a message; its payload is what ProtoJSON makes of it.",
  capabilities: [],
  definition: define(schema),
  check(config, context) {
    const result = readDescriptor(config, context.directory);
    return result.ok ? [] : [result.issue];
  },
  needs: (config, context) => ({ read: [resolve(context.directory, config.descriptor_set)] }),
  create(config, context) {
    const result = readDescriptor(config, context.directory);
    if (!result.ok) throw new CodecError(`${result.issue.path.join(".")} ${result.issue.message}`);
    return new ProtobufCodec(result.described);
  },
};

class ProtobufCodec implements Codec {
  readonly #message: DescMessage;
  readonly #options: Partial<JsonReadOptions & JsonWriteOptions>;

  constructor({ message, registry }: DescribedMessage) {
    this.#message = message;
    this.#options = { registry };
  }

  decode(bytes: Uint8Array): unknown {
    try {
      return toJson(this.#message, fromBinary(this.#message, bytes, READ_OPTIONS), this.#options);
    } catch (caught) {
      const what = `the ${bytes.length} bytes are no ${this.#message.typeName}`;
      throw new CodecError(`${what}: ${describe(caught)}`, caught);
    }
  }

  encode(payload: unknown): Uint8Array<ArrayBuffer> {
    const { typeName } = this.#message;
    if (payload === undefined) throw new CodecError(`the payload is no ${typeName}: it is ${foundInPayload(payload)}`);
    try {
      // What is no JSON at all, such as a function, the library refuses.
      const message = fromJson(this.#message, jsonReady(payload) as JsonValue, this.#options);
      return toBinary(this.#message, message);
    } catch (caught) {
      throw new CodecError(`the payload is no ${typeName}: ${describe(caught)}`, caught);
    }
  }
}

/** What the descriptor does not know is not part of the payload, so it need not be kept. */
const READ_OPTIONS = { readUnknownFields: false } as const;

/** The platform tells a stack that is full by its text alone; nothing but the wording of ours depends on that. */
function describe(caught: unknown): string {
  return caught instanceof RangeError && caught.message.includes("call stack")
    ? "it is nested too deeply"
    : reasonOf(caught);
}
