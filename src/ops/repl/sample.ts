/** Owns the message that a script or expression is tried on, and what a pipeline would give beside it. */

import type { Data } from "../../base/mod.ts";
import { EventboatError, reasonOf } from "../../diagnostics/mod.ts";
import type { Environment } from "../../languages/mod.ts";
import type { Meta } from "../../message/mod.ts";
import { decodeJson } from "../../plugins/mod.ts";

/** A message to try things on. */
export interface ReplSample {
  readonly payload: unknown;
  readonly meta: Meta;
}

/** The metadata of a message as the engine stamps it; fixed, so that the same line gives the same answer every time. */
const STAMPED: Meta = {
  message_id: "019b76da-a800-7000-8000-000000000001",
  ingest_time: "2026-01-01T00:00:00.000Z",
  source: "repl",
};

/** Levels of data that an answer can hold: more than a script may leave behind. */
const LEVELS_MAX = 1000;

/** A sample and its surroundings as a user writes them: JSON texts, so that every digit of a number arrives. */
export interface SampleTexts {
  /** The payload. Default: an empty mapping. */
  readonly message?: string;
  /** Metadata laid over what a message always has. */
  readonly meta?: string;
  readonly constants?: string;
  readonly parameters?: string;
}

/** Reads a sample. @throws {EventboatError} `usage` */
export function readSample({ message, meta }: Pick<SampleTexts, "message" | "meta">): ReplSample {
  return {
    payload: message === undefined ? {} : parse(message, "the message"),
    meta: { ...STAMPED, ...readMapping(meta, "the metadata") },
  };
}

/** Reads what a pipeline gives. @throws {EventboatError} `usage` */
export function readEnvironment({ constants, parameters }: SampleTexts): Environment {
  return {
    constants: readMapping(constants, "the constants"),
    parameters: readMapping(parameters, "the parameters"),
  };
}

/** Reads a JSON object; an empty one where there is no text. @throws {EventboatError} `usage` */
export function readMapping(text: string | undefined, what: string): { readonly [name: string]: Data } {
  const value = text === undefined ? {} : parse(text, what);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new EventboatError("usage", `cannot use ${what}: a JSON object is needed, it is ${kindOf(value)}`);
  }
  return value as { readonly [name: string]: Data };
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function parse(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = decodeJson(new TextEncoder().encode(text));
  } catch (caught) {
    throw new EventboatError("usage", `cannot read ${what} as JSON: ${reasonOf(caught)}`, { cause: caught });
  }
  if (levelsOf(value) > LEVELS_MAX) {
    throw new EventboatError("usage", `cannot use ${what}: it nests more than ${LEVELS_MAX} levels`);
  }
  return value;
}

/** How many lists and mappings lie in one another, as far as it matters. */
function levelsOf(value: unknown): number {
  let level: readonly unknown[] = [value];
  let levels = 0;
  while (level.length > 0 && levels <= LEVELS_MAX) {
    level = level.flatMap((each) => typeof each === "object" && each !== null ? Object.values(each) : []);
    levels++;
  }
  return levels;
}
