/** Owns the message that a walk begins with, as the engine would have admitted it. */

import { EventboatError } from "../diagnostics/mod.ts";
import { Message, type Meta, type Segment, TOMBSTONE_META } from "../message/mod.ts";
import type { Plan, PlanCodec, PlanNode } from "../plan/mod.ts";
import { undecodable } from "../plugin/mod.ts";

/** A message to be explained. */
export interface ExplainSample {
  readonly bytes: Uint8Array;
  /** Name of the codec it is in. Default: the decoder of the source that it would have come from. */
  readonly codec?: string;
  /** Laid over the metadata that every message has. */
  readonly meta?: Meta;
  /** The node it enters: out of a source, into any other. Default: the first source of the document. */
  readonly at?: string;
  /**
   * Whether the bytes are a line of a file or the whole of one: then a line end behind them is no part of the message,
   * unless it is in a codec of bytes, where it may be. Default false.
   */
  readonly isLine?: boolean;
  /** Whether it is replayed, from the spool or the dead letters. Default false. */
  readonly isReplay?: boolean;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** The metadata of a message as the engine stamps it; fixed, so that the same sample gives the same answer every time. */
const STAMPED = { message_id: "019b76da-a800-7000-8000-000000000001", ingest_time: "2026-01-01T00:00:00.000Z" };

/** A sample at its entry: decoded, or why it is no message there. */
export interface EnteredSample {
  readonly node: PlanNode;
  readonly message: Message;
  /** Why it cannot be decoded. */
  readonly undecodable?: string;
  /** Whether its bytes hold no message, such as a header line. */
  readonly isNone: boolean;
}

/** Brings a sample to its entry. @throws {EventboatError} `usage` where the plan has no such node or codec. */
export function enterSample(plan: Plan, sample: ExplainSample): EnteredSample {
  const node = entryNode(plan, sample.at);
  const codec = sample.codec === undefined ? ownDecoder(plan, node) : namedCodec(plan, sample.codec);
  const segment = segmentOf(sample, node, codec);
  const { isReplay = false } = sample;
  let payload: unknown;
  let failure: string | undefined;
  try {
    // A deletion holds no bytes, which no codec could read.
    payload = segment.meta[TOMBSTONE_META] === true ? null : codec.codec.decode(segment.bytes);
  } catch (caught) {
    failure = caught instanceof Error ? caught.message : String(caught);
  }
  return {
    node,
    message: new Message(segment, 0, payload, isReplay),
    ...(failure === undefined ? {} : { undecodable: undecodable(codec.name, failure) }),
    isNone: failure === undefined && payload === undefined,
  };
}

function entryNode({ name, nodes }: Plan, at: string | undefined): PlanNode {
  const node = at === undefined ? nodes.find(({ kind }) => kind === "source") : nodes.find((each) => each.name === at);
  if (node !== undefined) return node;
  const known = nodes.map((each) => each.name).join(", ");
  throw new EventboatError("usage", `cannot begin at "${at}": pipeline "${name}" has no such node`, {
    hint: `its nodes are ${known}`,
  });
}

function namedCodec({ name, codecs }: Plan, codec: string): PlanCodec {
  const found = codecs.get(codec);
  if (found !== undefined) return found;
  throw new EventboatError("usage", `cannot decode the sample as "${codec}": pipeline "${name}" has no such codec`, {
    hint: `its codecs are ${[...codecs.keys()].join(", ")}`,
  });
}

/** The decoder of the source itself, or of the first source above the node: a message keeps its codec on its way. */
function ownDecoder({ nodes }: Plan, node: PlanNode): PlanCodec {
  if (node.kind === "source") return node.decoder;
  const above = new Set([node.name]);
  // Every node stands before those that depend on it.
  for (const each of [...nodes].reverse()) {
    if (above.has(each.name)) { for (const { from } of each.inputs) above.add(from); }
  }
  for (const each of nodes) if (each.kind === "source" && above.has(each.name)) return each.decoder;
  throw new EventboatError("internal", `no source leads to node "${node.name}"`);
}

function segmentOf(sample: ExplainSample, node: PlanNode, codec: PlanCodec): Segment {
  const { message_id: id, ...stamps } = STAMPED;
  const injected = node.kind === "source" ? {} : { injected_at: node.name };
  const meta: Meta = { source: node.name, ...stamps, ...injected, ...sample.meta };
  const own = meta["message_id"];
  const isLine = sample.isLine === true && codec.codec.encodeText !== undefined;
  const bytes = new Uint8Array(isLine ? withoutLineEnd(sample.bytes) : sample.bytes);
  return {
    first: 1,
    count: 1,
    bytes,
    ends: Uint32Array.of(bytes.length),
    gap: 0,
    codec: codec.name,
    source: node.name,
    ...(node.kind === "source" ? {} : { injectedAt: node.name }),
    idBase: new Uint8Array(16),
    meta,
    columns: { message_id: [typeof own === "string" ? own : id] },
  };
}

function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== NEWLINE) return bytes;
  return bytes.subarray(0, bytes.at(-2) === CARRIAGE_RETURN ? -2 : -1);
}
