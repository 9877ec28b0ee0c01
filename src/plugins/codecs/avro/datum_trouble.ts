/** Owns what is wrong with a datum, told from the inside out: each level adds its step to the path. */

import { foundValue } from "../../../base/mod.ts";
import { CodecError } from "../../../plugin/mod.ts";
import { foundInPayload } from "../../shared/found_in_payload.ts";

const PLAIN_KEY_REGEXP = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Something wrong inside a datum or a payload. */
export class DatumTrouble extends Error {
  override readonly name = "DatumTrouble";
  /** Steps from the innermost outwards. */
  readonly #steps: (string | number)[] = [];

  /** Adds the step that led to the trouble. */
  within(step: string | number): this {
    this.#steps.push(step);
    return this;
  }

  /** Where it is: `payload.items[3].sku`. */
  get place(): string {
    let place = "payload";
    for (const step of this.#steps.toReversed()) {
      if (typeof step === "number") place += `[${step}]`;
      else place += PLAIN_KEY_REGEXP.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    }
    return place;
  }
}

/** What was expected and what was found. */
export function mismatch(expected: string, found: unknown): DatumTrouble {
  const shown = typeof found === "string" ? foundValue(found) : foundInPayload(found);
  return new DatumTrouble(`must be ${expected}, found ${shown}`);
}

/** What was caught, with one more step where it is trouble of a datum. */
export function within(caught: unknown, step: string | number): unknown {
  return caught instanceof DatumTrouble ? caught.within(step) : caught;
}

/** The error of a codec for what was thrown while a datum was read or written. */
export function asCodecError(caught: unknown): CodecError {
  if (caught instanceof CodecError) return caught;
  if (caught instanceof DatumTrouble) return new CodecError(`${caught.place} ${caught.message}`, caught);
  if (caught instanceof RangeError) return new CodecError("it is nested too deeply", caught);
  throw caught;
}
