/** Owns what PostgreSQL's errors mean for whoever runs a statement. */

import { SqlError } from "./sql_error.ts";

/** Classes of SQLSTATE after which the session is of no more use. */
const CONNECTION_CLASSES: ReadonlySet<string> = new Set(["08", "57P01", "57P02", "57P03", "57P05", "25P03", "53300"]);
/** Serialization, deadlock, a lock that was not to be had, too little room of some sort for the moment. */
const TRANSIENT_CLASSES: ReadonlySet<string> = new Set(["40", "55P03", "53"]);
/** Codes of the platform that mean that no other attempt would do better. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

interface ServerFields {
  readonly code?: unknown;
  readonly detail?: unknown;
  /** What the server alone says: the platform's codes may look like its own, as EPIPE does. */
  readonly severity?: unknown;
  readonly message: string;
}

/** The error of a statement or a login. What the server did not say itself is trouble with the connection. */
export function postgresError(caught: unknown): SqlError {
  if (caught instanceof SqlError) return caught;
  if (!(caught instanceof Error)) return new SqlError("final", String(caught), { cause: caught });
  const { code, detail, severity, message }: ServerFields = caught;
  if (caught.name === "NotCapable") return new SqlError("final", message, { cause: caught });
  if (typeof code !== "string" || typeof severity !== "string") {
    const kind = typeof code === "string" && FINAL_CODES.has(code) ? "final" : "connection";
    return new SqlError(kind, message, { cause: caught, ...(typeof code === "string" ? { code } : {}) });
  }
  const within = (classes: ReadonlySet<string>) => classes.has(code) || classes.has(code.slice(0, 2));
  const kind = within(CONNECTION_CLASSES) ? "connection" : within(TRANSIENT_CLASSES) ? "transient" : "final";
  const told = typeof detail === "string" && detail !== "" ? `${message} (${detail})` : message;
  return new SqlError(kind, told, { code, cause: caught });
}
