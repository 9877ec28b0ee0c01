/** Owns the error of a database: what kind of trouble it is, whatever driver said so. */

/**
 * `connection`: there is none, or it was lost; another may help. `transient`: the same statement may succeed another
 * time. `canceled`: the caller let go. `final`: the statement, the login or the data is at fault.
 */
export type SqlErrorKind = "connection" | "transient" | "canceled" | "final";

/** Trouble with a database. The message is the server's or driver's own; it holds no password. */
export class SqlError extends Error {
  override readonly name = "SqlError";
  readonly kind: SqlErrorKind;
  /** SQLSTATE, or the driver's own code; undefined where neither is known. */
  readonly code: string | undefined;

  constructor(kind: SqlErrorKind, message: string, options: { readonly code?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
  }
}

/** The error of whoever was told to stop. */
export function canceledError(): SqlError {
  return new SqlError("canceled", "the query was cancelled");
}
