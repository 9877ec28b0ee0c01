/** Owns what of the real servers this machine has: their programs, their users, and tests that need them. */

import { testNeeding } from "../suites/needing.ts";

/** A server that tests can start. */
export type ServerName = "kafka" | "mariadb" | "postgres" | "victorialogs";

/** All of them. */
export const SERVER_NAMES: readonly ServerName[] = ["kafka", "mariadb", "postgres", "victorialogs"];

/** The broker and its tools, from Maven. */
export const KAFKA_VERSION = "4.4.0";

/** From Go's modules. */
export const VICTORIALOGS_VERSION = "1.52.2";

/** Where Debian puts servers that an ordinary user's PATH may not name. */
const SERVER_FOLDERS: readonly string[] = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Debian keeps a folder for each major version of PostgreSQL, and no link to its programs on the PATH. */
const POSTGRES_ROOT = "/usr/lib/postgresql";

/** A user of this machine that a server runs as. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Where what no package manager installs for the whole machine is kept, across runs. */
export function serversFolder(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") || `${Deno.env.get("HOME") ?? "."}/.cache`;
  return `${cache}/eventboat-servers`;
}

/** The folder of Kafka's jars; there once the install has ended. */
export function kafkaJars(): string {
  return `${serversFolder()}/kafka-${KAFKA_VERSION}`;
}

/** The program of VictoriaLogs, of exactly the pinned version. */
export function victoriaLogsProgram(): string {
  return `${serversFolder()}/victoria-logs-${VICTORIALOGS_VERSION}`;
}

/** The absolute path of a program, or undefined where it is not installed. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const path = (Deno.env.get("PATH") ?? "").split(":").filter((folder) => folder !== "");
  return [...folders, ...path, ...SERVER_FOLDERS].map((folder) => `${folder}/${name}`).find(isFile);
}

/** Go's program, also where an archive of Go was unpacked and no PATH names it. */
export function findGo(): string | undefined {
  return findProgram("go") ?? findProgram("go", ["/usr/local/go/bin"]);
}

/** A program of PostgreSQL, of the newest version installed. */
export function findPostgresProgram(name: string): string | undefined {
  const versions = names(POSTGRES_ROOT).map(Number).filter(Number.isInteger).sort((a, b) => b - a);
  return findProgram(name, versions.map((version) => `${POSTGRES_ROOT}/${version}/bin`));
}

/** What of a server is missing here, in words; undefined when it can be started. */
export function missingOf(server: ServerName): string | undefined {
  const missing = programsOf(server).filter(([, path]) => path === undefined).map(([name]) => name);
  return missing.length === 0 ? undefined : `${server} is not installed (no ${missing.join(", no ")})`;
}

/**
 * Registers a test that starts real servers. Where one is not installed the test is skipped and says so on stderr; with
 * `CI=true` it fails.
 */
export function serverTest(
  name: string,
  servers: readonly ServerName[],
  fn: (context: Deno.TestContext) => Promise<void>,
): void {
  const missing = servers.map(missingOf).filter((text) => text !== undefined);
  const cure = 'run "deno run --allow-all scripts/servers.ts install"';
  testNeeding(name, missing.length === 0 ? undefined : `${missing.join("; ")}: ${cure}`, fn);
}

/** Whom to run a server as that refuses to run as root; undefined where this process is not root anyway. */
export async function serverUser(name: string): Promise<ServerUser | undefined> {
  if (Deno.uid() !== 0) return undefined;
  const [uid, gid] = await Promise.all(["-u", "-g"].map(async (flag) => {
    const { success, stdout } = await new Deno.Command("id", { args: [flag, name] }).output();
    if (!success) throw new Error(`cannot run a server as ${name}: this machine has no such user`);
    return Number(new TextDecoder().decode(stdout));
  }));
  // Both numbers stand: the array has two elements, and a failed command has thrown.
  return { name, uid: uid ?? 0, gid: gid ?? 0 };
}

function programsOf(server: ServerName): [string, string | undefined][] {
  switch (server) {
    case "postgres":
      return ["postgres", "initdb", "psql"].map((name) => [name, findPostgresProgram(name)]);
    case "mariadb":
      return ["mariadbd", "mariadb-install-db", "mariadb"].map((name) => [name, findProgram(name)]);
    case "kafka":
      return [
        // The compiler runs the tools' source; a run time without it lacks this program.
        ["javac", findProgram("javac")],
        [kafkaJars(), names(kafkaJars()).length > 0 ? kafkaJars() : undefined],
      ];
    case "victorialogs":
      return [[victoriaLogsProgram(), isFile(victoriaLogsProgram()) ? victoriaLogsProgram() : undefined]];
  }
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name);
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return [];
  }
}

/** Whether a file stands there. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound || caught instanceof Deno.errors.NotADirectory) return false;
    throw caught;
  }
}
