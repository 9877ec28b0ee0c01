/** Owns the conditions that choose dead letters and spooled messages. */

import { didYouMeanOneOf } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { compileNamedCondition, type NamedCondition } from "../languages/mod.ts";
import type { Message, Meta } from "../message/mod.ts";
import type { PlanCodec } from "../plan/mod.ts";
import type { DeadLetter } from "../store/mod.ts";

/** Codecs by the names that messages carry. */
export type Codecs = ReadonlyMap<string, PlanCodec>;

/** What a message is decoded from. */
export type Encoded = Pick<DeadLetter, "bytes" | "codec">;

/** A condition on dead letters. It counts those for which it could not be evaluated. */
export interface LetterCondition {
  /** What the store can choose by itself: without these no letter meets the condition. */
  readonly pushdown: { readonly node?: string; readonly class?: string };
  /** Whether messages must be read for it. */
  readonly needsPayload: boolean;
  readonly unjudged: number;
  holds(letter: DeadLetter, codecs: Codecs): boolean;
}

/** A condition on spooled messages. */
export interface MessageCondition {
  readonly unjudged: number;
  holds(message: Encoded & { readonly meta: Meta }, codecs: Codecs): boolean;
}

const FIELD_REGEXP = /^letter\.(?<field>\w+)/;

/** What a condition sees of a letter; `time` is text in UTC such as `2026-03-01T12:00:00.000Z`. */
const LETTER_FIELDS = [
  "id",
  "seq",
  "reason",
  "class",
  "node",
  "edge",
  "time",
  "attempts",
  "run_id",
  "source",
  "codec",
  "message_id",
  "backtrace",
] as const;

/**
 * Compiles a condition over `payload`, `meta` and `letter`. What it cannot be evaluated for, it does not choose.
 * @throws {EventboatError} `usage`, for a field that letters do not have too
 */
export function compileLetterCondition(text: string): LetterCondition {
  const condition = compile(text, ["payload", "meta", "letter"]);
  refuseUnknownFields(condition);
  const required = (path: string) => {
    const value = condition.equalities.find((each) => each.path === path)?.value;
    return typeof value === "string" ? value : undefined;
  };
  const [node, letterClass] = [required("letter.node"), required("letter.class")];
  const reads = (name: string) => condition.reads.some((read) => read === name || read.startsWith(`${name}.`));
  const [needsPayload, needsLetter] = [reads("payload"), reads("letter")];
  let unjudged = 0;
  return {
    pushdown: {
      ...(node === undefined ? {} : { node }),
      ...(letterClass === undefined ? {} : { class: letterClass }),
    },
    needsPayload,
    get unjudged() {
      return unjudged;
    },
    holds(letter, codecs) {
      const payload = needsPayload ? payloadOf(letter, codecs) : null;
      const binding = needsLetter ? letterBinding(letter) : null;
      const held = judge(condition, { payload, meta: letter.meta, letter: binding });
      if (held === undefined) unjudged++;
      return held === true;
    },
  };
}

/** Compiles a condition over `payload` and `meta` of a spooled message. @throws {EventboatError} `usage` */
export function compileMessageCondition(text: string): MessageCondition {
  const condition = compile(text, ["payload", "meta"]);
  let unjudged = 0;
  return {
    get unjudged() {
      return unjudged;
    },
    holds(message, codecs) {
      const held = judge(condition, { payload: payloadOf(message, codecs), meta: message.meta });
      if (held === undefined) unjudged++;
      return held === true;
    },
  };
}

/** What a message holds, by its codec; null where it cannot be decoded. */
export function payloadOf({ bytes, codec }: Encoded, codecs: Codecs): Message["payload"] {
  try {
    return codecs.get(codec)?.codec.decode(bytes) ?? null;
  } catch {
    // It may have become a dead letter for that very reason.
    return null;
  }
}

/** A letter as conditions see it. */
function letterBinding(letter: DeadLetter): { readonly [name in (typeof LETTER_FIELDS)[number]]: unknown } {
  return {
    id: letter.id,
    seq: letter.seq,
    reason: letter.reason,
    class: letter.class,
    node: letter.node,
    edge: letter.edge,
    time: new Date(letter.timeMs).toISOString(),
    attempts: letter.attempts,
    run_id: letter.runId ?? null,
    source: letter.source,
    codec: letter.codec,
    message_id: letter.messageId,
    backtrace: letter.backtrace ?? null,
  };
}

function compile(text: string, names: readonly string[]): NamedCondition {
  const compiled = compileNamedCondition(text, names);
  if (compiled.ok) return compiled.program;
  const issues = compiled.issues.map(({ message, offset }) => `${message} (at character ${offset + 1})`).join("; ");
  const hint = compiled.issues.find((issue) => issue.hint !== undefined)?.hint;
  throw new EventboatError("usage", `the condition ${JSON.stringify(text)} does not compile: ${issues}`, {
    hint: hint ?? `it sees ${names.join(", ")}`,
  });
}

/** Every letter has the same fields: a condition that reads another one can hold for none. */
function refuseUnknownFields({ source, reads }: NamedCondition): void {
  const known: readonly string[] = LETTER_FIELDS;
  for (const read of reads) {
    const field = FIELD_REGEXP.exec(read)?.groups?.["field"];
    if (field === undefined || known.includes(field)) continue;
    const offset = source.indexOf(`letter.${field}`);
    const where = offset < 0 ? "" : ` (at character ${offset + 1})`;
    const message = `the condition ${JSON.stringify(source)} does not compile: letter has no field "${field}"${where}`;
    throw new EventboatError("usage", message, { hint: didYouMeanOneOf(field, known) });
  }
}

/** Whether it holds; undefined where that cannot be told. */
function judge(condition: NamedCondition, values: { readonly [name: string]: unknown }): boolean | undefined {
  try {
    return condition.holds(values);
  } catch (caught) {
    if (caught instanceof EventboatError && (caught.code === "expression" || caught.code === "budget")) {
      return undefined;
    }
    throw caught;
  }
}
