/** Owns the address of a database: read from the text a block gives, told without its password. */

import { isAbsolute, resolve } from "node:path";
import type { Needs } from "../../../plugin/mod.ts";
import type { SqlDriver } from "./sql_connection.ts";
import { DsnError } from "./dsn_error.ts";
import { parseMysqlDsn } from "./mysql_dsn.ts";
import { parsePostgresDsn } from "./postgres_dsn.ts";
import { parseSqliteDsn } from "./sqlite_dsn.ts";

/**
 * How TLS is used. `off`: never. `prefer`: where the server offers it, whoever it is. `require`: always, whoever it is.
 * `verify-ca`: the certificate's chain is checked. `verify-full`: its name too.
 */
export type TlsMode = "off" | "prefer" | "require" | "verify-ca" | "verify-full";

/** TLS of a connection; files are absolute paths of PEM files. */
export interface TlsOptions {
  readonly mode: TlsMode;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** A server's address and login. */
export interface ServerDsn {
  readonly driver: "mysql" | "postgres";
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: TlsOptions;
  readonly connectTimeoutMs: number;
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string>>;
  readonly applicationName: string;
}

/** A database in a file. */
export interface SqliteDsn {
  readonly driver: "sqlite";
  /** Absolute. */
  readonly path: string;
  readonly readOnly: boolean;
}

/** The address of a database. */
export type Dsn = ServerDsn | SqliteDsn;

/** How long a connection may take to be made, in milliseconds, where the address does not say. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Name that sessions give themselves where the address does not say. */
export const APPLICATION_NAME = "eventboat";

/** Reads an address. Relative paths are read from `directory`. @throws {DsnError} */
export function parseDsn(driver: SqlDriver, text: string, directory: string): Dsn {
  const dsn = driver === "postgres"
    ? parsePostgresDsn(text)
    : driver === "mysql"
    ? parseMysqlDsn(text)
    : parseSqliteDsn(text);
  if (dsn.driver === "sqlite") return { ...dsn, path: resolve(directory, dsn.path) };
  const { caFile, certFile, keyFile, mode } = dsn.tls;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new DsnError("names one of a client's certificate and its key, and needs both");
  }
  const absolute = (path: string) => isAbsolute(path) ? path : resolve(directory, path);
  return {
    ...dsn,
    tls: {
      mode,
      ...(caFile === undefined ? {} : { caFile: absolute(caFile) }),
      ...(certFile === undefined ? {} : { certFile: absolute(certFile) }),
      ...(keyFile === undefined ? {} : { keyFile: absolute(keyFile) }),
    },
  };
}

/** What a connection to this address needs of the platform. */
export function dsnNeeds(dsn: Dsn): Needs {
  if (dsn.driver === "sqlite") {
    // The journal, the write-ahead log and its index come and go beside the file.
    const files = ["", "-journal", "-wal", "-shm"].map((suffix) => dsn.path + suffix);
    return { read: files, write: files };
  }
  const { caFile, certFile, keyFile } = dsn.tls;
  const read = [caFile, certFile, keyFile].filter((file) => file !== undefined);
  return {
    net: [hostPort(dsn)],
    ...(read.length === 0 ? {} : { read }),
    // Its client sizes buffers by the memory there is, and tells the server the name of this machine.
    ...(dsn.driver === "mysql" ? { sys: ["systemMemoryInfo", "hostname"] } : {}),
  };
}

/** The address for logs and messages: no user, no password. */
export function shownDsn(dsn: Dsn): string {
  return dsn.driver === "sqlite" ? dsn.path : `${dsn.driver} at ${hostPort(dsn)}, database "${dsn.database}"`;
}

function hostPort({ host, port }: ServerDsn): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
