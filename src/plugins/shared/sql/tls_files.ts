/** Owns the TLS options of a client from the files that an address names. */

import { reasonOf } from "../../../diagnostics/mod.ts";
import type { TlsOptions } from "./dsn.ts";
import { SqlError } from "./sql_error.ts";

/** Options of `node:tls`, as both servers' clients take them. */
export interface ClientTls {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly checkServerIdentity?: () => undefined;
}

/** Options for a mode other than `off`. Files are read anew for each connection: certificates are renewed. */
export function clientTls(tls: TlsOptions): ClientTls {
  const verifies = tls.mode === "verify-ca" || tls.mode === "verify-full";
  return {
    rejectUnauthorized: verifies,
    ...(tls.caFile === undefined ? {} : { ca: readPem(tls.caFile) }),
    ...(tls.certFile === undefined ? {} : { cert: readPem(tls.certFile) }),
    ...(tls.keyFile === undefined ? {} : { key: readPem(tls.keyFile) }),
    ...(tls.mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
  };
}

function readPem(file: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch (cause) {
    throw new SqlError("final", `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}
