/** Owns the Protocol Buffers conformance tests: round trips, bytes of the wire, and JSON that is taken or refused. */

import assert from "node:assert/strict";
import { compileProto } from "../../scripts/proto_compiler.ts";
import { type Codec, CodecError, Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { conformanceSuite, judgeCases, type SharedData } from "./shared_data.ts";

interface WireCase {
  readonly id: string;
  readonly message: string;
  readonly hex: string;
  readonly json?: unknown;
  readonly ok?: boolean;
  /** There where the references disagree: every answer is right. */
  readonly contested?: unknown;
}

interface RoundTripCase extends WireCase {
  /** Whether the entries of its map may come in any order. */
  readonly mapOrder?: boolean;
  readonly jsonProtoNames?: unknown;
}

interface JsonCase extends WireCase {
  readonly jsonText: string;
}

interface Vectors {
  readonly roundtrip: readonly RoundTripCase[];
  readonly decode: readonly WireCase[];
  readonly jsonInput: readonly JsonCase[];
}

const registry = new Registry(builtins());

/** A codec for each message that the cases name. */
function codecsOf(data: SharedData, names: Iterable<string>): ReadonlyMap<string, Codec> {
  const plugin = registry.get("codec", "protobuf");
  assert.ok(plugin !== undefined);
  const directory = Deno.makeTempDirSync();
  try {
    const files = ["event.proto", "legacy.proto"].map((name): [string, string] => [name, data.text(name)]);
    Deno.writeFileSync(`${directory}/set.binpb`, compileProto(new Map(files)));
    return new Map([...names].map((message) => {
      const parsed = plugin.definition.parse({ descriptor_set: "set.binpb", message });
      assert.ok(parsed.ok);
      return [message, plugin.create(parsed.value, testContext({ directory }))];
    }));
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

conformanceSuite("protobuf", (data) => {
  const vectors = data.json<Vectors>("vectors.json");
  const codecs = codecsOf(data, new Set([...vectors.roundtrip, ...vectors.decode].map(({ message }) => message)));
  const codecOf = ({ message }: WireCase): Codec => {
    const codec = codecs.get(message);
    assert.ok(codec !== undefined);
    return codec;
  };
  const json = registry.get("codec", "json")?.create({}, testContext());
  assert.ok(json !== undefined);

  Deno.test("conformance protobuf: bytes decode to their JSON, and JSON encodes to its bytes", () =>
    judgeCases({
      cases: vectors.roundtrip,
      id: ({ id }) => id,
      check: (item) => {
        const codec = codecOf(item);
        assert.deepEqual(codec.decode(Uint8Array.fromHex(item.hex)), item.json);
        for (const payload of [item.json, item.jsonProtoNames ?? item.json]) {
          const bytes = codec.encode(payload);
          if (item.mapOrder === true) assert.deepEqual(codec.decode(bytes), item.json);
          else assert.equal(bytes.toHex(), item.hex);
        }
      },
      exceptions: {
        "protobuf/rt/meta": "a Struct is a map, whose entries may come in any order: here as the payload has them",
      },
    }));

  Deno.test("conformance protobuf: what the wire may hold is taken, what it may not is refused", () =>
    judgeCases({
      cases: vectors.decode.filter(({ contested }) => contested === undefined),
      id: ({ id }) => id,
      check: (item) => {
        const decode = () => codecOf(item).decode(Uint8Array.fromHex(item.hex));
        if (item.ok === true) assert.deepEqual(decode(), item.json);
        else assert.throws(decode, CodecError);
      },
      exceptions: {},
    }));

  Deno.test("conformance protobuf: JSON is taken or refused", () =>
    judgeCases({
      cases: vectors.jsonInput.filter(({ contested }) => contested === undefined),
      id: ({ id }) => id,
      check: (item) => {
        const codec = codecOf(item);
        const encode = () => codec.encode(json.decode(new TextEncoder().encode(item.jsonText)));
        if (item.ok !== true) return assert.throws(encode, CodecError);
        assert.equal(encode().toHex(), item.hex);
        assert.deepEqual(codec.decode(encode()), item.json);
      },
      exceptions: {
        "protobuf/json/dup-key": "the codec json reads it, whose rule is that the last of two keys wins",
      },
    }));
});
