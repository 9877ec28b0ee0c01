/** Owns what SQLite's errors mean for whoever runs a statement. */

import { SqlError } from "./sql_error.ts";

/** Result codes: busy, locked, interrupted, out of memory, a read-only file for the moment, I/O, full. */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([5, 6, 7, 9, 10, 13]);
const PRIMARY_CODE_MASK = 0xff;

/** The error of a statement, or of opening the file. */
export function sqliteError(caught: unknown): SqlError {
  if (caught instanceof SqlError) return caught;
  if (!(caught instanceof Error)) return new SqlError("final", String(caught), { cause: caught });
  const code = "errcode" in caught && typeof caught.errcode === "number" ? caught.errcode : undefined;
  const isTransient = code !== undefined && TRANSIENT_CODES.has(code & PRIMARY_CODE_MASK);
  return new SqlError(isTransient ? "transient" : "final", caught.message, {
    cause: caught,
    ...(code === undefined ? {} : { code: String(code) }),
  });
}
