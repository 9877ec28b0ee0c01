/** Owns the way from single requests to emissions: what arrives together, or while others are made durable, goes together. */

import { setImmediate } from "node:timers";
import type { Clock } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { type Emission, type Meta, type MetaColumns, type MetaValue, SEGMENT_BYTES_MAX } from "../../../message/mod.ts";
import { type Emit, isDiskFull } from "../../../plugin/mod.ts";
import type { FrugalLog } from "../../../telemetry/mod.ts";
import type { BodyRanges } from "./body_messages.ts";
import { REQUEST_META_KEYS, type RequestMeta } from "./request_meta.ts";
import { ReturningCallers } from "./returning_callers.ts";
import { type TimeLimit, TimeLimits } from "./time_limits.ts";

/** Full emissions under way at once: one is synced while the next ones queue at the store. */
const EMISSIONS_MAX = 4;
/** Bytes of bodies, and of what is known of them, that wait for an emission; beyond them requests are refused. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** Requests that wait for an emission. */
const WAITING_REQUESTS_MAX = 20_000;

/**
 * What became of a request's messages: durable, not taken for now (or for want of room), not known to be durable in
 * time, or never to be taken.
 */
export type Verdict = "accepted" | "busy" | "disk_full" | "late" | "too_large";

/** Messages of one request that go into one emission. */
interface Part {
  readonly body: Uint8Array<ArrayBuffer>;
  /** Where the messages stand in the body; undefined: the body is one message. */
  readonly ranges: BodyRanges | undefined;
  readonly messages: number;
  readonly bytes: number;
  readonly meta: RequestMeta;
  readonly settle: (verdict: Verdict) => void;
  /** How long it waits; undefined once it has been settled. */
  limit: TimeLimit | undefined;
}

/** How an {@linkcode Intake} emits. */
export interface IntakeOptions {
  readonly emit: Emit;
  /** Most messages in one emission. */
  readonly messagesMax: number;
  /** Metadata that all messages share. */
  readonly meta: Meta;
  readonly clock: Clock;
  /** How long a request waits until its messages are durable. */
  readonly waitMs: number;
  /** Told of refusals. */
  readonly log: FrugalLog;
}

/** Takes requests' messages and answers when they are durable. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #returning: ReturningCallers;
  readonly #limits: TimeLimits;
  #waiting: Part[] = [];
  #waitingBytes = 0;
  #waitingMessages = 0;
  #underWay = 0;
  #flushPlanned = false;
  #closed = false;
  #nextSrcSeq = 1;
  #idle: (() => void) | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#returning = new ReturningCallers(options.clock);
    this.#limits = new TimeLimits(options.waitMs, options.clock);
  }

  /** Takes a body that is one message. */
  takeWhole(body: Uint8Array<ArrayBuffer>, meta: RequestMeta): Promise<Verdict> {
    if (!this.#hasRoom(body.length)) return Promise.resolve("busy");
    return new Promise((settle) =>
      this.#enter({ body, ranges: undefined, messages: 1, bytes: body.length, meta, settle, limit: undefined })
    );
  }

  /** Takes a body that holds several messages; a large one is emitted in parts, and accepted when all of them are. */
  async takeMany(
    body: Uint8Array<ArrayBuffer>,
    ranges: BodyRanges,
    meta: RequestMeta,
  ): Promise<Verdict> {
    if (ranges.length === 0) return "accepted";
    if (!this.#hasRoom(body.length + ranges.byteLength)) return "busy";
    const verdicts = await Promise.all(
      this.#cut(ranges).map((part) =>
        new Promise<Verdict>((settle) =>
          this.#enter({
            body,
            ranges: part,
            messages: part.length / 2,
            bytes: sizeOf(part),
            meta,
            settle,
            limit: undefined,
          })
        )
      ),
    );
    return verdicts.find((verdict) => verdict !== "accepted") ?? "accepted";
  }

  /** Answers `busy` to all that waits and to all that comes; resolves when what is under way has been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const part of this.#waiting.splice(0)) this.#settle(part, "busy");
    this.#waitingBytes = this.#waitingMessages = 0;
    if (this.#underWay > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#idle = resolve;
      await promise;
    }
    await this.#limits.close();
  }

  #hasRoom(bytes: number): boolean {
    if (this.#closed) return false;
    const hasRoom = this.#waiting.length < WAITING_REQUESTS_MAX &&
      (this.#waitingBytes === 0 || this.#waitingBytes + bytes <= WAITING_BYTES_MAX);
    if (!hasRoom) this.#tell("too much waits already", { requests: this.#waiting.length, bytes: this.#waitingBytes });
    return hasRoom;
  }

  #enter(part: Part): void {
    if (this.#closed) return part.settle("busy");
    part.limit = this.#limits.begin((reason) => {
      if (reason === "time") this.#expire(part);
    });
    this.#waiting.push(part);
    this.#waitingBytes += heldBytes(part);
    this.#waitingMessages += part.messages;
    this.#planFlush();
  }

  /** A part has one verdict: the first. */
  #settle(part: Part, verdict: Verdict): void {
    if (part.limit === undefined) return;
    this.#limits.end(part.limit);
    part.limit = undefined;
    part.settle(verdict);
  }

  /** What still waits is taken out of the line; what is under way cannot be called back, and nobody waits for it. */
  #expire(part: Part): void {
    const { waitMs } = this.#options;
    // The oldest expires first, so it is found at once.
    const at = this.#waiting.indexOf(part);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      this.#waitingBytes -= heldBytes(part);
      this.#waitingMessages -= part.messages;
    }
    this.#tell("its messages were not durable in time", { wait_ms: waitMs });
    this.#settle(part, at >= 0 ? "busy" : "late");
  }

  #tell(reason: string, fields: Readonly<Record<string, string | number>> = {}): void {
    this.#options.log.tell(reason, "warn", "http_server refuses requests", { reason, ...fields });
  }

  /** Not before the turn is over: what else has arrived in it joins the group at no cost. */
  #planFlush(): void {
    if (this.#flushPlanned || this.#waiting.length === 0 || !this.#mayEmit()) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      if (!this.#isFull && this.#returning.mayCome(this.#waiting.length)) this.#planFlush();
      else this.#flush();
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#mayEmit()) void this.#emitGroup(this.#nextGroup());
  }

  /** A full emission goes beside others that are under way; the store would let a smaller one wait for them anyway. */
  #mayEmit(): boolean {
    return this.#underWay === 0 || (this.#isFull && this.#underWay < EMISSIONS_MAX);
  }

  get #isFull(): boolean {
    return this.#waitingMessages >= this.#options.messagesMax || this.#waitingBytes >= SEGMENT_BYTES_MAX;
  }

  /** As many of those that wait longest as fit one emission; at least one. */
  #nextGroup(): readonly Part[] {
    let [count, messages, bytes] = [0, 0, 0];
    for (const part of this.#waiting) {
      messages += part.messages;
      bytes += part.bytes;
      if (count > 0 && (messages > this.#options.messagesMax || bytes > SEGMENT_BYTES_MAX)) break;
      count++;
    }
    const group = this.#waiting.splice(0, count);
    for (const part of group) {
      this.#waitingBytes -= heldBytes(part);
      this.#waitingMessages -= part.messages;
    }
    return group;
  }

  /** Never rejects: what an emission came to is told to its requests. */
  async #emitGroup(group: readonly Part[]): Promise<void> {
    this.#underWay++;
    let verdict: Verdict = "accepted";
    try {
      await this.#options.emit(this.#emissionOf(group));
    } catch (caught) {
      // Refused, stopping, or anything else: nothing of it may be told to be durable, and the client may send again.
      const { code, message } = EventboatError.from(caught);
      verdict = code === "batch_too_large" ? "too_large" : isDiskFull(caught) ? "disk_full" : "busy";
      // The store tells of a full disk itself, and an end is no trouble.
      if (verdict !== "disk_full" && code !== "shutdown") this.#tell(code, { error: message });
    }
    for (const part of group) this.#settle(part, verdict);
    this.#underWay--;
    if (this.#underWay === 0) this.#idle?.();
    this.#returning.answered(group.length, this.#waiting.length);
    this.#planFlush();
  }

  #emissionOf(group: readonly Part[]): Emission {
    const count = group.reduce((sum, part) => sum + part.messages, 0);
    const ends = new Uint32Array(count);
    const bytes = new Uint8Array(group.reduce((sum, part) => sum + part.bytes, 0));
    let [index, at] = [0, 0];
    for (const { body, ranges } of group) {
      if (ranges === undefined) {
        bytes.set(body, at);
        ends[index++] = at += body.length;
        continue;
      }
      for (let i = 0; i < ranges.length; i += 2) {
        const message = body.subarray(ranges[i], ranges[i + 1]);
        bytes.set(message, at);
        ends[index++] = at += message.length;
      }
    }
    const firstSrcSeq = this.#nextSrcSeq;
    this.#nextSrcSeq += count;
    return { bytes, ends, gap: 0, firstSrcSeq, ...metaOf(group, count, this.#options.meta) };
  }

  #cut(ranges: BodyRanges): readonly BodyRanges[] {
    const parts: BodyRanges[] = [];
    let [from, bytes] = [0, 0];
    for (let i = 0; i < ranges.length; i += 2) {
      const length = lengthAt(ranges, i);
      bytes += length;
      if (i === from || (i - from < 2 * this.#options.messagesMax && bytes <= SEGMENT_BYTES_MAX)) continue;
      parts.push(ranges.subarray(from, i));
      [from, bytes] = [i, length];
    }
    parts.push(ranges.subarray(from));
    return parts;
  }
}

function heldBytes({ bytes, ranges }: Part): number {
  return bytes + (ranges?.byteLength ?? 0);
}

function sizeOf(ranges: BodyRanges): number {
  let bytes = 0;
  for (let i = 0; i < ranges.length; i += 2) bytes += lengthAt(ranges, i);
  return bytes;
}

/** Length of the message whose start stands at `i`. */
function lengthAt(ranges: BodyRanges, i: number): number {
  return (ranges[i + 1] ?? 0) - (ranges[i] ?? 0);
}

/** What all requests of a group agree on is shared; the rest stands in columns. */
function metaOf(group: readonly Part[], count: number, fixed: Meta): { meta: Meta; columns: MetaColumns } {
  const meta: Record<string, MetaValue> = { ...fixed };
  const columns: Record<string, (MetaValue | undefined)[]> = {};
  for (const key of REQUEST_META_KEYS) {
    const first = group[0]?.meta[key];
    if (group.every((part) => part.meta[key] === first)) {
      if (first !== undefined) meta[key] = first;
      continue;
    }
    const column: (MetaValue | undefined)[] = new Array(count);
    let index = 0;
    for (const part of group) for (let i = 0; i < part.messages; i++) column[index++] = part.meta[key];
    columns[key] = column;
  }
  return { meta, columns };
}
