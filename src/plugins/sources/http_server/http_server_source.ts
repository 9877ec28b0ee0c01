/** Owns the built-in source `http_server`: messages as requests, answered when they are durable. */

import { resolve } from "node:path";
import type { Static } from "typebox";
import {
  addressText,
  equalsInConstantTime,
  foundValue,
  LISTEN_PATTERN,
  type ListenAddress,
  parseListenAddress,
  PORT_MAX,
  raceAbort,
} from "../../../base/mod.ts";
import { EventboatError, reasonOf } from "../../../diagnostics/mod.ts";
import type { Emit, Needs, PluginContext, PluginIssue, Source, SourcePlugin } from "../../../plugin/mod.ts";
import { block, choice, define, integer, list, optional, record, text } from "../../../schema/mod.ts";
import { FrugalLog } from "../../../telemetry/mod.ts";
import { HEADER_NAME_PATTERN, HEADER_VALUE_PATTERN } from "../../shared/http_headers.ts";
import { elementRanges, lineRanges } from "./body_messages.ts";
import { Intake, type Verdict } from "./intake.ts";
import { ACCEPTED_CODINGS, BodyRefusal, readBody } from "./request_body.ts";
import { HTTP_SERVER_META, type RequestMeta } from "./request_meta.ts";
import { TimeLimits } from "./time_limits.ts";

const BODY_BYTES_DEFAULT = 1024 * 1024;
const BODY_BYTES_MAX = 1024 * 1024 * 1024;
/** How long a body may take. The platform has no limit of its own, and an open request costs memory. */
const BODY_TIME_MS = 30_000;
/** How long a request waits until its messages are durable: less than clients are used to wait for an answer. */
const WAIT_DEFAULT_MS = 5_000;
const WAIT_MAX_MS = 3_600_000;
/** How long a stop waits for connections to end before it cuts them. */
const CLOSE_GRACE_MS = 5_000;
/** What a client that was refused is asked to wait, in seconds. */
const RETRY_AFTER_SECONDS = 1;
const REFUSALS = {
  busy: "not accepted, busy or stopping",
  disk_full: "not accepted, the disk is full",
  late: "not known to be durable yet",
} as const;
const BEARER_REGEXP = /^bearer +(.*)$/i;

const schema = block({
  listen: text({
    description: "Address to listen on, `HOST:PORT`; without a host, every interface.",
    pattern: LISTEN_PATTERN,
    expected: "HOST:PORT such as 127.0.0.1:8080 or [::1]:8080",
  }),
  path: text({
    description: "Path that takes messages; any other is answered 404.",
    default: "/",
    pattern: "^/[^?#\\s]*$",
    expected: "a path that begins with a slash",
  }),
  max_body_bytes: integer({
    description: "Most bytes of a body, as sent and as decoded; a larger one is answered 413.",
    default: BODY_BYTES_DEFAULT,
    minimum: 1,
    maximum: BODY_BYTES_MAX,
  }),
  methods: list(choice(["POST", "PUT", "PATCH"], { description: "A request method." }), {
    description: "Methods that carry messages; any other is answered 405.",
    default: ["POST", "PUT"],
  }),
  token: optional(text({ description: "Bearer token a request must carry; without it a request is answered 401." })),
  tls: optional(block({
    cert_file: text({ description: "Certificate chain in PEM, relative to the pipeline file." }),
    key_file: text({ description: "Its private key in PEM, relative to the pipeline file." }),
  }, { description: "Serve HTTPS with this certificate." })),
  batch: choice(["none", "ndjson", "json_array"], {
    description: "How a body is cut into messages: not at all, one a line, or one an element of a JSON array.",
    default: "none",
  }),
  max_wait_ms: integer({
    description:
      "How long a request waits, while the pipeline holds back or the disk is slow, until its messages are " +
      "durable; then it is answered 503 with Retry-After, in milliseconds.",
    default: WAIT_DEFAULT_MS,
    minimum: 1,
    maximum: WAIT_MAX_MS,
  }),
  response: block({
    status: integer({
      description: "Status of the answer to accepted messages.",
      default: 202,
      minimum: 200,
      maximum: 299,
    }),
    headers: record(text({ description: "Value.", minLength: 0, pattern: HEADER_VALUE_PATTERN }), {
      description: "Headers of the answer to accepted messages.",
      default: {},
      namePattern: HEADER_NAME_PATTERN,
    }),
  }, { description: "The answer to accepted messages.", default: {} }),
});

type HttpServerConfig = Static<typeof schema>;

/** Takes messages as HTTP requests and answers when they are durable. */
export const httpServerSource: SourcePlugin<typeof schema> = {
  kind: "source",
  name: "http_server",
  version: 1,
  summary: "Takes messages as HTTP requests and answers when they are durable.",
  capabilities: [],
  meta: HTTP_SERVER_META,
  definition: define(schema),
  check: (config): readonly PluginIssue[] =>
    parseListenAddress(config.listen) === undefined
      ? [{
        path: ["listen"],
        message: `listen must have a port of at most ${PORT_MAX}, found ${foundValue(config.listen)}`,
      }]
      : [],
  needs(config, context): Needs {
    const address = parseListenAddress(config.listen);
    const files = config.tls === undefined ? [] : [config.tls.cert_file, config.tls.key_file];
    return {
      ...(address === undefined ? {} : { net: [addressText(address)] }),
      ...(files.length === 0 ? {} : { read: files.map((file) => resolve(context.directory, file)) }),
    };
  },
  create: (config, context) => new HttpServerSource(config, context),
};

class HttpServerSource implements Source {
  readonly #config: HttpServerConfig;
  readonly #context: PluginContext;
  readonly #methods: ReadonlySet<string>;
  readonly #responseHeaders: [string, string][];
  #limits: TimeLimits | undefined;
  #intake: Intake | undefined;

  constructor(config: HttpServerConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    this.#methods = new Set(config.methods);
    this.#responseHeaders = Object.entries(config.response.headers);
  }

  init(): void {}

  async run(emit: Emit, signal: AbortSignal): Promise<void> {
    const { clock, batchMessagesMax, log } = this.#context;
    const limits = this.#limits = new TimeLimits(BODY_TIME_MS, clock);
    const intake = this.#intake = new Intake({
      emit,
      messagesMax: batchMessagesMax,
      meta: { http_path: this.#config.path },
      clock,
      waitMs: this.#config.max_wait_ms,
      log: new FrugalLog(log, clock),
    });
    const cut = new AbortController();
    const server = await this.#listen(cut.signal);
    try {
      await raceAbort(server.finished, signal);
    } catch (caught) {
      if (!signal.aborted) throw caught;
    } finally {
      // Requests that wait are answered before their connections end; what is being made durable is waited for.
      await Promise.all([limits.close(), intake.close(), this.#shutDown(server, cut)]);
    }
    if (!signal.aborted) throw new EventboatError("source_failed", `the server at ${this.#config.listen} stopped`);
  }

  // A client that got no answer sends again: there is no state to come back to.
  commit(): undefined {}

  close(): void {}

  async #listen(signal: AbortSignal): Promise<Deno.HttpServer<Deno.NetAddr>> {
    const { listen, tls } = this.#config;
    const { node } = this.#context;
    const address = parseListenAddress(listen);
    if (address === undefined) {
      throw new EventboatError("config_invalid", `cannot listen on ${listen}: no such address`);
    }
    const certificate = tls === undefined ? {} : await this.#certificate(tls);
    try {
      return Deno.serve({
        ...address,
        ...certificate,
        signal,
        onListen: (bound) => this.#logListening(address, bound),
        onError: (error) => this.#failed(error),
      }, (request, info) => this.#handle(request, info));
    } catch (caught) {
      const denied = caught instanceof Deno.errors.NotCapable;
      const message = `cannot listen on ${addressText(address)}: ${reasonOf(caught)}`;
      const hint = caught instanceof Deno.errors.AddrInUse
        ? { hint: "Stop that process, or listen on another port." }
        : {};
      throw new EventboatError(denied ? "permission" : "source_failed", message, { cause: caught, node, ...hint });
    }
  }

  async #certificate(tls: NonNullable<HttpServerConfig["tls"]>): Promise<{ cert: string; key: string }> {
    return { cert: await this.#pem(tls.cert_file), key: await this.#pem(tls.key_file) };
  }

  async #pem(file: string): Promise<string> {
    const path = resolve(this.#context.directory, file);
    try {
      return await Deno.readTextFile(path);
    } catch (caught) {
      const denied = caught instanceof Deno.errors.NotCapable;
      const message = `cannot read ${path}: ${reasonOf(caught)}`;
      throw new EventboatError(denied ? "permission" : "source_failed", message, {
        cause: caught,
        node: this.#context.node,
      });
    }
  }

  #logListening(asked: ListenAddress, bound: Deno.NetAddr): void {
    this.#context.log.log("info", "http_server listens", {
      node: this.#context.node,
      address: addressText({ ...asked, port: bound.port }),
      port: bound.port,
    });
  }

  #failed(caught: unknown): Response {
    const error = EventboatError.from(caught);
    this.#context.log.log("error", `http_server could not handle a request: ${error.message}`, {
      node: this.#context.node,
    });
    return new Response("internal error\n", { status: 500 });
  }

  /** Lets requests under way end, then closes; connections that do not end are cut. */
  async #shutDown(server: Deno.HttpServer, cut: AbortController): Promise<void> {
    const grace = new AbortController();
    const ended = server.shutdown().finally(() => grace.abort());
    try {
      await this.#context.clock.sleep(CLOSE_GRACE_MS, grace.signal);
      cut.abort();
    } catch {
      // The server ended before the grace was over.
    }
    await ended;
  }

  async #handle(request: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>): Promise<Response> {
    const denied = this.#deny(request);
    if (denied !== undefined) {
      await request.body?.cancel();
      return denied;
    }
    const { limits, intake } = this.#running();
    const body = await readBody(request, this.#config.max_body_bytes, limits);
    if (body instanceof BodyRefusal) return await this.#refuse(request, body);
    const meta: RequestMeta = {
      http_method: request.method,
      content_type: request.headers.get("content-type") ?? undefined,
      remote_address: info.remoteAddr.hostname,
      traceparent: request.headers.get("traceparent") ?? undefined,
    };
    const { batch } = this.#config;
    if (batch === "none") return this.#answer(await intake.takeWhole(body, meta));
    const ranges = batch === "ndjson" ? lineRanges(body) : elementRanges(body);
    if (ranges === undefined) return say(400, "the body is no JSON array");
    return this.#answer(await intake.takeMany(body, ranges, meta));
  }

  /** The answer to a request whose head says already that it is not taken. */
  #deny(request: Request): Response | undefined {
    const { path, token } = this.#config;
    if (pathOf(request.url) !== path) return say(404, `messages are taken at ${path}`);
    if (token !== undefined) {
      const given = BEARER_REGEXP.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
      if (!equalsInConstantTime(given, token)) {
        return say(401, "a bearer token is required", { "www-authenticate": "Bearer" });
      }
    }
    if (this.#methods.has(request.method)) return undefined;
    const allow = [...this.#methods].join(", ");
    return say(405, `messages are taken by ${allow}`, { allow });
  }

  async #refuse(request: Request, refusal: BodyRefusal): Promise<Response> {
    // A body left unread would keep its memory. It may be locked by a reader that has been told to stop.
    if (request.body !== null && !request.body.locked) await request.body.cancel();
    if (refusal.status === 503) return this.#answer("busy");
    return say(refusal.status, refusal.message, refusal.status === 415 ? { "accept-encoding": ACCEPTED_CODINGS } : {});
  }

  #answer(verdict: Verdict): Response {
    if (verdict === "accepted") {
      return new Response(null, { status: this.#config.response.status, headers: this.#responseHeaders });
    }
    if (verdict === "too_large") return say(413, "the body holds more messages than can be taken at once");
    return say(503, `${REFUSALS[verdict]}: send it again later`, { "retry-after": String(RETRY_AFTER_SECONDS) });
  }

  #running(): { readonly limits: TimeLimits; readonly intake: Intake } {
    if (this.#limits === undefined || this.#intake === undefined) {
      throw new EventboatError("internal", "http_server got a request before it ran");
    }
    return { limits: this.#limits, intake: this.#intake };
  }
}

/** The path of a URL, without its query. Cut by hand: parsing costs more than all else a request needs. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start < 0) return "/";
  const query = url.indexOf("?", start);
  return query < 0 ? url.slice(start) : url.slice(start, query);
}

function say(status: number, sentence: string, headers: Record<string, string> = {}): Response {
  return new Response(`${sentence}\n`, { status, headers: { "content-type": "text/plain", ...headers } });
}
