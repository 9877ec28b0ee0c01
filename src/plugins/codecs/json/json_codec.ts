/** Owns the built-in codec `json`. */

import type { CodecPlugin } from "../../../plugin/mod.ts";
import { block, define } from "../../../schema/mod.ts";
import { decodeJson, decodeManyJson } from "./json_decoder.ts";
import { compactJson, encodeJson, encodeJsonText } from "../../shared/json_encoder.ts";

const schema = block({});

/** JSON documents: RFC 8259 in UTF-8, one a message. */
export const jsonCodec: CodecPlugin<typeof schema> = {
  kind: "codec",
  name: "json",
  version: 1,
  summary: "JSON documents; integers beyond 2^53 keep every digit, and an unchanged message keeps its bytes.",
  capabilities: [],
  definition: define(schema),
  create: () => ({
    decode: decodeJson,
    decodeMany: decodeManyJson,
    encode: encodeJson,
    encodeText: encodeJsonText,
    isJsonText: true,
    passthrough: compactJson,
  }),
};
