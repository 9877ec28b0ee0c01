/** The built-in codec `protobuf`. */
export * from "./protobuf_codec.ts";
