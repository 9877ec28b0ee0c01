/** Owns the built-in sink `http`: messages as requests. */

import type { Static } from "typebox";
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
import { authHosts, authSchema, checkAuth, hostOf } from "../../shared/http_auth.ts";
import { parseRetryAfter } from "../../shared/http_failure.ts";
import { HEADER_NAME_PATTERN, HEADER_VALUE_PATTERN } from "../../shared/http_headers.ts";
import { checkUrl, HttpSender } from "../../shared/http_sender.ts";
import { httpTlsSchema, tlsNeeds } from "../../shared/http_tls.ts";
import { BULK_ANSWER_BYTES_MAX, bulkAnswerSchema, bulkFailures } from "./bulk_answer.ts";
import { bodyOf, CONTENT_TYPES } from "./request_body.ts";

/** Most messages an adaptive batch holds where a request holds many. */
const BATCH_MESSAGES_MAX = 500;
const TIMEOUT_DEFAULT_MS = 10_000;
const TIMEOUT_MAX_MS = 3_600_000;
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
  tls: optional(httpTlsSchema),
  idempotency_header: optional(text({
    description:
      "Header that carries the message's id, so that the receiver can tell a repetition. For `body: message`.",
    pattern: HEADER_NAME_PATTERN,
    expected: "a header name such as Idempotency-Key",
  })),
  compression: choice(["none", "gzip", "zstd"], { description: "How bodies are compressed.", default: "none" }),
  bulk_answer: optional(bulkAnswerSchema),
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
  needs: (config, context) => ({
    ...(URL.canParse(config.url) ? { net: [hostOf(config.url), ...authHosts(config.auth)] } : {}),
    ...tlsNeeds(config.tls, context),
  }),
  maxBatch: (config) => config.body === "message" ? 1 : BATCH_MESSAGES_MAX,
  create: (config, context) => new HttpSink(config, context),
};

function check(config: HttpSinkConfig): readonly PluginIssue[] {
  const issues: PluginIssue[] = [...checkAuth(config.auth), ...checkUrl(config.url)];
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
  if (config.bulk_answer !== undefined && config.body === "message") {
    issues.push({
      path: ["bulk_answer"],
      message: "needs `body: ndjson` or `body: json_array`: a request of one message is judged by its status",
    });
  }
  return issues;
}

class HttpSink implements Sink {
  readonly #config: HttpSinkConfig;
  readonly #context: PluginContext;
  readonly #sender: HttpSender;

  constructor(config: HttpSinkConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    const { url, method, auth, tls, timeout_ms: timeoutMs, compression, bulk_answer: bulkAnswer } = config;
    this.#sender = new HttpSender({
      url,
      method,
      // Of two that differ in their case only, the last one counts.
      headers: { "content-type": CONTENT_TYPES[config.body], ...config.headers },
      auth,
      tls,
      timeoutMs,
      compression,
      ...(bulkAnswer === undefined ? {} : { answerBytesMax: BULK_ANSWER_BYTES_MAX }),
    }, context);
  }

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const { body } = this.#config;
    if (body === "message") return await this.#writeEach(batch, signal);
    const { response, text } = await this.#sender.send(bodyOf(batch, body), {}, signal);
    const { bulk_answer: config } = this.#config;
    if (config === undefined) return;
    const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), this.#context.clock.now());
    throwPartial(
      bulkFailures(text, { what: this.#sender.what, size: batch.size, config, retryAfterMs }),
      batch.size,
    );
  }

  close(): void {
    this.#sender.close();
  }

  /** A request a message, in order. Trouble that the next message would meet too ends the batch there. */
  async #writeEach(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const failures: PartialFailure[] = [];
    for (let index = 0; index < batch.size; index++) {
      try {
        await this.#sender.send(batch.bytes(index), this.#messageHeaders(batch, index), signal);
      } catch (caught) {
        if (!(caught instanceof SinkError) || batch.size === 1) throw caught;
        failures.push({ index, error: caught });
        if (caught.retryable) {
          for (let rest = index + 1; rest < batch.size; rest++) failures.push({ index: rest, error: caught });
          break;
        }
      }
    }
    throwPartial(failures, batch.size);
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
    throw new SinkError(`${this.#sender.what}: the message id ${JSON.stringify(id)} cannot stand in a header`, {
      retryable: false,
    });
  }
}

function throwPartial(failures: readonly PartialFailure[], size: number): void {
  if (failures.length === 0) return;
  throw new PartialWriteError(
    `${failures.length} of ${size} messages were not sent: ${failures[0]?.error.message ?? ""}`,
    failures,
  );
}
