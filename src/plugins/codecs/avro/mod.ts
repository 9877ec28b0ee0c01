/** The built-in codec `avro`. */
export * from "./avro_codec.ts";
