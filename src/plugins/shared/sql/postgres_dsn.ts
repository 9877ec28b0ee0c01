/** Owns addresses of PostgreSQL as libpq reads them: a URL, or `key=value` pairs. */

import { APPLICATION_NAME, CONNECT_TIMEOUT_MS, type ServerDsn, type TlsMode } from "./dsn.ts";
import { DsnError, DsnParams, portOf, timeoutOf, urlParts } from "./dsn_error.ts";

const PORT = 5432;
const SCHEME_REGEXP = /^postgres(?:ql)?:\/\//i;
const PAIR_REGEXP = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([^\s'\\]*))(?=\s|$)/gy;
const ESCAPE_REGEXP = /\\(.)/g;

const TLS_MODES: ReadonlyMap<string, TlsMode> = new Map([
  ["disable", "off"],
  // Whether plain or TLS is tried first makes no difference to whoever accepts both.
  ["allow", "prefer"],
  ["prefer", "prefer"],
  ["require", "require"],
  ["verify-ca", "verify-ca"],
  ["verify-full", "verify-full"],
]);

/** Settings of a session that an address may hold by their own name. */
const SETTINGS: readonly string[] = [
  "search_path",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "timezone",
  "role",
];

/** Reads an address. @throws {DsnError} */
export function parsePostgresDsn(text: string): ServerDsn {
  const given = SCHEME_REGEXP.test(text) ? fromUrl(text) : fromPairs(text);
  const params = new DsnParams(given);
  const required = (name: string) => {
    const value = params.take(name);
    if (value === undefined || value === "") throw new DsnError(`must name the ${name}`);
    return value;
  };
  const host = params.take("host") || "localhost";
  const user = required("user");
  const rootCert = params.take("sslrootcert");
  const dsn: ServerDsn = {
    driver: "postgres",
    host,
    port: portOf(params.take("port") ?? "", PORT),
    user,
    password: params.take("password") ?? "",
    database: params.take("dbname") || user,
    tls: {
      mode: tlsMode(params.take("sslmode"), rootCert),
      ...file("caFile", rootCert === "system" ? undefined : rootCert),
      ...file("certFile", params.take("sslcert")),
      ...file("keyFile", params.take("sslkey")),
    },
    connectTimeoutMs: timeoutOf("connect_timeout", params.take("connect_timeout"), CONNECT_TIMEOUT_MS),
    settings: settingsOf(params),
    applicationName: params.take("application_name") || APPLICATION_NAME,
  };
  params.end();
  if (host.startsWith("/")) throw new DsnError("must name a host: sockets of the file system are not reached");
  if (host.includes(",")) throw new DsnError("must name one host");
  return dsn;
}

function settingsOf(params: DsnParams): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const name of SETTINGS) {
    const value = params.take(name);
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** A root certificate alone asks for a check of the chain, as libpq has it; `system` for a check of the name too. */
function tlsMode(word: string | undefined, rootCert: string | undefined): TlsMode {
  if (word === undefined) return rootCert === "system" ? "verify-full" : "prefer";
  const mode = TLS_MODES.get(word);
  if (mode === undefined) throw new DsnError(`must hold one of ${[...TLS_MODES.keys()].join(", ")} in sslmode`);
  return mode === "require" && rootCert !== undefined ? "verify-ca" : mode;
}

function file<Name extends string>(name: Name, path: string | undefined): { readonly [key in Name]?: string } {
  return (path === undefined || path === "" ? {} : { [name]: path }) as { readonly [key in Name]?: string };
}

function fromUrl(text: string): ReadonlyMap<string, string> {
  const { user, password, host, port, path, params } = urlParts(text, "postgres");
  const all = new Map<string, string>();
  const parts = { user, password, host, port, dbname: path };
  for (const [name, value] of Object.entries(parts)) if (value !== "") all.set(name, value);
  for (const [name, value] of params) all.set(name, value);
  return all;
}

function fromPairs(text: string): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  let end = 0;
  for (const [whole, name = "", quoted, plain = ""] of text.trim().matchAll(PAIR_REGEXP)) {
    all.set(name, quoted === undefined ? plain : quoted.replace(ESCAPE_REGEXP, "$1"));
    end += whole.length;
  }
  if (all.size === 0 || end !== text.trim().length) {
    throw new DsnError("must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, or pairs such as host=HOST user=USER");
  }
  return all;
}
