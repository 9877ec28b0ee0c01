/** Owns the error of an address that cannot be read, and the reading of its common parts. */

/** What is wrong with an address, to follow "dsn". It never holds the address, which holds a password. */
export class DsnError extends Error {
  override readonly name = "DsnError";
}

const PORT_REGEXP = /^\d{1,5}$/;
const PORT_MAX = 65_535;
const SECONDS_REGEXP = /^\d{1,6}(?:\.\d+)?$/;

/** A port; `fallback` where none is given. */
export function portOf(text: string, fallback: number): number {
  if (text === "") return fallback;
  const port = Number(text);
  if (!PORT_REGEXP.test(text) || port < 1 || port > PORT_MAX) throw new DsnError("must hold a port from 1 to 65535");
  return port;
}

/** Seconds as milliseconds; `fallback` where none are given, or 0. */
export function timeoutOf(name: string, seconds: string | undefined, fallbackMs: number): number {
  if (seconds === undefined) return fallbackMs;
  if (!SECONDS_REGEXP.test(seconds)) throw new DsnError(`must hold seconds in ${name}`);
  return Number(seconds) === 0 ? fallbackMs : Math.ceil(Number(seconds) * 1000);
}

/** Decodes a part of a URL. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DsnError("holds a % that begins no escape; write %25 for the character itself");
  }
}

/** A URL's parts, whatever characters the password has but @ and /. */
export interface UrlParts {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly params: ReadonlyMap<string, string>;
}

const URL_REGEXP =
  /^[a-z0-9+]+:\/\/(?:([^@/?#]*)@)?(\[[0-9a-fA-F:.]+\]|[^@:/?#]*)(?::(\d*))?(?:\/([^?#]*))?(?:\?([^#]*))?$/i;

/** Takes a URL apart. `scheme` says what it should begin with, for the message. */
export function urlParts(text: string, scheme: string): UrlParts {
  const match = URL_REGEXP.exec(text);
  if (match === null) {
    throw new DsnError(
      `must be ${scheme}://USER:PASSWORD@HOST:PORT/DATABASE; write @, /, ?, # and % in a password as %40, %2F, %3F, %23, %25`,
    );
  }
  const [, login = "", host = "", port = "", path = "", query = ""] = match;
  const colon = login.indexOf(":");
  const params = new Map<string, string>();
  for (const pair of query.split("&").filter((each) => each !== "")) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    params.set(decoded(name), equals < 0 ? "" : decoded(pair.slice(equals + 1)));
  }
  return {
    user: decoded(colon < 0 ? login : login.slice(0, colon)),
    password: colon < 0 ? "" : decoded(login.slice(colon + 1)),
    host: host.startsWith("[") ? host.slice(1, -1) : decoded(host),
    port,
    path: decoded(path),
    params,
  };
}

/** Takes parameters from an address one by one, so that what is left over can be refused. */
export class DsnParams {
  readonly #left: Map<string, string>;
  readonly #known = new Set<string>();

  constructor(params: ReadonlyMap<string, string>) {
    this.#left = new Map(params);
  }

  take(name: string): string | undefined {
    this.#known.add(name);
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  /** Refuses what nobody took. */
  end(): void {
    const [unknown] = this.#left.keys();
    if (unknown === undefined) return;
    throw new DsnError(`has an unknown parameter ${unknown}; known are ${[...this.#known].sort().join(", ")}`);
  }
}
