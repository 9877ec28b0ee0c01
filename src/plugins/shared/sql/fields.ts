/** Owns the fields that the `sql` source and sink have in common. */

import type { CheckContext, Needs, PluginIssue } from "../../../plugin/mod.ts";
import { choice, type Field, flag, number, oneOf, text } from "../../../schema/mod.ts";
import { type Dsn, dsnNeeds, parseDsn } from "./dsn.ts";
import { DsnError } from "./dsn_error.ts";
import { SQL_DRIVERS, type SqlDriver } from "./sql_connection.ts";

/** Names of placeholders. */
export const ARGUMENT_NAME_PATTERN = "^[A-Za-z_][A-Za-z0-9_]*$";

/** The largest number that stands for itself. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** The field `driver`. */
export function driverField(): Field<SqlDriver> {
  return choice(SQL_DRIVERS, { description: "The database; `mysql` is MariaDB too." });
}

/** The field `dsn`. */
export function dsnField(): Field<string> {
  return text({
    description:
      "Its address: a URL (`postgres://`, `mysql://`), or for `sqlite` a file from the pipeline file's folder.",
    examples: ["postgres://app:${DB_PASSWORD}@db:5432/shop?sslmode=verify-full", "shop.db"],
  });
}

/** A value of `args`. */
export function argument(): Field<string | number | boolean> {
  return oneOf([
    text({ description: "Text.", minLength: 0 }),
    number({ description: "A number.", minimum: -NUMBER_MAX, maximum: NUMBER_MAX }),
    flag({ description: "True or false." }),
  ], { description: "The value." });
}

/** What both blocks have. */
interface Addressed {
  readonly driver: SqlDriver;
  readonly dsn: string;
}

/** What is wrong with the address of a block. */
export function checkDsn({ driver, dsn }: Addressed, context: CheckContext): readonly PluginIssue[] {
  const parsed = readDsn({ driver, dsn }, context);
  return parsed instanceof DsnError ? [{ path: ["dsn"], message: `dsn ${parsed.message}` }] : [];
}

/** What a block needs of the platform; nothing where its address cannot be read, which `check` refuses. */
export function needsOfDsn(config: Addressed, context: CheckContext): Needs {
  const dsn = readDsn(config, context);
  return dsn instanceof DsnError ? {} : dsnNeeds(dsn);
}

/** The address, or what is wrong with it. */
export function readDsn({ driver, dsn }: Addressed, context: CheckContext): Dsn | DsnError {
  try {
    return parseDsn(driver, dsn, context.directory);
  } catch (caught) {
    if (caught instanceof DsnError) return caught;
    throw caught;
  }
}
