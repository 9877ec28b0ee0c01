/** Owns the built-in sink `http`: messages as requests. */

import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import type { Static } from "typebox";
import { deadline } from "../../../base/mod.ts";
import {
  type PartialFailure,
  PartialWriteError,
  type PluginContext,
  type PluginIssue,
  type Sink,
  type SinkBatch,
  SinkError,
  type SinkPlugin,
} from "../../../plugin/mod.ts";
import { block, choice, define, integer, optional, record, text } from "../../../schema/mod.ts";
import { authHosts, Authorizer, authSchema, checkAuth, hostOf } from "../../shared/http_auth.ts";
import { connectionError, drain, shownUrl, statusError } from "../../shared/http_failure.ts";
import { HEADER_NAME_PATTERN, HEADER_VALUE_PATTERN } from "../../shared/http_headers.ts";
import { bodyOf, CONTENT_TYPES } from "./request_body.ts";

/** Most messages an adaptive batch holds where a request holds many. */
const BATCH_MESSAGES_MAX = 500;
const TIMEOUT_DEFAULT_MS = 10_000;
const TIMEOUT_MAX_MS = 3_600_000;
const UNAUTHORIZED_STATUS = 401;
/** Headers that the client itself answers for. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-encoding",
  "transfer-encoding",
]);
/** A W3C trace context, version 00 and its successors, which may say more. */
const TRACEPARENT_REGEXP = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/;
const HEADER_VALUE_REGEXP = new RegExp(HEADER_VALUE_PATTERN);

const COMPRESSORS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) } as const;

const schema = block({
  url: text({ description: "Where requests go.", pattern: "^https?://", expected: "an http or https URL" }),
  method: choice(["POST", "PUT", "PATCH"], { description: "Request method.", default: "POST" }),
  headers: record(text({ description: "Value.", minLength: 0, pattern: HEADER_VALUE_PATTERN }), {
    description: "Headers of every request. A Content-Type here replaces the one that goes with `body`.",
    default: {},
    namePattern: HEADER_NAME_PATTERN,
  }),
  body: choice(["message", "ndjson", "json_array"], {
    description: "What a request holds: one message, or a batch of them as lines or as the elements of an array.",
    default: "message",
  }),
  timeout_ms: integer({
    description: "Limit of one request, its answer included, in milliseconds.",
    default: TIMEOUT_DEFAULT_MS,
    minimum: 1,
    maximum: TIMEOUT_MAX_MS,
  }),
  auth: optional(authSchema),
  idempotency_header: optional(text({
    description:
      "Header that carries the message's id, so that the receiver can tell a repetition. For `body: message`.",
    pattern: HEADER_NAME_PATTERN,
    expected: "a header name such as Idempotency-Key",
  })),
  compression: choice(["none", "gzip", "zstd"], { description: "How bodies are compressed.", default: "none" }),
});

type HttpSinkConfig = Static<typeof schema>;

/** Sends messages as HTTP requests. */
export const httpSink: SinkPlugin<typeof schema> = {
  kind: "sink",
  name: "http",
  version: 1,
  summary: "Sends messages as HTTP requests, one each or a batch in one.",
  capabilities: [],
  definition: define(schema),
  check,
  needs: (config) => URL.canParse(config.url) ? { net: [hostOf(config.url), ...authHosts(config.auth)] } : {},
  maxBatch: (config) => config.body === "message" ? 1 : BATCH_MESSAGES_MAX,
  create: (config, context) => new HttpSink(config, context),
};

function check(config: HttpSinkConfig): readonly PluginIssue[] {
  const issues: PluginIssue[] = [...checkAuth(config.auth)];
  if (!URL.canParse(config.url)) {
    issues.push({ path: ["url"], message: "is no URL" });
  } else if (new URL(config.url).username !== "" || new URL(config.url).password !== "") {
    issues.push({ path: ["url"], message: "must hold no user name and password", hint: "use `auth: {basic: ...}`" });
  }
  for (const name of Object.keys(config.headers)) {
    if (!OWN_HEADERS.has(name.toLowerCase())) continue;
    issues.push({ path: ["headers", name], message: `${name} is set by the client itself and cannot be chosen` });
  }
  if (config.idempotency_header !== undefined && config.body !== "message") {
    issues.push({
      path: ["idempotency_header"],
      message:
        "needs `body: message`: after a failure a batch may be cut another way, so it has no identity of its own",
    });
  }
  return issues;
}

class HttpSink implements Sink {
  readonly #config: HttpSinkConfig;
  readonly #context: PluginContext;
  readonly #client: Deno.HttpClient;
  readonly #authorizer: Authorizer;
  readonly #what: string;

  constructor(config: HttpSinkConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    // A client of its own, so that closing the sink closes its connections.
    this.#client = Deno.createHttpClient({});
    this.#authorizer = new Authorizer(config.auth, {
      clock: context.clock,
      client: this.#client,
      timeoutMs: config.timeout_ms,
    });
    this.#what = `cannot ${config.method} to ${shownUrl(config.url)}`;
  }

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    if (this.#config.body === "message") await this.#writeEach(batch, signal);
    else await this.#send(bodyOf(batch, this.#config.body), {}, signal);
  }

  close(): void {
    this.#client.close();
  }

  /** A request a message, in order. Trouble that the next message would meet too ends the batch there. */
  async #writeEach(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const failures: PartialFailure[] = [];
    for (let index = 0; index < batch.size; index++) {
      try {
        await this.#send(batch.bytes(index), this.#messageHeaders(batch, index), signal);
      } catch (caught) {
        if (!(caught instanceof SinkError) || batch.size === 1) throw caught;
        failures.push({ index, error: caught });
        if (caught.retryable) {
          for (let rest = index + 1; rest < batch.size; rest++) failures.push({ index: rest, error: caught });
          break;
        }
      }
    }
    if (failures.length === 0) return;
    throw new PartialWriteError(
      `${failures.length} of ${batch.size} messages were not sent: ${failures[0]?.error.message ?? ""}`,
      failures,
    );
  }

  #messageHeaders(batch: SinkBatch, index: number): Record<string, string> {
    const headers: Record<string, string> = {};
    const message = batch.message(index);
    const name = this.#config.idempotency_header;
    if (name !== undefined) headers[name] = this.#sayable(message.id);
    const trace = message.meta["traceparent"];
    if (typeof trace === "string" && TRACEPARENT_REGEXP.test(trace)) headers["traceparent"] = trace;
    return headers;
  }

  /** A script may have given the message an id that no header can carry; no further attempt would change that. */
  #sayable(id: string): string {
    if (HEADER_VALUE_REGEXP.test(id)) return id;
    throw new SinkError(`${this.#what}: the message id ${JSON.stringify(id)} cannot stand in a header`, {
      retryable: false,
    });
  }

  async #send(
    body: Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#context;
    const fetchedForIt = this.#authorizer.needsToken;
    const authorization = await this.#authorizer.header(signal);
    using limit = deadline(this.#config.timeout_ms, { parent: signal, clock, what: "the request" });
    let response: Response;
    let answer: string;
    try {
      response = await fetch(this.#config.url, {
        method: this.#config.method,
        headers: this.#headers(headers, authorization),
        body: await this.#compress(body),
        redirect: "manual",
        client: this.#client,
        signal: limit.signal,
      });
      answer = await drain(response);
    } catch (caught) {
      if (signal.aborted) throw signal.reason;
      throw connectionError(this.#what, limit.expired ? limit.signal.reason : caught);
    }
    if (response.ok) return;
    const error = statusError(this.#what, response, answer, clock);
    if (response.status === UNAUTHORIZED_STATUS && this.#authorizer.rejected(authorization, fetchedForIt)) {
      throw new SinkError(error.message, { retryable: true });
    }
    throw error;
  }

  #headers(own: Readonly<Record<string, string>>, authorization: string | undefined): Headers {
    const { body, compression } = this.#config;
    const headers = new Headers({ "content-type": CONTENT_TYPES[body] });
    for (const [name, value] of Object.entries(this.#config.headers)) headers.set(name, value);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    if (authorization !== undefined) headers.set("authorization", authorization);
    if (compression !== "none") headers.set("content-encoding", compression);
    return headers;
  }

  async #compress(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const { compression } = this.#config;
    return compression === "none" ? body : new Uint8Array(await COMPRESSORS[compression](body));
  }
}
