/** Owns a real PostgreSQL server in tests. */

import assert from "node:assert/strict";
import { findPostgresProgram, serverUser } from "./installed.ts";
import { ServerFolder, type TlsFiles } from "./server_folder.ts";
import { acceptsConnections, freePorts, runCommand, ServerProcess, until } from "./server_process.ts";

const USER = "postgres";
const PASSWORD = "postgres-secret";
const DATABASE = "postgres";

/** What psql puts between fields and for NULL: control characters that no test's data holds. */
const FIELD_SEPARATOR = "\x1f";
const NULL_MARK = "\x1d";

/** How a server is started. */
export interface PostgresOptions {
  /** Whether it takes TLS, with the certificate of `test_certificate.ts`; it takes plain connections too. */
  readonly tls?: boolean;
  /** Settings of postgresql.conf, such as `{ max_connections: "5", timezone: "Asia/Tokyo" }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A server with a database of its own on a port of its own, gone when its scope ends. */
export class PostgresServer implements AsyncDisposable {
  /** Stops, kills, pauses and starts it again, with the same port and data. */
  readonly process: ServerProcess;
  readonly port: number;
  /** PEM files, there with `tls`. */
  readonly tls: TlsFiles | undefined;
  readonly user: string = USER;
  readonly password: string = PASSWORD;
  readonly database: string = DATABASE;
  readonly #folder: ServerFolder;

  private constructor(process: ServerProcess, port: number, folder: ServerFolder, tls: TlsFiles | undefined) {
    this.process = process;
    this.port = port;
    this.#folder = folder;
    this.tls = tls;
  }

  /** Makes an empty database cluster and starts a server on it: about two seconds. */
  static async start(options: PostgresOptions = {}): Promise<PostgresServer> {
    const user = await serverUser(USER);
    await using made = new AsyncDisposableStack();
    const folder = made.use(await ServerFolder.make("postgres", user));
    const data = `${folder.path}/data`;
    const passwordFile = folder.write("password", PASSWORD);
    await runCommand(program("initdb"), [
      ...["-D", data, "-U", USER, `--pwfile=${passwordFile}`, "--auth-local=trust", "--auth-host=scram-sha-256"],
      ...["-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    ], { user });
    const tls = options.tls === true ? folder.writeTlsFiles() : undefined;
    const settings: Record<string, string> = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: folder.path,
      // The data is thrown away; what a test loses by a kill is what the server has not written at all.
      fsync: "off",
      ...tls === undefined ? {} : { ssl: "on", ssl_cert_file: tls.certificate, ssl_key_file: tls.key },
      ...options.settings,
    };
    const [port = 0] = freePorts(1);
    const process = made.use(
      new ServerProcess({
        name: "postgres",
        command: program("postgres"),
        args: [
          "-D",
          data,
          "-p",
          `${port}`,
          ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
        ],
        user,
        isReady: () => isReady(port),
        stopSignal: "SIGINT",
      }),
    );
    await process.start();
    const server = new PostgresServer(process, port, folder, tls);
    made.move();
    return server;
  }

  /** Where to connect, user and password included. */
  get dsn(): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${DATABASE}`;
  }

  /**
   * Runs statements, each in a transaction of its own unless they say otherwise, and gives the rows of those that have
   * any, every value as its text and NULL as null. Rejects at the first that fails.
   */
  async sql(statements: string): Promise<(string | null)[][]> {
    const output = await runCommand(program("psql"), [
      ...["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-F", FIELD_SEPARATOR, "-0"],
      ...["-P", `null=${NULL_MARK}`, "-h", "127.0.0.1", "-p", `${this.port}`, "-U", USER, "-d", DATABASE, "-f", "-"],
    ], { env: { PGPASSWORD: PASSWORD }, stdin: statements });
    // -0 ends each row with a zero byte, which no text of a database holds.
    return output.split("\0").slice(0, -1).map((row) => {
      return row.split(FIELD_SEPARATOR).map((value) => value === NULL_MARK ? null : value);
    });
  }

  /** Ends every client's session but the one that asks, as an administrator would, and gives how many there were. */
  async killSessions(): Promise<number> {
    const [row] = await this.sql(
      "select count(pg_terminate_backend(pid)) from pg_stat_activity " +
        "where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return Number(row?.[0]);
  }

  /** Statements that clients run at this moment, the one that asks left out. */
  async runningStatements(): Promise<string[]> {
    const rows = await this.sql(
      "select query from pg_stat_activity " +
        "where backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()",
    );
    return rows.map(([query]) => query ?? "");
  }

  /** Waits until a client runs a statement that holds this text. */
  async untilRunning(text: string): Promise<void> {
    await until(`"${text}" runs`, async () => (await this.runningStatements()).some((found) => found.includes(text)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // SIGQUIT ends its children with it; a killed server's would go on for a while and hold the folder.
    if (this.process.running) await this.process.stop("SIGQUIT");
    await this.#folder[Symbol.asyncDispose]();
  }
}

function program(name: string): string {
  const path = findPostgresProgram(name);
  assert.ok(path !== undefined, `${name} is not installed`);
  return path;
}

async function isReady(port: number): Promise<boolean> {
  if (!await acceptsConnections(port)) return false;
  const { success } = await new Deno.Command(program("pg_isready"), {
    args: ["-q", "-h", "127.0.0.1", "-p", `${port}`],
  })
    .output();
  return success;
}
