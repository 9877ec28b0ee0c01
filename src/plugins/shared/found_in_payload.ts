/** Owns what codecs say of a value in a payload that is not what they need. */

import { foundText } from "../../base/mod.ts";

/** A payload's mapping. */
export type PayloadMapping = { readonly [key: string]: unknown };

/** Whether a value is a mapping: no list, and no bytes. */
export function isMapping(value: unknown): value is PayloadMapping {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** What a value is, to follow "found": `a mapping`, `bytes`, `the number 7`. Texts are not quoted. */
export function foundInPayload(value: unknown): string {
  return ArrayBuffer.isView(value) ? "bytes" : foundText(value);
}
