/** Owns the making of definitions: a schema with its validator, compiled when it is first asked. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Static, TSchema } from "typebox";
import type { Data } from "../base/mod.ts";
import { reasonOf } from "../diagnostics/mod.ts";
import { isMapping, type SchemaView, withDefaults } from "./default_values.ts";
import type { Definition, Parsed } from "./definition.ts";
import { issuesOf } from "./issues.ts";

/** Annotations of ours that a validator has to let pass. */
const ANNOTATIONS = ["x-expected"];

/**
 * Makes the definition of a block. The validator is compiled at the first `parse` and kept: most programs check few of
 * the plugins they know, and compiling all would be felt at every start.
 */
export function define<Schema extends TSchema>(schema: Schema): Definition<Schema> {
  // `validateSchema: false`: the schema is ours, its golden file and `strict` catch mistakes, and meta-schemas are slow.
  return definition(schema, () =>
    new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      allErrors: true,
      verbose: true,
      meta: false,
      validateSchema: false,
      validateFormats: false,
      keywords: ANNOTATIONS,
    }).compile(schema));
}

/** A schema from outside (a manifest's `config_schema`): its definition, or what is wrong with it. */
export type ForeignDefinition =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly message: string };

/** Makes the definition of a schema that is not ours: checked against draft 2020-12, and compiled at once. */
export function defineForeign(schema: Data): ForeignDefinition {
  if (!isMapping(schema)) return { ok: false, message: "the schema must be a mapping (JSON Schema, draft 2020-12)" };
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    validateFormats: false,
    keywords: ANNOTATIONS,
  });
  try {
    // Not typed: whatever the schema says, its values are plain data.
    const validate = ajv.compile(schema as SchemaView & object);
    return { ok: true, definition: definition(schema as TSchema, () => validate) };
  } catch (caught) {
    return { ok: false, message: reasonOf(caught) };
  }
}

function definition<Schema extends TSchema>(schema: Schema, compile: () => ValidateFunction): Definition<Schema> {
  const view = schema as SchemaView;
  let validate: ValidateFunction | undefined;
  return {
    schema,
    parse(value: unknown): Parsed<Static<Schema>> {
      validate ??= compile();
      const block = value === null && view.type === "object" ? {} : value;
      const filled = withDefaults(schema, block);
      if (validate(filled)) return { ok: true, value: filled as Static<Schema> };
      return { ok: false, issues: issuesOf(validate.errors ?? [], filled) };
    },
  };
}
