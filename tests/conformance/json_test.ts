/** Owns the JSON conformance tests: documents to take or refuse, and numbers that keep their text. */

import assert from "node:assert/strict";
import { type Codec, Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

interface DocumentCase {
  readonly file: string;
  /** `transform`: taken, and each program may say it again in its own way. */
  readonly expect: "accept" | "reject" | "either" | "transform";
}

interface NumberCase {
  readonly id: string;
  readonly text: string;
  readonly exactInteger: string | null;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** What the batch road makes of one document: that it is taken, or not. */
function isTakenInBatch(codec: Codec, bytes: Uint8Array): boolean {
  const payloads: unknown[] = [];
  let failures = 0;
  codec.decodeMany?.(bytes, Uint32Array.of(bytes.length), 0, payloads, () => failures++);
  return failures === 0;
}

function isTaken(codec: Codec, bytes: Uint8Array): boolean {
  try {
    codec.decode(bytes);
    return true;
  } catch (caught) {
    assert.equal(caught instanceof Error ? caught.name : "", "CodecError");
    return false;
  }
}

conformanceSuite("json", (data) => {
  const codec = new Registry(builtins()).get("codec", "json")?.create({}, testContext());
  assert.ok(codec !== undefined);

  Deno.test("conformance json: documents are taken or refused, one by one and in a batch", () =>
    judgeCases({
      cases: data.json<DocumentCase[]>("index.json"),
      id: ({ file }) => file,
      check: ({ file, expect }) => {
        const bytes = data.bytes(file.replaceAll("#", "%23"));
        const taken = isTaken(codec, bytes);
        if (expect !== "either") assert.equal(taken, expect !== "reject");
        assert.equal(isTakenInBatch(codec, bytes), taken);
        // What is taken can be said again, and is the same when it is read once more.
        // Numbers beyond a double's range are infinite, which nobody can say again.
        if (taken && expect !== "either") {
          const said = codec.encode(codec.decode(bytes));
          assert.deepEqual(codec.encode(codec.decode(said)), said);
        }
      },
      exceptions: {},
    }));

  Deno.test("conformance json: integers of any length keep every digit", () =>
    judgeCases({
      cases: data.json<NumberCase[]>("bignumbers.json"),
      id: ({ id }) => id,
      check: ({ text, exactInteger }) => {
        const bytes = encoder.encode(`{"n":${text}}`);
        if (exactInteger !== null) {
          assert.equal(decoder.decode(codec.encode(codec.decode(bytes))), `{"n":${exactInteger}}`);
        }
        assert.deepEqual(codec.passthrough?.(bytes), bytes);
      },
      exceptions: {},
    }));
});
