/** Owns the cutting of a window of bytes into messages. */

import type { Charset } from "./charset.ts";
import { BATCH_BYTES_MAX, type LineBatch, type LineCounts, LinePacker } from "./line_batch.ts";
import type { LineGroupRule } from "./line_group.ts";

/** What the cursor is to do with lines. */
export interface LineRules {
  readonly lineBytesMax: number;
  readonly oversize: "truncate" | "skip";
  /** Most messages in a batch. */
  readonly messagesMax: number;
  readonly group: LineGroupRule | undefined;
}

/** A stretch of a file. */
export interface LineWindow {
  /** Bytes behind the stretch are not part of the view. */
  readonly bytes: Uint8Array;
  /** Index of the first byte that was not consumed yet. */
  readonly from: number;
  /** Offset of `bytes[0]` in the file. */
  readonly base: number;
  readonly charset: Charset;
  /** Whether `from` lies inside a line that was too long. */
  readonly inside: boolean;
  /** Whether the file has more bytes than the window. */
  readonly more: boolean;
  /** Whether nothing will ever follow: the last line need not end, the last group is complete. */
  readonly final: boolean;
  /** Whether the last group has waited long enough. */
  readonly flush: boolean;
}

const CARRIAGE_RETURN = 0x0d;

function noCounts(): LineCounts {
  return { read: 0, skipped: 0, truncated: 0, merges: 0 };
}

/**
 * Cuts one window after another. Plain text is handed over as it was read: a batch is one copy of a stretch of the
 * window, and there is no object per line. Carriage returns, other encodings, lines that are too long and groups take
 * the slower road, which packs.
 */
export class LineCursor {
  readonly #rules: LineRules;
  readonly #packer = new LinePacker();
  readonly #ends: Uint32Array<ArrayBuffer>;
  #window: LineWindow | undefined;
  #plain = false;
  #given = 0;
  #at = 0;
  #inside = false;
  #waiting = false;
  #counts: LineCounts = noCounts();
  #lineStart = 0;
  #lineEnd = 0;
  #lineNext = 0;
  #lineOpen = false;
  #lineOversize = false;
  #groupStart = 0;
  #groupLines = 0;

  constructor(rules: LineRules) {
    this.#rules = rules;
    this.#ends = new Uint32Array(rules.messagesMax);
  }

  /** Index behind what was consumed. */
  get at(): number {
    return this.#at;
  }

  /** Whether what was consumed ends inside a line that is too long. */
  get inside(): boolean {
    return this.#inside;
  }

  /** Whether whole lines were left because their group may go on. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** What was counted and is in no batch yet: lines that were skipped behind the last one. Taking it resets it. */
  takeCounts(): LineCounts {
    const counts = this.#counts;
    this.#counts = noCounts();
    return counts;
  }

  /** Goes to another window. */
  start(window: LineWindow): void {
    this.#window = window;
    this.#at = window.from;
    this.#inside = window.inside;
    this.#waiting = false;
    this.#given = 0;
    this.#plain = window.charset.isUtf8 && this.#rules.group?.isPlain(window.bytes, window.from) !== false &&
      window.bytes.indexOf(CARRIAGE_RETURN, window.from) < 0;
  }

  /** The next batch of the window; undefined when there is none. */
  next(): LineBatch | undefined {
    const window = this.#window;
    if (window === undefined || this.#waiting) return undefined;
    if (this.#inside && !this.#leaveLine(window)) return undefined;
    let batch: LineBatch | undefined;
    if (this.#plain) {
      batch = this.#nextPlain(window);
      if (batch === undefined && this.#given > 0 && window.more) return undefined;
    }
    batch ??= this.#nextPacked(window, this.#plain ? 1 : this.#rules.messagesMax);
    if (batch !== undefined) this.#given++;
    return batch;
  }

  /** The hot path. */
  #nextPlain(window: LineWindow): LineBatch | undefined {
    const { bytes } = window;
    const { lineBytesMax, messagesMax } = this.#rules;
    const ends = this.#ends;
    const from = this.#at;
    let at = from;
    let count = 0;
    while (count < messagesMax) {
      const newline = bytes.indexOf(0x0a, at);
      if (newline < 0 || newline - at > lineBytesMax) break;
      if (newline - from > BATCH_BYTES_MAX && count > 0) break;
      ends[count++] = newline - from;
      at = newline + 1;
    }
    if (count === 0) return undefined;
    // A short rest is read again with what follows it: two full batches cost less than three.
    const isShort = count < messagesMax && at - from < BATCH_BYTES_MAX / 2;
    if (isShort && this.#given > 0 && window.more) return undefined;
    const starts = new Float64Array(count);
    starts[0] = window.base + from;
    for (let i = 1; i < count; i++) starts[i] = window.base + from + (ends[i - 1] ?? 0) + 1;
    this.#at = at;
    this.#counts.read += count;
    return {
      // A view of the window's buffer would give the window away: the slice is the only copy on this road.
      bytes: bytes.slice(from, at - 1),
      ends: ends.slice(0, count),
      gap: 1,
      starts,
      next: at,
      inside: false,
      counts: this.takeCounts(),
    };
  }

  #nextPacked(window: LineWindow, limit: number): LineBatch | undefined {
    this.#packer.reset();
    const group = this.#rules.group;
    const end = group === undefined ? this.#packLines(window, limit) : this.#packGroups(window, group, limit);
    if (this.#packer.count === 0) return undefined;
    return this.#packer.batch(end, this.#inside, this.takeCounts());
  }

  #packLines(window: LineWindow, limit: number): number {
    const packer = this.#packer;
    while (!this.#inside && this.#hasRoom(limit) && this.#readLine(window)) {
      this.#at = this.#lineNext;
      this.#inside = this.#lineOpen;
      if (!this.#takeLine()) continue;
      packer.append(window.bytes.subarray(this.#lineStart, this.#lineEnd), window.charset);
      packer.close(window.base + this.#lineStart);
    }
    return this.#at;
  }

  #hasRoom(limit: number): boolean {
    return this.#packer.count < limit && this.#packer.length < BATCH_BYTES_MAX;
  }

  #packGroups(window: LineWindow, rule: LineGroupRule, limit: number): number {
    const packer = this.#packer;
    this.#groupLines = 0;
    rule.reset();
    while (!this.#inside && (this.#groupLines > 0 || this.#hasRoom(limit)) && this.#readLine(window)) {
      const content = window.bytes.subarray(this.#lineStart, this.#lineEnd);
      const joins = rule.joins(window.charset.decode(content));
      const tooMuch = this.#lineNext - this.#groupStart > rule.bytesMax;
      if (this.#groupLines > 0 && (rule.begins(joins) || tooMuch || this.#isSkipped())) {
        this.#closeGroup(window);
        rule.reset();
        // The line is read again: it may be more than the batch still takes.
        continue;
      }
      if (this.#groupLines === 0) this.#groupStart = this.#lineStart;
      this.#at = this.#lineNext;
      this.#inside = this.#lineOpen;
      if (!this.#takeLine()) continue;
      if (this.#groupLines > 0) packer.appendNewline();
      packer.append(content, window.charset);
      this.#groupLines++;
      // A line that was cut ends its group: where its rest ends may not be known for a long time.
      const isFull = this.#groupLines >= rule.linesMax || this.#lineOversize;
      if (isFull || rule.ends(joins)) {
        this.#closeGroup(window);
        rule.reset();
      }
    }
    if (this.#groupLines > 0) this.#endGroups(window);
    return this.#at;
  }

  /** The window ended in the middle of a group. */
  #endGroups(window: LineWindow): void {
    if (window.final || window.flush) return this.#closeGroup(window);
    this.#counts.read -= this.#groupLines;
    this.#packer.drop();
    this.#at = this.#groupStart;
    this.#groupLines = 0;
    this.#waiting = true;
  }

  #closeGroup(window: LineWindow): void {
    if (this.#groupLines > 1) this.#counts.merges++;
    this.#packer.close(window.base + this.#groupStart);
    this.#groupLines = 0;
  }

  #isSkipped(): boolean {
    return this.#lineOversize && this.#rules.oversize === "skip";
  }

  /** Counts the line; false where it is left out. */
  #takeLine(): boolean {
    if (this.#isSkipped()) {
      this.#counts.skipped++;
      return false;
    }
    this.#counts.read++;
    if (this.#lineOversize) this.#counts.truncated++;
    return true;
  }

  /** Finds the next line without consuming it; false when it is not complete yet. */
  #readLine(window: LineWindow): boolean {
    const { bytes, charset } = window;
    const { lineBytesMax } = this.#rules;
    const start = this.#at;
    const newline = charset.newline(bytes, start);
    const rest = bytes.length - start;
    this.#lineStart = start;
    this.#lineOpen = newline < 0;
    if (newline >= 0) {
      this.#lineNext = newline + charset.unit;
      this.#lineEnd = charset.endsInCarriageReturn(bytes, start, newline) ? newline - charset.unit : newline;
    } else {
      // One code unit more than the limit may still be the carriage return of a line that fits.
      if (rest === 0 || (!window.final && rest <= lineBytesMax + charset.unit)) return false;
      this.#lineNext = window.final ? bytes.length : bytes.length - rest % charset.unit;
      this.#lineEnd = bytes.length;
    }
    this.#lineOversize = this.#lineEnd - start > lineBytesMax;
    if (this.#lineOversize) this.#lineEnd = charset.cut(bytes, start, start + lineBytesMax);
    else this.#lineOpen = false;
    return true;
  }

  /** Leaves out the rest of a line that was too long; false while its end is not in sight. */
  #leaveLine(window: LineWindow): boolean {
    const { bytes, charset } = window;
    const newline = charset.newline(bytes, this.#at);
    if (newline < 0) {
      this.#at = bytes.length - (bytes.length - this.#at) % charset.unit;
      return false;
    }
    this.#at = newline + charset.unit;
    this.#inside = false;
    return true;
  }
}
