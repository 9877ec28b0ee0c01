/** Owns a real MariaDB server in tests. */

import assert from "node:assert/strict";
import { findProgram, serverUser } from "./installed.ts";
import { ServerFolder, type TlsFiles } from "./server_folder.ts";
import { acceptsConnections, freePorts, runCommand, ServerProcess, until } from "./server_process.ts";

/** A name that does not take the socket's login, which root would. */
const USER = "eventboat";
const PASSWORD = "mariadb-secret";
const DATABASE = "events";

const ROW_REGEXP = /<row>(.*?)<\/row>/gs;
const FIELD_REGEXP = /<field name="[^"]*"(?:( xsi:nil="true") \/>|>(.*?)<\/field>)/gs;
const ENTITY_REGEXP = /&(lt|gt|amp|quot);/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** How a server is started. */
export interface MariadbOptions {
  /** Whether it takes TLS, with the certificate of `test_certificate.ts`; it takes plain connections too. */
  readonly tls?: boolean;
  /** Settings of the server, such as `{ "default-time-zone": "+09:00" }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A server with a database of its own on a port of its own, gone when its scope ends. */
export class MariadbServer implements AsyncDisposable {
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

  /** Makes an empty data folder and starts a server on it: about three seconds. */
  static async start(options: MariadbOptions = {}): Promise<MariadbServer> {
    const user = await serverUser("mysql");
    await using made = new AsyncDisposableStack();
    const folder = made.use(await ServerFolder.make("mariadb", user));
    const data = `${folder.path}/data`;
    await runCommand(program("mariadb-install-db"), [
      ...["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal"],
      ...["--skip-test-db", "--skip-name-resolve"],
    ], { user });
    // One statement a line: that is how the server reads this file.
    const setUp = folder.write(
      "set_up.sql",
      `create database if not exists ${DATABASE} character set utf8mb4;\n` +
        `create user if not exists '${USER}'@'%' identified by '${PASSWORD}';\n` +
        `grant all on *.* to '${USER}'@'%' with grant option;\n`,
    );
    const tls = options.tls === true ? folder.writeTlsFiles() : undefined;
    const [port = 0] = freePorts(1);
    const settings: Record<string, string> = {
      datadir: data,
      socket: `${folder.path}/socket`,
      "pid-file": `${folder.path}/pid`,
      "bind-address": "127.0.0.1",
      port: `${port}`,
      "init-file": setUp,
      "character-set-server": "utf8mb4",
      // The data is thrown away.
      "innodb-flush-log-at-trx-commit": "0",
      "innodb-buffer-pool-size": "64M",
      ...tls === undefined ? {} : { "ssl-cert": tls.certificate, "ssl-key": tls.key, "ssl-ca": tls.authority },
      ...options.settings,
    };
    const process = made.use(
      new ServerProcess({
        name: "mariadb",
        command: program("mariadbd"),
        args: [
          "--no-defaults",
          "--skip-name-resolve",
          ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`),
        ],
        user,
        isReady: () => acceptsConnections(port),
      }),
    );
    await process.start();
    const server = new MariadbServer(process, port, folder, tls);
    made.move();
    return server;
  }

  /** Where to connect, user and password included. */
  get dsn(): string {
    return `mysql://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${DATABASE}`;
  }

  /** Runs statements and gives the rows of those that have any, every value as its text and NULL as null. */
  async sql(statements: string): Promise<(string | null)[][]> {
    const output = await runCommand(program("mariadb"), [
      ...["--no-defaults", "--xml", "--default-character-set=utf8mb4", "-h", "127.0.0.1", "-P", `${this.port}`],
      ...["-u", USER, "-D", DATABASE],
    ], { env: { MYSQL_PWD: PASSWORD }, stdin: statements });
    return [...output.matchAll(ROW_REGEXP)].map(([, row = ""]) => {
      return [...row.matchAll(FIELD_REGEXP)].map(([, nil, text = ""]) => nil === undefined ? unescaped(text) : null);
    });
  }

  /** Ends every client's session but the one that asks, as an administrator would, and gives how many there were. */
  async killSessions(): Promise<number> {
    const others = await this.sql(
      `select id from information_schema.processlist where user = '${USER}' and id <> connection_id()`,
    );
    await this.sql(others.map(([id]) => `kill ${id};`).join("\n"));
    return others.length;
  }

  /** Statements that clients run at this moment, the one that asks left out. */
  async runningStatements(): Promise<string[]> {
    const rows = await this.sql(
      "select info from information_schema.processlist " +
        `where user = '${USER}' and info is not null and id <> connection_id()`,
    );
    return rows.map(([statement]) => statement ?? "");
  }

  /** Waits until a client runs a statement that holds this text. */
  async untilRunning(text: string): Promise<void> {
    await until(`"${text}" runs`, async () => (await this.runningStatements()).some((found) => found.includes(text)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}

function program(name: string): string {
  const path = findProgram(name);
  assert.ok(path !== undefined, `${name} is not installed`);
  return path;
}

function unescaped(text: string): string {
  return text.replace(ENTITY_REGEXP, (entity, name: string) => ENTITIES[name] ?? entity);
}
