/** Owns the verbs `plugin catalog` and `plugin schema`. */

import { type CatalogEntry, OPERATIONS } from "../ops/mod.ts";
import { EXIT_OK } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import { wrapped } from "./line_width.ts";
import { jsonText, type Session } from "./session.ts";

/** Lists every plugin. */
export async function catalogVerb(session: Session): Promise<number> {
  const answer = await session.perform(OPERATIONS.plugin_catalog, {});
  session.answer(answer, ({ plugins }) => catalogText(plugins, session.terminal.outColumns()));
  return EXIT_OK;
}

/** Prints a schema, which is JSON in either form, or writes all of them into a folder. */
export async function schemaVerb(
  { name, kind, dir, what }: Invocation & { readonly verb: "plugin schema" },
  session: Session,
): Promise<number> {
  if (what === "all") {
    const { files } = await session.perform(OPERATIONS.plugin_schema_files, { dir });
    session.answer({ files }, () => files.map((file) => `${file}\n`).join(""));
    return EXIT_OK;
  }
  const input = what === "one" ? { name, kind } : { [what]: true };
  const { schema } = await session.perform(OPERATIONS.plugin_schema, input);
  session.terminal.out(jsonText(schema));
  return EXIT_OK;
}

/** The catalogue as a table whose columns line up. */
function catalogText(plugins: readonly CatalogEntry[], columns: number | undefined): string {
  const rows = plugins.map(({ kind, name, version, capabilities, summary }) => [
    kind,
    name,
    `v${version}`,
    capabilities.join(", "),
    summary,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const summaryAt = widths.reduce((sum, width) => sum + width + 2, 0);
  return rows.map((row) => {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
    return `${wrapped(line, columns, summaryAt)}\n`;
  }).join("");
}
