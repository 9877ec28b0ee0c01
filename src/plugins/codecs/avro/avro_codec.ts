/** Owns the built-in codec `avro`. */

import { resolve } from "node:path";
import type { Static } from "typebox";
import { type Codec, CodecError, type CodecPlugin, type PluginIssue } from "../../../plugin/mod.ts";
import { block, data, define, optional, text } from "../../../schema/mod.ts";
import type { AvroType } from "./avro_type.ts";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { compileReader, type ReadDatum } from "./datum_reader.ts";
import { asCodecError } from "./datum_trouble.ts";
import { compileWriter, type DatumWriter } from "./datum_writer.ts";
import { readSchema, type SchemaResult } from "./schema_source.ts";

const schema = block({
  schema: optional(data({
    description: "The schema, as JSON text or as YAML. Either this or `schema_file` is required.",
  })),
  schema_file: optional(text({
    description: "File with the schema as JSON, relative to the pipeline file.",
    examples: ["schemas/order.avsc"],
  })),
});

/** One character a byte, and the right one for ASCII, which is all that is cut from it. */
const byteText = new TextDecoder("latin1");

type AvroConfig = Static<typeof schema>;

/** One Avro datum a message, in the binary encoding, without a file or registry header around it. */
export const avroCodec: CodecPlugin<typeof schema> = {
  kind: "codec",
  name: "avro",
  version: 1,
  summary: "One Avro datum a message, in the binary encoding; a long keeps its 64 bits, a decimal its digits.",
  capabilities: [],
  definition: define(schema),
  check(config, context): readonly PluginIssue[] {
    const issue = chosenOnce(config);
    if (issue !== undefined) return [issue];
    const result = readSchema(config, context.directory);
    return result.ok ? [] : [result.issue];
  },
  needs: ({ schema_file: file }, context) => file === undefined ? {} : { read: [resolve(context.directory, file)] },
  create(config, context) {
    const issue = chosenOnce(config);
    const result: SchemaResult = issue === undefined ? readSchema(config, context.directory) : { ok: false, issue };
    if (!result.ok) throw new CodecError(result.issue.message);
    try {
      return new AvroCodec(result.type);
    } catch (caught) {
      // A default may hold itself, through the default of a field.
      throw asCodecError(caught);
    }
  },
};

function chosenOnce({ schema, schema_file: file }: AvroConfig): PluginIssue | undefined {
  if (schema === undefined && file === undefined) {
    return { path: [], message: "needs a schema", hint: "write `schema` or name a file with it in `schema_file`" };
  }
  if (schema === undefined || file === undefined) return undefined;
  return { path: ["schema_file"], message: "excludes `schema`: there may be one of the two" };
}

class AvroCodec implements Codec {
  readonly #read: ReadDatum;
  readonly #writer: DatumWriter;
  readonly #bytes = new ByteWriter();

  constructor(type: AvroType) {
    this.#read = compileReader(type);
    this.#writer = compileWriter(type);
  }

  decode(bytes: Uint8Array): unknown {
    return this.#next(new ByteReader(bytes));
  }

  decodeMany(
    bytes: Uint8Array,
    ends: Uint32Array,
    gap: number,
    payloads: unknown[],
    failed: (index: number, error: CodecError) => void,
  ): void {
    const reader = new ByteReader(bytes, byteText.decode(bytes));
    let start = 0;
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i] ?? 0;
      reader.begin(start, end);
      try {
        payloads[i] = this.#next(reader);
      } catch (caught) {
        if (!(caught instanceof CodecError)) throw caught;
        failed(i, caught);
      }
      start = end + gap;
    }
  }

  /** Reads the datum that the reader has begun. @throws {CodecError} */
  #next(reader: ByteReader): unknown {
    let payload: unknown;
    try {
      payload = this.#read(reader);
    } catch (caught) {
      throw asCodecError(caught);
    }
    if (reader.left === 0) return payload;
    throw new CodecError(`the datum ends at byte ${reader.at}, and ${reader.left} more bytes follow`);
  }

  encode(payload: unknown): Uint8Array<ArrayBuffer> {
    try {
      this.#writer.write(this.#bytes, payload);
      return this.#bytes.take();
    } catch (caught) {
      this.#bytes.clear();
      throw asCodecError(caught);
    }
  }
}
