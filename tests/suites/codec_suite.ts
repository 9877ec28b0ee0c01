/** Owns what every codec must do, whoever wrote it. */

import assert from "node:assert/strict";
import { type Codec, CodecError } from "../../src/plugin/mod.ts";

/** A codec under test. */
export interface CodecCase {
  readonly name: string;
  readonly codec: Codec;
  /** Payloads that survive being encoded and decoded. */
  readonly payloads: readonly unknown[];
  /** Bytes that cannot be decoded; empty for a codec that takes any. */
  readonly wrongBytes: readonly Uint8Array<ArrayBuffer>[];
  /** Payloads that cannot be encoded. */
  readonly wrongPayloads: readonly unknown[];
}

const NEWLINE = 0x0a;

/** Registers the tests of one codec. */
export function codecSuite({ name, codec, payloads, wrongBytes, wrongPayloads }: CodecCase): void {
  const encoded = payloads.map((payload) => codec.encode(payload));

  Deno.test(`codec suite ${name}: what is encoded decodes to the same, one by one`, () => {
    for (const [index, bytes] of encoded.entries()) assert.deepEqual(codec.decode(bytes), payloads[index]);
  });

  Deno.test(`codec suite ${name}: encoding leaves the payload as it was, and decoding the bytes`, () => {
    for (const [index, payload] of payloads.entries()) {
      const before = structuredClone(payload);
      codec.encode(payload);
      assert.deepEqual(payload, before);
      const bytes = encoded[index] ?? new Uint8Array();
      const copy = bytes.slice();
      codec.decode(copy);
      assert.deepEqual(copy, bytes);
    }
  });

  Deno.test(`codec suite ${name}: a payload outlives the bytes it was decoded from`, () => {
    for (const [index, bytes] of encoded.entries()) {
      const copy = bytes.slice();
      const payload = codec.decode(copy);
      copy.fill(0);
      assert.deepEqual(payload, payloads[index]);
    }
  });

  Deno.test(`codec suite ${name}: what cannot be said or read is a CodecError, and nothing else is thrown`, () => {
    for (const bytes of wrongBytes) assert.throws(() => codec.decode(bytes), CodecError);
    for (const payload of wrongPayloads) {
      assert.throws(() => codec.encode(payload), CodecError);
      if (codec.encodeText !== undefined) assert.throws(() => codec.encodeText?.(payload), CodecError);
    }
  });

  if (codec.encodeText !== undefined) {
    Deno.test(`codec suite ${name}: text and bytes of an encoding are the same`, () => {
      for (const [index, payload] of payloads.entries()) {
        assert.deepEqual(new TextEncoder().encode(codec.encodeText?.(payload)), encoded[index]);
      }
    });
  }

  if (codec.passthrough !== undefined) {
    Deno.test(`codec suite ${name}: what passes through holds no newline and decodes to the same`, () => {
      for (const [index, bytes] of encoded.entries()) {
        const passed = codec.passthrough?.(bytes.slice());
        if (passed === undefined) continue;
        assert.ok(!passed.includes(NEWLINE));
        assert.deepEqual(codec.decode(passed), payloads[index]);
      }
    });
  }

  if (codec.decodeMany !== undefined) batchTests(name, codec, encoded, wrongBytes);
}

function batchTests(
  name: string,
  codec: Codec,
  encoded: readonly Uint8Array<ArrayBuffer>[],
  wrongBytes: readonly Uint8Array<ArrayBuffer>[],
): void {
  for (const gap of [0, 1] as const) {
    Deno.test(`codec suite ${name}: a batch decodes to what its messages do, gap ${gap}`, () => {
      const parts = [...encoded, ...wrongBytes, ...encoded];
      const { bytes, ends } = join(parts, gap);
      const decoded: unknown[] = new Array(parts.length);
      const failed = new Set<number>();
      codec.decodeMany?.(bytes, ends, gap, decoded, (index, error) => {
        assert.ok(error instanceof CodecError);
        failed.add(index);
      });
      for (const [index, part] of parts.entries()) {
        const wrong = wrongBytes.includes(part);
        assert.equal(failed.has(index), wrong);
        assert.deepEqual(decoded[index], wrong ? undefined : codec.decode(part));
      }
    });
  }
}

function join(parts: readonly Uint8Array[], gap: 0 | 1): { bytes: Uint8Array; ends: Uint32Array } {
  const bytes: number[] = [];
  const ends = parts.map((part, index) => {
    if (gap === 1 && index > 0) bytes.push(NEWLINE);
    for (const byte of part) bytes.push(byte);
    return bytes.length;
  });
  return { bytes: Uint8Array.from(bytes), ends: Uint32Array.from(ends) };
}
