/** Owns addresses of MySQL and MariaDB: a URL, or the form `user:password@tcp(host:port)/database`. */

import { APPLICATION_NAME, CONNECT_TIMEOUT_MS, type ServerDsn, type TlsMode } from "./dsn.ts";
import { DsnError, DsnParams, portOf, timeoutOf, type UrlParts, urlParts } from "./dsn_error.ts";

const PORT = 3306;
const SCHEME_REGEXP = /^(?:mysql|mariadb):\/\//i;
const TCP_REGEXP = /^(?:(.*)@)?tcp\((\[[0-9a-fA-F:.]+\]|[^:()]*)(?::(\d*))?\)\/([^?]*)(?:\?(.*))?$/s;

const TLS_MODES: ReadonlyMap<string, TlsMode> = new Map([
  ["disabled", "off"],
  ["preferred", "prefer"],
  ["required", "require"],
  ["verify_ca", "verify-ca"],
  ["verify_identity", "verify-full"],
]);

/** The words of Go's driver for the same. */
const TLS_WORDS: ReadonlyMap<string, TlsMode> = new Map([
  ["false", "off"],
  ["preferred", "prefer"],
  ["skip-verify", "require"],
  ["true", "verify-full"],
]);

/**
 * What a session's `TIMESTAMP` values are told in. UTC, where every moment has one name; in a zone with summer time an
 * hour of the year has two meanings.
 */
const TIME_ZONE = "+00:00";

/** Reads an address. @throws {DsnError} */
export function parseMysqlDsn(text: string): ServerDsn {
  const parts = SCHEME_REGEXP.test(text) ? urlParts(text, "mysql") : tcpParts(text);
  if (parts.user === "") throw new DsnError("must name the user");
  if (parts.path === "") throw new DsnError("must name the database");
  const params = new DsnParams(parts.params);
  const dsn: ServerDsn = {
    driver: "mysql",
    host: parts.host || "localhost",
    port: portOf(parts.port, PORT),
    user: parts.user,
    password: parts.password,
    database: parts.path,
    tls: tlsOf(params),
    connectTimeoutMs: timeoutOf("connect-timeout", params.take("connect-timeout"), CONNECT_TIMEOUT_MS),
    settings: { time_zone: params.take("time_zone") ?? TIME_ZONE },
    applicationName: APPLICATION_NAME,
  };
  params.end();
  return dsn;
}

function tlsOf(params: DsnParams): ServerDsn["tls"] {
  const [word, goWord] = [params.take("ssl-mode"), params.take("tls")];
  const [ca, cert, key] = [params.take("ssl-ca"), params.take("ssl-cert"), params.take("ssl-key")];
  const mode = word === undefined ? TLS_WORDS.get(goWord ?? "") : TLS_MODES.get(word.toLowerCase());
  if (word !== undefined && mode === undefined) {
    throw new DsnError("must hold one of DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY in ssl-mode");
  }
  if (word === undefined && goWord !== undefined && mode === undefined) {
    throw new DsnError(`must hold one of ${[...TLS_WORDS.keys()].join(", ")} in tls`);
  }
  return {
    // Whoever names an authority wants it asked.
    mode: mode ?? (ca === undefined ? "prefer" : "verify-full"),
    ...(ca === undefined ? {} : { caFile: ca }),
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
  };
}

/** The form of Go's driver, in which no character of the password is escaped. */
function tcpParts(text: string): UrlParts {
  const match = TCP_REGEXP.exec(text);
  if (match === null) {
    throw new DsnError("must be mysql://USER:PASSWORD@HOST:PORT/DATABASE or USER:PASSWORD@tcp(HOST:PORT)/DATABASE");
  }
  const [, login = "", host = "", port = "", path = "", query = ""] = match;
  const { params } = urlParts(`mysql://host/path${query === "" ? "" : `?${query}`}`, "mysql");
  const colon = login.indexOf(":");
  return {
    user: colon < 0 ? login : login.slice(0, colon),
    password: colon < 0 ? "" : login.slice(colon + 1),
    host: host.startsWith("[") ? host.slice(1, -1) : host,
    port,
    path,
    params,
  };
}
