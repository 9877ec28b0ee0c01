/** Owns the sending of requests to one URL: authorised, compressed, within their time, the answer judged. */

import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import { deadline } from "../../base/mod.ts";
import { type PluginContext, type PluginIssue, SinkError } from "../../plugin/mod.ts";
import { type AuthConfig, Authorizer } from "./http_auth.ts";
import { type HttpTlsConfig, readAuthorities } from "./http_tls.ts";
import { connectionError, drain, DRAINED_BYTES_MAX, shownUrl, statusError } from "./http_failure.ts";

const UNAUTHORIZED_STATUS = 401;
const COMPRESSORS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) } as const;

/** What all requests of an {@linkcode HttpSender} have in common. */
export interface HttpSenderOptions {
  readonly url: string;
  readonly method: string;
  /** Headers of every request, a Content-Type among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: AuthConfig | undefined;
  readonly tls: HttpTlsConfig | undefined;
  /** Limit of one request, its answer included, in milliseconds. */
  readonly timeoutMs: number;
  readonly compression: "none" | keyof typeof COMPRESSORS;
  /** How much of an answer is read. Default: enough for an error message. */
  readonly answerBytesMax?: number;
}

/** Text of an answer to a request that succeeded. */
export interface Answer {
  readonly response: Response;
  /** Its body, or the beginning of it where it is longer than the sender reads. */
  readonly text: string;
}

/** Sends requests over connections of its own. */
export class HttpSender {
  readonly #options: HttpSenderOptions;
  readonly #clock: PluginContext["clock"];
  readonly #client: Deno.HttpClient;
  readonly #authorizer: Authorizer;
  readonly #what: string;

  /** @throws {EventboatError} a file that `tls` names cannot be read */
  constructor(options: HttpSenderOptions, context: PluginContext) {
    const { clock } = context;
    this.#options = options;
    this.#clock = clock;
    // A client of its own, so that closing the sender closes its connections.
    this.#client = Deno.createHttpClient({ caCerts: readAuthorities(options.tls, context) });
    this.#authorizer = new Authorizer(options.auth, { clock, client: this.#client, timeoutMs: options.timeoutMs });
    this.#what = `cannot ${options.method} to ${shownUrl(options.url)}`;
  }

  /** What was attempted, to begin an error message with. */
  get what(): string {
    return this.#what;
  }

  /**
   * Sends one request; resolves when it was answered 2xx.
   * @param headers those of this request alone
   * @throws {SinkError} any other answer, or none. The signal's reason where it aborted.
   */
  async send(
    body: Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const fetchedForIt = this.#authorizer.needsToken;
    const authorization = await this.#authorizer.header(signal);
    const { response, text } = await this.#exchange(body, this.#headers(headers, authorization), signal);
    if (response.ok) return { response, text };
    const error = statusError(this.#what, response, text, this.#clock);
    if (response.status === UNAUTHORIZED_STATUS && this.#authorizer.rejected(authorization, fetchedForIt)) {
      throw new SinkError(error.message, { retryable: true });
    }
    throw error;
  }

  /** Closes the connections. */
  close(): void {
    this.#client.close();
  }

  async #exchange(body: Uint8Array<ArrayBuffer>, headers: Headers, signal: AbortSignal): Promise<Answer> {
    const { url, method, timeoutMs, answerBytesMax } = this.#options;
    using limit = deadline(timeoutMs, { parent: signal, clock: this.#clock, what: "the request" });
    try {
      const response = await fetch(url, {
        method,
        headers,
        body: await this.#compress(body),
        redirect: "manual",
        client: this.#client,
        signal: limit.signal,
      });
      return { response, text: await drain(response, response.ok ? answerBytesMax : DRAINED_BYTES_MAX) };
    } catch (caught) {
      if (signal.aborted) throw signal.reason;
      throw connectionError(this.#what, limit.expired ? limit.signal.reason : caught);
    }
  }

  #headers(own: Readonly<Record<string, string>>, authorization: string | undefined): Headers {
    const { headers: common, compression } = this.#options;
    const headers = new Headers();
    for (const [name, value] of Object.entries(common)) headers.set(name, value);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    if (authorization !== undefined) headers.set("authorization", authorization);
    if (compression !== "none") headers.set("content-encoding", compression);
    return headers;
  }

  async #compress(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const { compression } = this.#options;
    return compression === "none" ? body : new Uint8Array(await COMPRESSORS[compression](body));
  }
}

/** What is wrong with a URL that requests go to, in the field `url`. */
export function checkUrl(url: string): readonly PluginIssue[] {
  if (!URL.canParse(url)) return [{ path: ["url"], message: "is no URL" }];
  const { username, password } = new URL(url);
  if (username === "" && password === "") return [];
  return [{ path: ["url"], message: "must hold no user name and password", hint: "use `auth: {basic: ...}`" }];
}
