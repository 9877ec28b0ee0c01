/** Owns the masking of what `telemetry.redact` names, wherever payloads and metadata are shown. */

import type { Meta } from "../message/mod.ts";
import type { RedactPattern } from "./redaction.ts";

/** What stands for a masked value. */
export const MASK = "***";

/** Shortest text of a masked value that is looked for in other texts: of shorter ones, too many mean something else. */
const TELLING_CHARACTERS_MIN = 3;
/** How deep values are looked through. What lies deeper is masked as a whole: nobody knows whether a pattern names it. */
const LEVELS_MAX = 500;

/** Masks what patterns name, and secrets wherever they stand. */
export class Masking {
  readonly #patterns: readonly RedactPattern[];
  /** The longest first: one may be part of another. */
  readonly #secrets: readonly string[];

  /** `secrets` are texts that nothing is to show, such as a password in a constant. */
  constructor(patterns: readonly RedactPattern[] = [], secrets: readonly string[] = []) {
    this.#patterns = patterns;
    this.#secrets = secrets.filter((secret) => secret !== "").sort((a, b) => b.length - a.length);
  }

  /** Whether there is nothing to mask. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0 && this.#secrets.length === 0;
  }

  /** The payload with a mask for each value that a pattern names; the very payload where none does. */
  payload(payload: unknown): unknown {
    return this.#masked(payload, ["payload"], ["payload"]);
  }

  /** The same for metadata. */
  meta(meta: Meta): Meta {
    // A pattern such as `meta.**` names the metadata as a whole.
    const masked = this.#masked(meta, ["meta"], ["meta"]);
    return typeof masked === "string"
      ? Object.fromEntries(Object.keys(meta).map((key) => [key, MASK]))
      : masked as Meta;
  }

  /**
   * The text without the values that are masked in the payload and metadata, as far as they stand in it word for word:
   * what a script says when it fails may quote them.
   */
  text(text: string, { payload, meta }: { readonly payload: unknown; readonly meta: Meta }): string {
    if (this.isEmpty) return text;
    const hidden = new Set<string>();
    addHidden(payload, this.payload(payload), hidden);
    addHidden(meta, this.meta(meta), hidden);
    // The longest first: a value may be part of another.
    const values = [...hidden].sort((a, b) => b.length - a.length);
    return this.#withoutSecrets(values.reduce((shown, value) => shown.replaceAll(value, MASK), text));
  }

  #withoutSecrets(text: string): string {
    return this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
  }

  /** `plain` is the path without the positions in lists: a pattern need not name them. */
  #masked(value: unknown, path: readonly string[], plain: readonly string[]): unknown {
    if (this.isEmpty) return value;
    if (this.#patterns.some((pattern) => pattern.matches(path) || pattern.matches(plain))) return MASK;
    if (path.length > LEVELS_MAX && typeof value === "object" && value !== null) return MASK;
    if (typeof value === "string") return this.#withoutSecrets(value);
    if (Array.isArray(value)) {
      const items = value.map((item, i) => this.#masked(item, [...path, String(i)], plain));
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    const members = Object.entries(value).map(([key, member]): [string, unknown] => {
      return [key, this.#masked(member, [...path, key], [...plain, key])];
    });
    const given: { readonly [key: string]: unknown } = { ...value };
    return members.some(([key, member]) => member !== given[key]) ? Object.fromEntries(members) : value;
  }
}

/** Adds the texts of values that are masked. */
function addHidden(value: unknown, masked: unknown, hidden: Set<string>): void {
  if (value === masked) return;
  if (masked === MASK) return addTexts(value, hidden);
  if (typeof value !== "object" || value === null || typeof masked !== "object" || masked === null) return;
  const after: { readonly [key: string]: unknown } = { ...masked };
  for (const [key, member] of Object.entries(value)) addHidden(member, after[key], hidden);
}

/** Nested values wait in a list and not on the stack: a message may be nested deeper than that holds. */
function addTexts(value: unknown, hidden: Set<string>): void {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "object" && next !== null) { for (const member of Object.values(next)) waiting.push(member); }
    else if (typeof next === "string" || typeof next === "number" || typeof next === "bigint") {
      const text = String(next);
      if (text.length >= TELLING_CHARACTERS_MIN) hidden.add(text);
    }
  }
}
