/** Owns a dead letter as it is shown: decoded where that can be done, masked as `telemetry.redact` says. */

import { Buffer } from "node:buffer";
import { type Data, plainJson } from "../../base/mod.ts";
import type { PipelineDocument } from "../../config/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import { compileRedactPattern, documentCodecs, Masking } from "../../plan/mod.ts";
import type { Registry } from "../../plugin/mod.ts";
import { type Codecs, payloadOf } from "../../replay/mod.ts";
import type { DeadLetter } from "../../store/mod.ts";

/** What a message holds, as it is shown: decoded, else as text, else as base64. */
export interface ContentView {
  readonly payload?: Data;
  /** The bytes as text, where no codec of the pipeline can decode them. */
  readonly text?: string;
  /** The bytes in base64, where they are no text either. */
  readonly base64?: string;
}

/** A dead letter as a list shows it. */
export interface LetterHead {
  readonly id: number;
  readonly seq: number;
  /** RFC 3339, in UTC. */
  readonly time: string;
  readonly node: string;
  /** `from->to`; empty where no edge was involved. */
  readonly edge: string;
  readonly class: string;
  readonly reason: string;
  readonly attempts: number;
  readonly message_id: string;
  readonly source: string;
  readonly codec: string;
  readonly run_id?: string;
}

/** A whole dead letter. */
export interface LetterView extends LetterHead, ContentView {
  readonly branch: string;
  readonly backtrace?: string;
  readonly meta: Data;
  /** What came in first, where the failing node received something else. */
  readonly original?: ContentView;
}

const strictText = new TextDecoder("utf-8", { fatal: true });

/** Shows the letters of one pipeline. */
export class LetterViewer {
  readonly codecs: Codecs;
  readonly #masking: Masking;
  /** The decoder of each source, by its name. */
  readonly #decoders: ReadonlyMap<string, string>;

  /** @throws {EventboatError} `config_invalid` when a redact pattern does not compile: nothing is shown unmasked. */
  constructor(document: PipelineDocument, registry: Registry) {
    this.codecs = documentCodecs(document, registry);
    this.#masking = new Masking(document.telemetry.redact.map((text) => {
      const compiled = compileRedactPattern(text);
      if (compiled.ok) return compiled.pattern;
      throw new EventboatError("config_invalid", `cannot show dead letters: ${compiled.message}`, {
        hint: "mend telemetry.redact first: what it is to mask would be shown",
      });
    }));
    this.#decoders = new Map(
      document.nodes.flatMap((node) => node.section === "sources" ? [[node.name, node.decoder]] : []),
    );
  }

  /** Whether a list needs to know what the messages hold: a reason may quote what is to be masked. */
  get headNeedsContent(): boolean {
    return !this.#masking.isEmpty;
  }

  head(letter: DeadLetter): LetterHead {
    const { id, seq, node, edge, attempts, source, codec } = letter;
    return {
      id,
      seq,
      time: new Date(letter.timeMs).toISOString(),
      node,
      edge,
      class: letter.class,
      reason: this.#text(letter, letter.reason),
      attempts,
      message_id: letter.messageId,
      source,
      codec,
      ...(letter.runId === undefined ? {} : { run_id: letter.runId }),
    };
  }

  whole(letter: DeadLetter): LetterView {
    const { original, backtrace, codec } = letter;
    return {
      ...this.head(letter),
      branch: letter.branch,
      ...(backtrace === undefined ? {} : { backtrace: this.#text(letter, backtrace) }),
      meta: plainJson(this.#masking.meta(letter.meta)),
      ...this.#content(letter.bytes, codec),
      ...(original === undefined
        ? {}
        : { original: this.#content(original, this.#decoders.get(letter.source) ?? codec) }),
    };
  }

  #text(letter: DeadLetter, text: string): string {
    if (this.#masking.isEmpty) return text;
    return this.#masking.text(text, { payload: payloadOf(letter, this.codecs), meta: letter.meta });
  }

  #content(bytes: Uint8Array<ArrayBuffer>, codec: string): ContentView {
    const decoder = this.codecs.get(codec)?.codec;
    try {
      const payload = decoder?.decode(bytes);
      if (payload !== undefined) return { payload: plainJson(this.#masking.payload(payload), tooDeep) };
    } catch {
      // It may be here for that very reason, or is too deep for data: shown as it is. What is masked is never too deep.
    }
    try {
      return { text: strictText.decode(bytes) };
    } catch {
      return { base64: Buffer.from(bytes).toString("base64") };
    }
  }
}

function tooDeep(): never {
  throw new RangeError("the payload is nested too deep to be shown as data");
}
