/** Owns a real VictoriaLogs server in tests. */

import assert from "node:assert/strict";
import { TEST_AUTHORITY } from "../suites/test_certificate.ts";
import { victoriaLogsProgram } from "./installed.ts";
import { ServerFolder } from "./server_folder.ts";
import { acceptsConnections, freePorts, ServerProcess } from "./server_process.ts";

/** Rows that a query gives unless told, so that a wrong one ends. */
const QUERY_ROWS_MAX = 1_000_000;

/** `name{labels} value`, as the server writes its metrics. */
const METRIC_REGEXP = /^([^#\s]\S*) (\S+)$/gm;

/** How a server is started. */
export interface VictoriaLogsOptions {
  /** Whether it speaks HTTPS, with the certificate of `test_certificate.ts`, and nothing else. */
  readonly tls?: boolean;
  /** User and password that every request must bring, by HTTP's basic authentication. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Flags of the program, such as `{ "insert.maxLineSizeBytes": "1000" }`. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** A server with storage of its own on a port of its own, gone when its scope ends. */
export class VictoriaLogsServer implements AsyncDisposable {
  /** Stops, kills, pauses and starts it again, with the same port and data. */
  readonly process: ServerProcess;
  readonly port: number;
  readonly #folder: ServerFolder;
  readonly #client: Deno.HttpClient;
  readonly #options: VictoriaLogsOptions;

  private constructor(process: ServerProcess, port: number, folder: ServerFolder, options: VictoriaLogsOptions) {
    this.process = process;
    this.port = port;
    this.#folder = folder;
    this.#options = options;
    this.#client = Deno.createHttpClient({ caCerts: [TEST_AUTHORITY] });
  }

  /** Starts a server with no rows: well under a second. */
  static async start(options: VictoriaLogsOptions = {}): Promise<VictoriaLogsServer> {
    await using made = new AsyncDisposableStack();
    const folder = made.use(await ServerFolder.make("victorialogs"));
    const [port = 0] = freePorts(1);
    const { tls, login } = options;
    const files = tls === true ? folder.writeTlsFiles() : undefined;
    const flags: Record<string, string> = {
      httpListenAddr: `127.0.0.1:${port}`,
      storageDataPath: `${folder.path}/data`,
      retentionPeriod: "100y",
      futureRetention: "100y",
      "memory.allowedBytes": "256MB",
      ...files === undefined ? {} : { tls: "true", tlsCertFile: files.certificate, tlsKeyFile: files.key },
      ...login === undefined ? {} : { "httpAuth.username": login.user, "httpAuth.password": login.password },
      ...options.flags,
    };
    const process = made.use(
      new ServerProcess({
        name: "victorialogs",
        command: victoriaLogsProgram(),
        args: Object.entries(flags).map(([flag, value]) => `-${flag}=${value}`),
        // It listens only when its storage is open.
        isReady: () => acceptsConnections(port),
      }),
    );
    await process.start();
    const server = new VictoriaLogsServer(process, port, folder, options);
    made.move();
    return server;
  }

  /** A URL of it. */
  url(path = "/"): string {
    return `${this.#options.tls === true ? "https" : "http"}://127.0.0.1:${this.port}${path}`;
  }

  /**
   * The rows that a LogsQL query finds, each field as its text. What was sent before the call is in them.
   * @param tenant headers that name it; the tenant 0:0 unless told
   */
  async query(logsql: string, tenant: Readonly<Record<string, string>> = {}): Promise<Record<string, string>[]> {
    await this.#request("/internal/force_flush");
    const form = new URLSearchParams({ query: logsql, limit: `${QUERY_ROWS_MAX}` });
    const text = await this.#request("/select/logsql/query", form, tenant);
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  /** Its own metrics: name with labels as written, to value. */
  async metrics(): Promise<Map<string, number>> {
    const text = await this.#request("/metrics");
    return new Map([...text.matchAll(METRIC_REGEXP)].map(([, name = "", value]) => [name, Number(value)]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.process[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #request(path: string, form?: URLSearchParams, tenant: Readonly<Record<string, string>> = {}): Promise<string> {
    const { login } = this.#options;
    const authorization = login === undefined ? undefined : `Basic ${btoa(`${login.user}:${login.password}`)}`;
    const response = await fetch(this.url(path), {
      client: this.#client,
      headers: authorization === undefined ? tenant : { ...tenant, authorization },
      ...form === undefined ? {} : { method: "POST", body: form },
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${path} of victorialogs: ${text}`);
    return text;
  }
}
