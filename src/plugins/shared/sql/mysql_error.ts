/** Owns what the errors of MySQL and MariaDB mean for whoever runs a statement. */

import { SqlError } from "./sql_error.ts";

/** Too many connections, shutting down, killed, network trouble, lost, a server that became a replica. */
const CONNECTION_NUMBERS: ReadonlySet<number> = new Set([
  ...[1040, 1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1203, 1226, 1290, 1836, 1927, 2006, 2013],
]);
/** A deadlock, a lock that was not to be had in time, a query that an administrator ended. */
const TRANSIENT_NUMBERS: ReadonlySet<number> = new Set([1205, 1213, 1317, 1969, 3572]);
/** Errors that the client makes itself are numbered here; most are about the connection. */
const CLIENT_NUMBERS = { first: 45_001, last: 45_999 };
/** The client's own: placeholders, packets that are too large, no TLS on the server, a login it does not know. */
const CLIENT_FINAL_NUMBERS: ReadonlySet<number> = new Set([45_016, 45_017, 45_018, 45_020, 45_046, 45_047, 45_049]);
/** The server takes no TLS. */
export const NO_TLS_NUMBER = 45_023;
const FINAL_CODES: ReadonlySet<string> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

interface ClientFields {
  readonly errno?: unknown;
  readonly sqlMessage?: unknown;
  readonly fatal?: unknown;
  readonly code?: unknown;
}

/** The error of a statement or a login. */
export function mysqlError(caught: unknown): SqlError {
  if (caught instanceof SqlError) return caught;
  if (!(caught instanceof Error)) return new SqlError("final", String(caught), { cause: caught });
  if (caught.name === "NotCapable") return new SqlError("final", caught.message, { cause: caught });
  const { errno, sqlMessage, code }: Error & ClientFields = caught;
  // The message alone holds the statement too, with the values in it.
  const message = typeof sqlMessage === "string" && sqlMessage !== "" ? sqlMessage : caught.message;
  const options = { cause: caught, ...(typeof errno === "number" ? { code: String(errno) } : {}) };
  return new SqlError(kindOf(errno, code, caught), message, options);
}

function kindOf(errno: unknown, code: unknown, caught: Error & ClientFields): SqlError["kind"] {
  const inner = caught.cause instanceof Error && "code" in caught.cause ? caught.cause.code : code;
  if (typeof inner === "string" && FINAL_CODES.has(inner)) return "final";
  if (typeof errno !== "number") return "connection";
  if (TRANSIENT_NUMBERS.has(errno)) return "transient";
  if (CONNECTION_NUMBERS.has(errno)) return "connection";
  if (CLIENT_FINAL_NUMBERS.has(errno) || errno === NO_TLS_NUMBER) return "final";
  // The platform's errors have negative numbers.
  if (errno < 0 || (errno >= CLIENT_NUMBERS.first && errno <= CLIENT_NUMBERS.last)) return "connection";
  return "final";
}
