/** Owns how an HTTP client proves who it is: basic, bearer, or an OAuth 2 token fetched with client credentials. */

import type { Static } from "typebox";
import { type Clock, deadline } from "../../base/mod.ts";
import { type PluginIssue, SinkError } from "../../plugin/mod.ts";
import { block, choice, list, optional, text } from "../../schema/mod.ts";
import { connectionError, drain, shownUrl, statusError } from "./http_failure.ts";

/** A token is fetched anew this much before it expires, at most; for short lives a tenth of them. */
const RENEW_BEFORE_MS = 30_000;
const RENEW_BEFORE_SHARE = 0.1;

/** The fields of OAuth 2 client credentials. */
export const oauth2Schema = block({
  token_url: text({
    description: "Where tokens are fetched.",
    pattern: "^https?://",
    expected: "an http or https URL",
  }),
  client_id: text({ description: "Client identifier." }),
  client_secret: text({ description: "Client secret." }),
  scopes: optional(list(text({ description: "A scope." }), { description: "Scopes to ask for." })),
  audience: optional(text({ description: "Audience to ask for, where the server wants one." })),
  client_auth: choice(["header", "body"], {
    description: "Whether the client's credentials go in the Authorization header or in the form.",
    default: "header",
  }),
}, {
  description: "OAuth 2 client credentials; the token is fetched when it is needed and renewed before it expires.",
});

/** The fields of an `auth` block. */
export const authSchema = block({
  basic: optional(block({
    username: text({ description: "User name.", minLength: 0 }),
    password: text({ description: "Password.", minLength: 0 }),
  }, { description: "HTTP Basic." })),
  bearer: optional(block({
    token: text({ description: "The token." }),
  }, { description: "A fixed bearer token." })),
  oauth2: optional(oauth2Schema),
}, { description: "How the request is authorised: one of basic, bearer, oauth2." });

/** An `auth` block with its defaults. */
export type AuthConfig = Static<typeof authSchema>;

/** What is wrong with an `auth` block at `auth`, beyond its schema. */
export function checkAuth(config: AuthConfig | undefined): readonly PluginIssue[] {
  if (config === undefined) return [];
  const kinds = Object.keys(config);
  if (kinds.length !== 1) {
    return [{
      path: ["auth"],
      message: `must hold one of basic, bearer and oauth2, and it holds ${kinds.length} of them`,
    }];
  }
  const tokenUrl = config.oauth2?.token_url;
  if (tokenUrl === undefined || URL.canParse(tokenUrl)) return [];
  return [{ path: ["auth", "oauth2", "token_url"], message: "is no URL" }];
}

/** Where an `auth` block makes the client connect to, beside the request's own host. */
export function authHosts(config: AuthConfig | undefined): readonly string[] {
  return config?.oauth2 === undefined ? [] : [hostOf(config.oauth2.token_url)];
}

/** Host and port of a URL, as a permission names them. */
export function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
}

/** What an {@linkcode Authorizer} works with. */
export interface AuthorizerOptions {
  readonly clock: Clock;
  readonly client: Deno.HttpClient;
  /** Limit of one token request, in milliseconds. */
  readonly timeoutMs: number;
}

interface Token {
  readonly value: string;
  readonly renewAtMs: number;
}

/** Gives the Authorization header of each attempt. */
export class Authorizer {
  readonly #config: AuthConfig;
  readonly #options: AuthorizerOptions;
  #token: Token | undefined;
  #fetching: Promise<Token> | undefined;

  constructor(config: AuthConfig | undefined, options: AuthorizerOptions) {
    this.#config = config ?? {};
    this.#options = options;
  }

  /** The header's value, or undefined where none is configured. @throws {SinkError} when no token can be had. */
  async header(signal: AbortSignal): Promise<string | undefined> {
    const { basic, bearer, oauth2 } = this.#config;
    if (basic !== undefined) return basicHeader(basic.username, basic.password);
    if (bearer !== undefined) return `Bearer ${bearer.token}`;
    if (oauth2 === undefined) return undefined;
    if (this.#token === undefined || this.#options.clock.now() >= this.#token.renewAtMs) {
      this.#fetching ??= this.#fetch(oauth2, signal).finally(() => this.#fetching = undefined);
      this.#token = await this.#fetching;
    }
    return `Bearer ${this.#token.value}`;
  }

  /**
   * Tells that an attempt was answered 401. True where another token may help: this one was fetched, and not for that
   * attempt alone.
   */
  rejected(header: string | undefined, fetchedForIt: boolean): boolean {
    if (this.#config.oauth2 === undefined) return false;
    if (header === `Bearer ${this.#token?.value}`) this.#token = undefined;
    return !fetchedForIt;
  }

  /** Whether the next attempt fetches a token first. */
  get needsToken(): boolean {
    return this.#config.oauth2 !== undefined &&
      (this.#token === undefined || this.#options.clock.now() >= this.#token.renewAtMs);
  }

  async #fetch(config: NonNullable<AuthConfig["oauth2"]>, signal: AbortSignal): Promise<Token> {
    const what = `cannot fetch a token from ${shownUrl(config.token_url)}`;
    const { clock, client, timeoutMs } = this.#options;
    using limit = deadline(timeoutMs, { parent: signal, clock, what: "the token request" });
    const askedMs = clock.now();
    let response: Response;
    let body: string;
    try {
      const { headers, form } = tokenRequest(config);
      response = await fetch(config.token_url, {
        method: "POST",
        headers,
        body: form,
        redirect: "manual",
        client,
        signal: limit.signal,
      });
      body = await drain(response);
    } catch (caught) {
      if (signal.aborted) throw signal.reason;
      throw connectionError(what, caught);
    }
    if (!response.ok) {
      const { message, retryAfterMs } = statusError(what, response, "", clock);
      // Whatever the answer: the messages are not at fault, so they wait rather than become dead letters at once.
      throw new SinkError(message, retryAfterMs === undefined ? {} : { retryAfterMs });
    }
    return readToken(body, askedMs, what);
  }
}

function tokenRequest(config: NonNullable<AuthConfig["oauth2"]>): { headers: Headers; form: URLSearchParams } {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (config.scopes !== undefined) form.set("scope", config.scopes.join(" "));
  if (config.audience !== undefined) form.set("audience", config.audience);
  const headers = new Headers({ accept: "application/json" });
  if (config.client_auth === "header") {
    // RFC 6749, 2.3.1: both are form-encoded before they are joined.
    const [id, secret] = [config.client_id, config.client_secret].map((part) => encodeURIComponent(part));
    headers.set("authorization", basicHeader(id ?? "", secret ?? ""));
  } else {
    form.set("client_id", config.client_id);
    form.set("client_secret", config.client_secret);
  }
  return { headers, form };
}

function readToken(body: string, askedMs: number, what: string): Token {
  let answer: { readonly access_token?: unknown; readonly expires_in?: unknown };
  try {
    answer = Object(JSON.parse(body));
  } catch (caught) {
    // The body may hold a token, so it is not told.
    throw new SinkError(`${what}: the answer is no JSON`, { cause: caught });
  }
  const { access_token: value, expires_in: life } = answer;
  if (typeof value !== "string" || value === "") throw new SinkError(`${what}: the answer holds no access_token`);
  const lifeMs = Number(life) * 1000;
  if (!(lifeMs > 0)) return { value, renewAtMs: Infinity };
  return { value, renewAtMs: askedMs + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs * RENEW_BEFORE_SHARE) };
}

function basicHeader(username: string, password: string): string {
  return `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`;
}
