/** Owns the reading of Avro's container files, whose blocks hold the datums that conformance data brings. */

import assert from "node:assert/strict";

const SYNC_BYTES = 16;
const decoder = new TextDecoder();

/** One block: so many datums, side by side. */
export interface ContainerBlock {
  readonly count: number;
  readonly datums: Uint8Array<ArrayBuffer>;
}

/** What a container file holds. */
export interface Container {
  /** The schema of its datums, as JSON text. */
  readonly schema: string;
  readonly blocks: readonly ContainerBlock[];
}

/** Reads a file whose blocks are stored as they are or deflated. */
export async function readContainer(bytes: Uint8Array<ArrayBuffer>): Promise<Container> {
  const reader = new Reader(bytes);
  assert.equal(decoder.decode(reader.take(4)), "Obj\u0001");
  const meta = new Map<string, Uint8Array>();
  for (let count = reader.long(); count !== 0; count = reader.long()) {
    if (count < 0) reader.long();
    for (let i = 0; i < Math.abs(count); i++) {
      meta.set(decoder.decode(reader.take(reader.long())), reader.take(reader.long()));
    }
  }
  reader.take(SYNC_BYTES);
  const isDeflated = decoder.decode(meta.get("avro.codec")) === "deflate";
  const blocks: ContainerBlock[] = [];
  while (!reader.isAtEnd) {
    const count = reader.long();
    const stored = reader.take(reader.long());
    reader.take(SYNC_BYTES);
    blocks.push({ count, datums: isDeflated ? await inflated(stored) : stored });
  }
  return { schema: decoder.decode(meta.get("avro.schema")), blocks };
}

/** The datum of the array that holds the datums of a block. */
export function arrayDatum({ count, datums }: ContainerBlock): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...longBytes(count), ...datums, 0]);
}

function longBytes(count: number): readonly number[] {
  const bytes: number[] = [];
  let left = count * 2;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Reader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(count: number): Uint8Array<ArrayBuffer> {
    const from = this.#at;
    assert.ok(count >= 0 && from + count <= this.#bytes.length, `the file ends before ${count} bytes at ${from}`);
    this.#at += count;
    return this.#bytes.slice(from, this.#at);
  }

  long(): number {
    let zigzag = 0;
    for (let weight = 1;; weight *= 0x80) {
      const [byte = 0] = this.take(1);
      zigzag += (byte & 0x7f) * weight;
      if (byte < 0x80) return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    }
  }
}
