/** Owns the block of the `sql` sink: its fields and rules. */

import type { Static } from "typebox";
import { type CelExpression, compileCel, type Compiled } from "../../../languages/mod.ts";
import type { CheckContext, PluginIssue } from "../../../plugin/mod.ts";
import { block, choice, define, list, oneOf, optional, record, text } from "../../../schema/mod.ts";
import { ARGUMENT_NAME_PATTERN, checkDsn, driverField, dsnField } from "../../shared/sql/fields.ts";
import { SqlText } from "../../shared/sql/sql_text.ts";

const KEY_COLUMNS_MAX = 16;

/** The block of the `sql` sink. */
export const sqlSinkDefinition = define(block({
  driver: driverField(),
  dsn: dsnField(),
  table: optional(text({
    description: "Table that messages become rows of, `table` or `schema.table`: the members of the payload are its " +
      "columns. Excludes `statement`.",
    pattern: "^[^.]+(\\.[^.]+)?$",
    expected: "a table such as orders or shop.orders",
    examples: ["orders", "shop.orders"],
  })),
  mode: choice(["insert", "upsert"], {
    description: "With `table`: whether a row whose `key` is there already is an error, or is updated.",
    default: "insert",
  }),
  key: optional(oneOf([
    text({ description: "Column." }),
    list(text({ description: "Column." }), { description: "Columns.", maxItems: KEY_COLUMNS_MAX }),
  ], { description: "Columns of the primary key or a unique index, for `mode: upsert`." })),
  statement: optional(text({
    description: "Statement run for each message, with `:name` where a value of `bindings` belongs. Excludes `table`.",
    examples: ["UPDATE stock SET left_over = left_over - :amount WHERE sku = :sku"],
  })),
  bindings: record(text({ description: "CEL.", examples: ["payload.sku"] }), {
    description: "Values for the placeholders of `statement`, each an expression on `payload` and `meta`.",
    default: {},
    namePattern: ARGUMENT_NAME_PATTERN,
  }),
}));

/** A block with its defaults filled in. */
export type SqlSinkConfig = Static<typeof sqlSinkDefinition.schema>;

/** The columns of the key; empty where there is none. */
export function sinkKey({ key }: SqlSinkConfig): readonly string[] {
  if (key === undefined) return [];
  return typeof key === "string" ? [key] : key;
}

/** The expressions of a block, by the name of their placeholder. */
export function compileBindings({ bindings }: SqlSinkConfig): ReadonlyMap<string, Compiled<CelExpression>> {
  return new Map(Object.entries(bindings).map(([name, source]) => [name, compileCel(source)]));
}

/** Names of constants or parameters that the expressions read; `*` where a name is computed. */
export function bindingReads(config: SqlSinkConfig, wanted: "constants" | "parameters"): readonly string[] {
  const reads = [...compileBindings(config).values()].flatMap((compiled) => compiled.ok ? compiled.program.reads : []);
  return reads.map((read) => read.split(".")).filter(([root]) => root === wanted).map(([, name]) => name ?? "*");
}

/** Everything wrong with a block that fits its schema. */
export function checkSink(config: SqlSinkConfig, context: CheckContext): readonly PluginIssue[] {
  const issues = [...checkDsn(config, context), ...checkShape(config)];
  if (config.statement !== undefined) issues.push(...checkStatement(config, config.statement));
  for (const [name, compiled] of compileBindings(config)) {
    if (compiled.ok) continue;
    for (const { offset, message, hint } of compiled.issues) {
      const path = ["bindings", name];
      issues.push({ code: "expr_cel_compile", path, offset, message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  return issues;
}

function checkShape(config: SqlSinkConfig): readonly PluginIssue[] {
  const { table, statement, mode, key } = config;
  const issues: PluginIssue[] = [];
  if ((table === undefined) === (statement === undefined)) {
    issues.push({ path: [], message: "must hold one of table and statement" });
  }
  if (mode === "upsert" && (table === undefined || key === undefined)) {
    issues.push({ path: ["mode"], message: "mode: upsert needs table and key" });
  }
  if (mode === "insert" && key !== undefined) {
    issues.push({ path: ["key"], message: "key is for mode: upsert", hint: "add `mode: upsert`, or leave key out" });
  }
  if (statement === undefined && Object.keys(config.bindings).length > 0) {
    issues.push({ path: ["bindings"], message: "bindings are for a statement" });
  }
  return issues;
}

function checkStatement({ driver, bindings }: SqlSinkConfig, statement: string): readonly PluginIssue[] {
  const path = ["statement"];
  const text = new SqlText(statement, driver);
  const issues: PluginIssue[] = text.issues.map(({ offset, message }) => ({
    path,
    offset,
    message: `statement ${message}`,
  }));
  const { names } = text;
  for (const name of names) {
    if (Object.hasOwn(bindings, name)) continue;
    issues.push({ path, message: `statement has a placeholder :${name}, and bindings has no ${name}` });
  }
  for (const name of Object.keys(bindings)) {
    if (names.includes(name)) continue;
    const message = `bindings has ${name}, and statement has no placeholder :${name}`;
    issues.push({ path: ["bindings", name], message });
  }
  return issues;
}
