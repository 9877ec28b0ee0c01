/** Owns addresses to listen on, written as `HOST:PORT`. */

/** Where to listen. */
export interface ListenAddress {
  readonly hostname: string;
  /** 0 lets the platform choose. */
  readonly port: number;
}

/** What an address looks like: a name, an IPv4 address or an IPv6 address in brackets, and a port. */
export const LISTEN_PATTERN = "^(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]/\\s]*):\\d{1,5}$";

/** The highest port. */
export const PORT_MAX = 65_535;
/** `:8080` listens on every interface. */
const EVERY_INTERFACE = "0.0.0.0";

/** Reads an address; undefined where it is none, or its port is out of range. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  if (!new RegExp(LISTEN_PATTERN).test(text)) return undefined;
  const colon = text.lastIndexOf(":");
  const port = Number(text.slice(colon + 1));
  if (port > PORT_MAX) return undefined;
  const host = text.slice(0, colon);
  const bare = host.startsWith("[") ? host.slice(1, -1) : host;
  return { hostname: bare === "" ? EVERY_INTERFACE : bare, port };
}

/** The address as a permission names it. */
export function addressText({ hostname, port }: ListenAddress): string {
  return `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}
