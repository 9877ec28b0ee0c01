/**
 * Owns the Avro conformance tests: datums, schemas, container files, and bytes that are no datum. What the data says of
 * two schemas, a writer's and a reader's, is not for a codec that has one.
 */

import assert from "node:assert/strict";
import { type Codec, CodecError, Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { arrayDatum, readContainer } from "./avro_container.ts";
import { conformanceSuite, judgeCases, type SharedData } from "./shared_data.ts";

interface DatumCase {
  readonly id: string;
  readonly schema: unknown;
  readonly value: unknown;
  readonly hex: string;
}

interface FileCase {
  readonly id: string;
  readonly file: string;
  readonly count?: number;
  readonly rows?: readonly unknown[];
  /** Why the program that made the data could not read the file. */
  readonly readError?: string;
}

interface Cases {
  readonly datum: readonly DatumCase[];
  readonly schemas: readonly { readonly id: string; readonly schemaText: string; readonly valid: boolean }[];
  readonly canonical: readonly { readonly id: string; readonly input: string; readonly canonical: string }[];
  readonly malformed: readonly { readonly id: string; readonly schema: unknown; readonly hex: string }[];
  readonly files: readonly FileCase[];
}

/** @param schema as JSON text */
function codecOf(schema: string): Codec {
  const plugin = new Registry(builtins()).get("codec", "avro");
  const parsed = plugin?.definition.parse({ schema });
  assert.ok(plugin !== undefined && parsed?.ok);
  return plugin.create(parsed.value, testContext());
}

/** A case's value as our payloads have it; undefined where it is a time, which is a number here. */
function payloadOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(payloadOf);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [[key = "", inner] = []] = entries;
  if (key === "$bytes_hex") return Uint8Array.fromHex(String(inner));
  if (key === "$decimal") return String(inner);
  if (key === "$time" || key === "$datetime") return undefined;
  return Object.fromEntries(entries.map(([name, item]) => [name, payloadOf(item)]));
}

/** All cases. Whole numbers beyond 2^53 keep their digits. */
function casesOf(data: SharedData): Cases {
  const json = new Registry(builtins()).get("codec", "json")?.create({}, testContext());
  // The file has the shape that is stated above.
  return json?.decode(data.bytes("cases.json")) as Cases;
}

conformanceSuite("avro", (data) => {
  const cases = casesOf(data);

  Deno.test("conformance avro: a datum decodes to its value, and encodes to its bytes", () =>
    judgeCases({
      cases: cases.datum.map((item, i) => ({ ...item, id: `${item.id} #${i}` })),
      id: ({ id }) => id,
      check: ({ schema, value, hex }) => {
        const codec = codecOf(JSON.stringify(schema));
        const payload = codec.decode(Uint8Array.fromHex(hex));
        const expected = payloadOf(value);
        if (expected !== undefined) assert.deepEqual(payload, expected);
        assert.equal(codec.encode(payload).toHex(), hex);
      },
      exceptions: {
        "avro/own/22 #43":
          "the value says true where the bytes hold a double, 1: who wrote them took the one for the other",
      },
    }));

  Deno.test("conformance avro: schemas are taken or refused", () =>
    judgeCases({
      cases: cases.schemas,
      id: ({ id }) => id,
      check: ({ schemaText, valid }) => {
        if (valid) codecOf(schemaText);
        else assert.throws(() => codecOf(schemaText), CodecError);
      },
      exceptions: {},
    }));

  Deno.test("conformance avro: a schema and its canonical form are both taken", () =>
    judgeCases({
      cases: cases.canonical,
      id: ({ id }) => id,
      check: ({ input, canonical }) => {
        codecOf(input);
        codecOf(canonical);
      },
      exceptions: {
        "avro/canonical/29": "the input is no JSON: a size with a leading zero, and two documents",
      },
    }));
});

conformanceSuite("avro", (data) => {
  const cases = casesOf(data);

  Deno.test("conformance avro: bytes that are no datum are refused", () =>
    judgeCases({
      cases: cases.malformed.map((item, i) => ({ ...item, id: `${item.id} #${i}` })),
      id: ({ id }) => id,
      check: ({ schema, hex }) => {
        const codec = codecOf(JSON.stringify(schema));
        assert.throws(() => codec.decode(Uint8Array.fromHex(hex)), CodecError);
      },
      exceptions: {},
    }));

  Deno.test("conformance avro: the blocks of container files decode to their rows, and encode to their bytes", () =>
    judgeCases({
      cases: cases.files.filter(({ readError = "" }) => !readError.includes("snappy")),
      id: ({ id }) => id,
      check: async ({ file, count = 0, rows = [], readError }) => {
        const { schema, blocks } = await readContainer(data.bytes(file.replace("src/", "")));
        const codec = codecOf(`{"type": "array", "items": ${schema}}`);
        const decoded: unknown[] = [];
        for (const block of blocks) {
          const datum = arrayDatum(block);
          const payload = codec.decode(datum);
          assert.deepEqual(codec.encode(payload), datum);
          decoded.push(...payload as readonly unknown[]);
        }
        assert.equal(readError, undefined);
        assert.equal(decoded.length, count);
        assert.deepEqual(decoded.slice(0, rows.length), rows.map(payloadOf));
      },
      exceptions: {
        "avro/file/lang/js/test/dat/person-10.no-codec.avro":
          "the file is broken on purpose: its block ends in the middle of a datum",
      },
    }));
});
