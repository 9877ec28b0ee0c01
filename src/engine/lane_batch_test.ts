import assert from "node:assert/strict";
import { Message, type Segment } from "../message/mod.ts";
import type { PlanCodec } from "../plan/mod.ts";
import type { Codec } from "../plugin/mod.ts";
import { plainJson } from "../../tests/suites/plan_fixture.ts";
import { cutRuns, LANE_MESSAGES_MAX, packBatch } from "./lane_batch.ts";
import { unpackBatch } from "./lane_work.ts";

const encoder = new TextEncoder();
/** JSON that decodes a whole buffer at once, with the places it was told. */
const manyJson: Codec = {
  ...plainJson,
  decodeMany(bytes, ends, gap, payloads) {
    let start = 0;
    ends.forEach((end, i) => {
      payloads[i] = plainJson.decode(bytes.subarray(start, end));
      start = end + gap;
    });
  },
};
const CODECS: ReadonlyMap<string, PlanCodec> = new Map([["json", { name: "json", codec: manyJson }]]);
const KNOWN = new Set(["json"]);

/** A segment of numbered messages with metadata of their own, and a newline between two or none. */
function segmentOf(count: number, gap: 0 | 1): Segment {
  const texts = Array.from({ length: count }, (_, n) => JSON.stringify({ n, text: "ü".repeat(n % 3) }));
  const bytes = encoder.encode(texts.join(gap === 1 ? "\n" : ""));
  const ends = new Uint32Array(count);
  let at = 0;
  texts.forEach((text, i) => {
    at += encoder.encode(text).length;
    ends[i] = at;
    at += gap;
  });
  return {
    first: 41,
    count,
    bytes,
    ends,
    gap,
    codec: "json",
    source: "in",
    idBase: new Uint8Array(16).fill(7),
    meta: { shared: true },
    columns: { line: Array.from({ length: count }, (_, n) => n * 2), odd: texts.map((_, n) => n % 2 ? n : undefined) },
  };
}

function crossed(messages: readonly Message[], codecs: ReadonlySet<string> = KNOWN): readonly Message[] {
  const batch = packBatch(messages, codecs, 1_000);
  return unpackBatch(structuredClone(batch, { transfer: [batch.segment.bytes.buffer] }), CODECS);
}

function look(message: Message): unknown {
  const { seq, index, id, payload, meta, branch, isReplay, payloadChanged, codec } = message;
  const raw = new TextDecoder().decode(message.raw);
  return {
    seq,
    index,
    id,
    payload,
    meta,
    branch,
    isReplay,
    payloadChanged,
    codec,
    raw,
    source: message.segment.source,
  };
}

const messagesOf = (segment: Segment, indexes: readonly number[]) =>
  indexes.map((index) => new Message(segment, index, plainJson.decode(new Message(segment, index, null).raw)));

for (const gap of [0, 1] as const) {
  for (
    const [what, indexes] of [
      ["all of a segment", [0, 1, 2, 3, 4, 5, 6, 7]],
      ["its beginning", [0, 1, 2]],
      ["its middle", [3, 4, 5]],
      ["some of it", [2, 3, 6]],
      ["its middle in another order", [4, 3, 5]],
      ["some in another order, one twice", [5, 2, 2]],
    ] as const
  ) {
    Deno.test(`packBatch: ${what}, gap ${gap}, is the same in the lane`, () => {
      const segment = segmentOf(8, gap);
      assert.deepStrictEqual(
        crossed(messagesOf(segment, indexes)).map(look),
        messagesOf(segment, indexes).map(look),
      );
      // The segment itself keeps its bytes.
      assert.ok(segment.bytes.length > 0);
    });
  }
}

Deno.test("packBatch: changed payloads and metadata, branches and replays are the same in the lane", () => {
  const messages = () => {
    const [plain, changed, branched, own] = messagesOf(segmentOf(4, 1), [0, 1, 2, 3]);
    assert.ok(plain && changed && branched && own);
    return [
      plain,
      changed.derive({ payload: { big: 2n ** 70n, zero: -0, bytes: new Uint8Array([1]) } }),
      branched.derive({ branch: "1" }).derive({ branch: "0", payload: "text" }),
      own.derive({ meta: { message_id: "mine", n: 2n ** 60n } }),
      new Message(own.segment, 3, own.payload, true),
    ];
  };
  assert.deepStrictEqual(crossed(messages()).map(look), messages().map(look));
});

Deno.test("packBatch: what the lane cannot decode comes decoded", () => {
  const segment = segmentOf(4, 1);
  const batch = packBatch(messagesOf(segment, [1, 2]), new Set(), 1_000);
  assert.deepEqual(unpackBatch(structuredClone(batch), new Map()).map(look), messagesOf(segment, [1, 2]).map(look));
});

Deno.test("packBatch: a payload that is null though its bytes are no JSON stays null", () => {
  const segment = { ...segmentOf(2, 1), bytes: new Uint8Array(2), ends: new Uint32Array([0, 1]) };
  assert.deepEqual(crossed([0, 1].map((index) => new Message(segment, index, null))).map(look).length, 2);
});

Deno.test("packBatch: metadata under the name of the prototype is plain data", () => {
  const columns = JSON.parse('{"__proto__": ["a", "b"]}');
  const segment = { ...segmentOf(2, 1), columns };
  const [message] = crossed(messagesOf(segment, [1]));
  assert.deepEqual(Object.entries(message?.meta ?? {}), Object.entries(messagesOf(segment, [1])[0]?.meta ?? {}));
  assert.equal(message?.meta["a"], undefined);
});

Deno.test("cutRuns: a run is of one segment, few enough, small enough", () => {
  const [one, other] = [segmentOf(1100, 1), segmentOf(3, 1)];
  const messages = [...messagesOf(one, [...Array(1100).keys()]), ...messagesOf(other, [0, 1, 2])];
  const runs = cutRuns(messages);
  assert.deepEqual(runs.map((run) => run.length), [
    LANE_MESSAGES_MAX,
    LANE_MESSAGES_MAX,
    1100 - 2 * LANE_MESSAGES_MAX,
    3,
  ]);
  assert.deepEqual(runs.flat(), [...messages.keys()]);
  assert.deepEqual(cutRuns(messages.slice(0, 10), 4).map((run) => run.length), [4, 4, 2]);
  const large = {
    ...one,
    count: 3,
    bytes: new Uint8Array(3e6),
    ends: new Uint32Array([1e6, 2e6, 3e6]),
    gap: 0 as const,
  };
  assert.deepEqual(cutRuns([0, 1, 2].map((index) => new Message(large, index, null))), [[0], [1], [2]]);
  // Parts of one message cross with it once.
  const parts = Array.from({ length: 100 }, () => new Message(large, 1, null));
  assert.deepEqual(cutRuns(parts), [[...parts.keys()]]);
  assert.deepEqual(cutRuns([]), []);
});
