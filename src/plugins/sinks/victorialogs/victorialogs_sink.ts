/** Owns the built-in sink `victorialogs`: messages as lines of a log. */

import type { Static } from "typebox";
import {
  joinedLines,
  type PartialFailure,
  PartialWriteError,
  type PluginContext,
  type PluginIssue,
  type Sink,
  type SinkBatch,
  SinkError,
  type SinkPlugin,
} from "../../../plugin/mod.ts";
import { block, define, flag, integer, list, optional, record, text } from "../../../schema/mod.ts";
import { authHosts, authSchema, checkAuth, hostOf } from "../../shared/http_auth.ts";
import { checkUrl, HttpSender } from "../../shared/http_sender.ts";
import { httpTlsSchema, tlsNeeds } from "../../shared/http_tls.ts";
import { ingestionUrl, listedFields } from "./ingestion_url.ts";
import { type LineRules, lineTrouble } from "./log_line.ts";

/** Most messages an adaptive batch holds. */
const BATCH_MESSAGES_MAX = 1000;
const TIMEOUT_DEFAULT_MS = 10_000;
const TIMEOUT_MAX_MS = 3_600_000;
/** What the server takes unless told otherwise. */
const LINE_BYTES_DEFAULT = 256 * 1024;
/** Beyond this it keeps nothing, whatever it was told. */
const LINE_BYTES_MAX = 2 * 1024 * 1024;
const FIELDS_DEFAULT = 1000;
const FIELDS_MAX = 2000;
/** The server numbers tenants in 32 bits. */
const TENANT_MAX = 4_294_967_295;
/** The server takes a comma for the border of two names, and neither it nor a blank at an end can be written. */
const NAME_PATTERN = "^[^,=}\\s](?:[^,=}]*[^,=}\\s])?$";
const NAMES_PATTERN = "^[^\\s].*$";
const VALUE_PATTERN = "^[^,\\s](?:[^,]*[^,\\s])?$";

const schema = block({
  url: text({
    description: "Address of the server; `/insert/jsonline` is added to its path.",
    pattern: "^https?://",
    expected: "an http or https URL",
  }),
  stream_fields: list(
    text({ description: "A field.", pattern: NAME_PATTERN, expected: "a name without comma, = and }" }),
    { description: "Fields that tell which stream a line belongs to, such as pod and container." },
  ),
  time_field: text({
    description: "Field that holds the time of a line; of several, joined by commas, the first one it has. " +
      "A line without it is stored with the time of its arrival.",
    pattern: NAMES_PATTERN,
    expected: "the name of a field",
  }),
  msg_field: text({
    description: "Field that holds the text of a line; of several, joined by commas, the first one it has.",
    pattern: NAMES_PATTERN,
    expected: "the name of a field",
  }),
  extra_fields: record(
    text({ description: "Value.", pattern: VALUE_PATTERN, expected: "a value without comma" }),
    {
      description: "Fields that the server adds to every line, whatever the line holds.",
      default: {},
      namePattern: NAME_PATTERN,
    },
  ),
  gzip: flag({ description: "Whether bodies are compressed.", default: false }),
  timeout_ms: integer({
    description: "Limit of one request, its answer included, in milliseconds.",
    default: TIMEOUT_DEFAULT_MS,
    minimum: 1,
    maximum: TIMEOUT_MAX_MS,
  }),
  account_id: integer({
    description: "Account of the tenant. The headers that name a tenant are sent where it is not 0:0.",
    default: 0,
    minimum: 0,
    maximum: TENANT_MAX,
  }),
  project_id: integer({ description: "Project of the tenant.", default: 0, minimum: 0, maximum: TENANT_MAX }),
  max_line_bytes: integer({
    description:
      "Most bytes of a line with its newline; a longer one is a dead letter, because the server would drop " +
      "it (`-insert.maxLineSizeBytes`).",
    default: LINE_BYTES_DEFAULT,
    minimum: 3,
    maximum: LINE_BYTES_MAX,
  }),
  max_fields: integer({
    description: "Most fields of a line; one with more is a dead letter, likewise (`-insert.maxFieldsPerLine`).",
    default: FIELDS_DEFAULT,
    minimum: 1,
    maximum: FIELDS_MAX,
  }),
  auth: optional(authSchema),
  tls: optional(httpTlsSchema),
});

type VictoriaLogsConfig = Static<typeof schema>;

/** Sends messages to VictoriaLogs, a batch a request. */
export const victoriaLogsSink: SinkPlugin<typeof schema> = {
  kind: "sink",
  name: "victorialogs",
  version: 1,
  summary: "Sends messages to VictoriaLogs as lines of a log, a batch in one request.",
  capabilities: [],
  definition: define(schema),
  check: (config): readonly PluginIssue[] => [...checkUrl(config.url), ...checkAuth(config.auth)],
  needs: (config, context) => ({
    ...(URL.canParse(config.url) ? { net: [hostOf(config.url), ...authHosts(config.auth)] } : {}),
    ...tlsNeeds(config.tls, context),
  }),
  maxBatch: () => BATCH_MESSAGES_MAX,
  create: (config, context) => new VictoriaLogsSink(config, context),
};

class VictoriaLogsSink implements Sink {
  readonly #rules: LineRules;
  readonly #sender: HttpSender;

  constructor(config: VictoriaLogsConfig, context: PluginContext) {
    this.#rules = {
      lineBytesMax: config.max_line_bytes,
      fieldsMax: config.max_fields,
      timeFields: listedFields(config.time_field),
    };
    this.#sender = new HttpSender({
      url: ingestionUrl(config.url, config),
      method: "POST",
      // Under any other type the server answers 200 and loses lines.
      headers: { "content-type": "application/stream+json", ...tenantHeaders(config) },
      auth: config.auth,
      tls: config.tls,
      timeoutMs: config.timeout_ms,
      compression: config.gzip ? "gzip" : "none",
    }, context);
  }

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const failures: PartialFailure[] = [];
    const good: number[] = [];
    for (let index = 0; index < batch.size; index++) {
      const trouble = lineTrouble(batch.bytes(index), this.#rules);
      if (trouble === undefined) good.push(index);
      else failures.push({ index, error: this.#refusal(trouble) });
    }
    if (failures.length === 0) return void await this.#sender.send(batch.lines(), {}, signal);
    if (good.length > 0) failures.push(...await this.#sendSome(batch, good, signal));
    throw new PartialWriteError(
      `${failures.length} of ${batch.size} messages were not stored: ${failures[0]?.error.message ?? ""}`,
      failures,
    );
  }

  close(): void {
    this.#sender.close();
  }

  /** Sends what is left of a batch; gives what failed of it. */
  async #sendSome(batch: SinkBatch, good: readonly number[], signal: AbortSignal): Promise<readonly PartialFailure[]> {
    try {
      await this.#sender.send(joinedLines(good.map((index) => batch.bytes(index))), {}, signal);
      return [];
    } catch (caught) {
      if (!(caught instanceof SinkError)) throw caught;
      // Beside lines that are at fault themselves, an answer that no retry changes would look like the fault of each
      // line. Tried again without them it is the batch's, which is then parted until the culprit stands alone.
      const { message, retryAfterMs } = caught;
      const error = new SinkError(message, { cause: caught, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
      return good.map((index) => ({ index, error }));
    }
  }

  #refusal(trouble: string): SinkError {
    return new SinkError(`${this.#sender.what}: the line ${trouble}`, { retryable: false });
  }
}

function tenantHeaders({ account_id: account, project_id: project }: VictoriaLogsConfig): Record<string, string> {
  return account === 0 && project === 0 ? {} : { AccountID: String(account), ProjectID: String(project) };
}
