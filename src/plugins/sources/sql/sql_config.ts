/** Owns the block of the `sql` source: its fields, defaults and ranges. */

import type { Static } from "typebox";
import { block, choice, define, duration, integer, list, oneOf, optional, record, text } from "../../../schema/mod.ts";
import { argument, ARGUMENT_NAME_PATTERN, driverField, dsnField } from "../../shared/sql/fields.ts";

/** Rows read at once where the block does not say. */
export const PAGE_ROWS = 1000;
const PAGE_ROWS_MAX = 100_000;
const POLL_MAX_MS = 86_400_000;

const column = (description: string) => text({ description, examples: ["updated_at"] });

/** The block of the `sql` source. */
export const sqlDefinition = define(block({
  driver: driverField(),
  dsn: dsnField(),
  query: text({
    description: "One SELECT, with `:name` where a value of `args` belongs. With `cursor` or `pagination` it is read " +
      "as a subquery, in the order of the key: an ORDER BY or LIMIT of its own says which rows belong to it.",
    examples: ["SELECT * FROM orders WHERE region = :region"],
  }),
  args: record(argument(), {
    description: "Values for the placeholders of `query`.",
    default: {},
    namePattern: ARGUMENT_NAME_PATTERN,
  }),
  cursor: optional(block({
    column: column(
      "Column that grows with every insert or update. What is committed is remembered by it, and the next run or " +
        "poll goes on behind it.",
    ),
    lag: optional(duration({
      description: "Rows younger than this, by the server's clock and a date and time in `column`, are left for " +
        "later, so that a transaction that commits late is not passed by. At least as long as the longest one " +
        "takes. Default: none.",
    })),
  }, { description: "How the source knows what it has read. Without it every run reads everything." })),
  pagination: optional(block({
    key: oneOf([
      column("Column that is different in every row."),
      list(column("Column."), { description: "Columns that are together different in every row.", maxItems: 16 }),
    ], {
      description: "What rows are ordered by and reading goes on after: a column, or a list of columns that are " +
        "together unique, none of them ever NULL. The first is `cursor.column`, where there is one.",
    }),
    page_size: integer({
      description: "Rows read at once.",
      default: PAGE_ROWS,
      minimum: 1,
      maximum: PAGE_ROWS_MAX,
    }),
  }, { description: "How a large result is read. Default: by `cursor.column`, 1000 rows at once." })),
  emit: choice(["row", "page"], {
    description: "A message a row, or a message a page: a list of rows.",
    default: "row",
  }),
  poll_every_ms: integer({
    description: "How often a continuous pipeline looks for new rows.",
    default: 1000,
    minimum: 10,
    maximum: POLL_MAX_MS,
  }),
}));

/** A block with its defaults filled in. */
export type SqlSourceConfig = Static<typeof sqlDefinition.schema>;

/** The columns that a block's rows are ordered by; empty where they are not. */
export function keyColumns({ pagination, cursor }: SqlSourceConfig): readonly string[] {
  if (pagination !== undefined) return typeof pagination.key === "string" ? [pagination.key] : pagination.key;
  return cursor === undefined ? [] : [cursor.column];
}
