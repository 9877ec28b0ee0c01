/** Owns the built-in codec `csv`. */

import type { CodecPlugin, PluginIssue } from "../../../plugin/mod.ts";
import { block, choice, define, flag, list, text } from "../../../schema/mod.ts";
import { CELL_TYPES } from "./cell_types.ts";
import { CsvTable } from "./csv_table.ts";

const ONE_CHARACTER_PATTERN = "^[^\\r\\n]$";

const schema = block({
  columns: list(
    block({
      name: text({ description: "Name of the field in the payload." }),
      type: choice(CELL_TYPES, {
        description: "Type of its values. An empty cell is `null`, or an empty text where the type is `string`.",
      }),
    }),
    { description: "The columns, in the order of the cells." },
  ),
  header: flag({
    description: "Reading: a line that holds the names of the columns is no message. Writing: a file begins with one.",
    default: false,
  }),
  delimiter: text({
    description: "Character between two cells.",
    default: ",",
    pattern: ONE_CHARACTER_PATTERN,
    expected: 'one character (a tab is written "\\t", in double quotes)',
  }),
  quote: text({
    description: "Character around a cell that holds a delimiter, a quote or a line break.",
    default: '"',
    pattern: ONE_CHARACTER_PATTERN,
    expected: "one character",
  }),
});

/** Records of cells: RFC 4180, one a message. */
export const csvCodec: CodecPlugin<typeof schema> = {
  kind: "codec",
  name: "csv",
  version: 1,
  summary: "Comma-separated values as in RFC 4180, one record a message: a mapping from column to typed value.",
  capabilities: [],
  definition: define(schema),
  check({ columns, delimiter, quote }): readonly PluginIssue[] {
    const issues: PluginIssue[] = [];
    const seen = new Set<string>();
    for (const [index, { name }] of columns.entries()) {
      if (seen.has(name)) {
        issues.push({
          path: ["columns", index, "name"],
          message: `must differ from every other column's name, and ${JSON.stringify(name)} is there already`,
        });
      }
      seen.add(name);
    }
    if (delimiter === quote) {
      issues.push({ path: ["quote"], message: `must differ from delimiter, and both are ${JSON.stringify(quote)}` });
    }
    return issues;
  },
  create: ({ columns, header, delimiter, quote }) => new CsvTable({ columns, header, dialect: { delimiter, quote } }),
};
