/** Owns the way from a file's bytes to the engine: windows, batches, positions and counters. */

import { type Clock, turn } from "../../../base/mod.ts";
import type { Emit, PluginContext } from "../../../plugin/mod.ts";
import { EmissionWindow } from "../../shared/emission_window.ts";
import { ANCHOR_BYTES, anchorAt } from "./fingerprint.ts";
import type { LineBatch, LineCounts } from "./line_batch.ts";
import { LineCursor, type LineRules } from "./line_cursor.ts";
import type { Place, Positions } from "./positions.ts";
import type { TrackedFile } from "./tracked_file.ts";

/** What a visit is for. */
export interface VisitOptions {
  /** Whether the file will never grow: its last line need not end. */
  readonly final: boolean;
  /** Whether a group that may go on is sent as it is. */
  readonly flush: boolean;
  /** Bytes after which the file lets others go first. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** What goes on while the engine holds back. */
export interface Watch {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  look(): Promise<void>;
}

/** How a visit ended: all read for now, more to read, or the file is another one than it was. */
export type VisitEnd = "done" | "more" | "changed";

/** A window that is cut: where it lies, and what follows it. */
interface Cut {
  readonly buffer: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly base: number;
  readonly more: boolean;
  readonly final: boolean;
  readonly flush: boolean;
}

/** Bytes read at once. */
const WINDOW_BYTES = 1024 * 1024;
/** Room for line ends behind the longest line. */
const LINE_END_BYTES = 64;

/** Reads files into the engine, one at a time. One buffer serves all files. */
export class FilePump {
  /** The source's own number of the next message. */
  nextSrcSeq = 1;
  /** Set by a tail: files come and go also while nothing can be sent. */
  watch: Watch | undefined;
  readonly window: EmissionWindow;
  readonly positions: Positions;
  readonly #cursor: LineCursor;
  readonly #count: (counts: LineCounts) => void;
  readonly #capacity: number;
  readonly #clock: Clock;
  #buffer: Uint8Array | undefined;

  constructor(rules: LineRules, positions: Positions, emit: Emit, context: PluginContext) {
    this.positions = positions;
    this.#cursor = new LineCursor(rules);
    this.#count = countInto(context);
    this.#clock = context.clock;
    this.window = new EmissionWindow(emit);
    const group = rules.group === undefined ? 0 : rules.group.bytesMax;
    this.#capacity = ANCHOR_BYTES + Math.max(WINDOW_BYTES, group + rules.lineBytesMax + LINE_END_BYTES);
  }

  /** The buffer that files are read into; it is overwritten by every visit. */
  get buffer(): Uint8Array {
    return this.#buffer ??= new Uint8Array(this.#capacity);
  }

  /**
   * Reads on in a file and sends what is complete.
   * @throws {FileReadError} {@linkcode EventboatError} a batch was not accepted
   */
  async visit(file: TrackedFile, options: VisitOptions): Promise<VisitEnd> {
    const limit = file.place.offset + options.bytesMax;
    for (;;) {
      if (options.signal.aborted) return "more";
      const window = file.readWindow(this.buffer);
      if (window === undefined) return "changed";
      const start = file.place.offset === 0 ? Math.min(file.markLength, window.to) : window.from;
      const final = options.final && !window.more;
      const before = file.place.offset;
      await this.cut(file, {
        ...window,
        buffer: this.buffer,
        from: start,
        final,
        flush: options.flush && !window.more,
      });
      file.waiting = this.#cursor.waiting;
      file.seenTo = window.base + window.to;
      if (!window.more || file.place.offset === before) return "done";
      if (file.place.offset >= limit) return "more";
    }
  }

  /** Cuts a window into batches and sends them; the file's place moves with each. Returns the index behind the last. */
  async cut(file: TrackedFile, cut: Cut): Promise<number> {
    const bytes = cut.buffer.subarray(0, cut.to);
    const cursor = this.#cursor;
    const { inside } = file.place;
    cursor.start({ ...cut, bytes, charset: file.charset, inside });
    for (let batch = cursor.next(); batch !== undefined; batch = cursor.next()) {
      await this.#room();
      this.#send(file, batch, placeAt(bytes, batch.next, cut.base, batch.inside));
      await turn();
    }
    this.#count(cursor.takeCounts());
    const end = placeAt(bytes, cursor.at, cut.base, cursor.inside);
    if (end.offset > file.place.offset) file.place = end;
    return cursor.at;
  }

  /** Notes a place that was taken without reading up to it. */
  mark(file: TrackedFile): void {
    this.positions.mark(file.incarnation, this.nextSrcSeq, file.place);
  }

  async #room(): Promise<void> {
    const { watch, window } = this;
    while (window.isFull && watch !== undefined && !watch.signal.aborted) {
      await window.roomWithin(watch.everyMs, this.#clock, watch.signal);
      if (window.isFull) await watch.look();
    }
    await window.room();
  }

  #send(file: TrackedFile, batch: LineBatch, to: Place): void {
    const { bytes, ends, gap, starts, counts } = batch;
    const firstSrcSeq = this.nextSrcSeq;
    this.nextSrcSeq += ends.length;
    // The column is given away with the batch: the positions keep their own.
    this.positions.pass(file.incarnation, firstSrcSeq, starts.slice(), file.place, to);
    file.place = to;
    const columns = { offset: starts };
    this.window.send({ bytes, ends, gap, meta: file.meta, columns, firstSrcSeq }, () => this.#count(counts));
  }
}

function placeAt(window: Uint8Array, index: number, base: number, inside: boolean): Place {
  return { offset: base + index, anchor: anchorAt(window, index, base), inside, packedSize: 0 };
}

function countInto({ meter }: PluginContext): (counts: LineCounts) => void {
  const read = meter.counter("source_lines_read_total");
  const skipped = meter.counter("source_lines_skipped_total");
  const truncated = meter.counter("source_lines_truncated_total");
  const merges = meter.counter("source_multiline_merges_total");
  return (counts) => {
    if (counts.read > 0) read.add(counts.read);
    if (counts.skipped > 0) skipped.add(counts.skipped);
    if (counts.truncated > 0) truncated.add(counts.truncated);
    if (counts.merges > 0) merges.add(counts.merges);
  };
}
