/** Owns the typed config definition: one object that gives type, JSON Schema, defaults, validation and docs. */

import type { Static, TSchema } from "typebox";

/** A value of a block that does not fit its definition. */
export interface ConfigIssue {
  /** Keys and indexes from the block to the value; empty for the block itself. */
  readonly path: readonly (string | number)[];
  /** Set where the field's name is wrong, not its value: the finding stands at the name. */
  readonly atKey?: true;
  /** What is required and what was found. */
  readonly message: string;
  readonly hint?: string;
}

/** What parsing a block gives: the typed value with defaults filled in, or everything that is wrong with it. */
export type Parsed<Config> =
  | { readonly ok: true; readonly value: Config }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/** The single truth about a block's fields. */
export interface Definition<Schema extends TSchema = TSchema> {
  /** Plain JSON Schema, draft 2020-12, properties in declaration order, `additionalProperties: false` everywhere. */
  readonly schema: Schema;
  /** Validates and fills in defaults, on a copy. A null block counts as an empty one where the schema is a mapping. */
  parse(value: unknown): Parsed<Static<Schema>>;
}
