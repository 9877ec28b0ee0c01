/** Owns the command for real servers on loopback: what tests start by themselves, for a person to install and try. */

import { missingOf, SERVER_NAMES, type ServerName } from "../tests/servers/installed.ts";
import { KAFKA_LISTENERS } from "../tests/servers/kafka/kafka_node_config.ts";
import { KafkaCluster } from "../tests/servers/kafka_cluster.ts";
import { MariadbServer } from "../tests/servers/mariadb_server.ts";
import { PostgresServer } from "../tests/servers/postgres_server.ts";
import { VictoriaLogsServer } from "../tests/servers/victorialogs_server.ts";
import { RudeHttp } from "./rude_http.ts";
import { InstallError, installServers } from "./server_install.ts";

const USAGE = `Real servers on loopback, for tests and for trying a pipeline.

  deno run --allow-all scripts/servers.ts install [NAME...]     installs what is missing, of all unless named
  deno run --allow-all scripts/servers.ts start NAME [OPTION]   runs one until Ctrl-C; its data is gone then
  deno run --allow-all scripts/servers.ts status [NAME...]      which are installed

NAME is one of: ${SERVER_NAMES.join(", ")}; start also knows http, a server that misbehaves on command
OPTION: --tls (postgres, mariadb, victorialogs), --nodes=3 (kafka)
`;

const EXIT_USAGE = 2;

/** A server of any kind that runs, and what a person must know to reach it. */
interface Shown {
  readonly server: AsyncDisposable;
  readonly lines: readonly string[];
}

async function main(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === "start" && rest.length === 1 && rest[0] === "http") {
    const server = await RudeHttp.start();
    return await show({ server, lines: server.lines });
  }
  const names = rest.filter((arg) => !arg.startsWith("--"));
  const flags = rest.filter((arg) => arg.startsWith("--"));
  const unknown = names.find((name) => !isServerName(name));
  const [name] = names;
  if (unknown !== undefined) return usage(`no server is called "${unknown}"`);
  const known = names.filter(isServerName);
  const chosen = known.length === 0 ? SERVER_NAMES : known;
  if (verb === "install" && flags.length === 0) return await install(chosen);
  if (verb === "status" && flags.length === 0) return status(chosen);
  if (verb === "start" && names.length === 1 && name !== undefined && isServerName(name)) {
    return await start(name, flags);
  }
  return usage(verb === undefined ? "no command" : `cannot ${args.join(" ")}`);
}

function usage(problem: string): number {
  console.error(`servers: ${problem}\n\n${USAGE}`);
  return EXIT_USAGE;
}

function isServerName(text: string): text is ServerName {
  return SERVER_NAMES.some((name) => name === text);
}

async function install(names: readonly ServerName[]): Promise<number> {
  try {
    await installServers(names, (text) => console.log(text));
    return status(names);
  } catch (caught) {
    if (!(caught instanceof InstallError)) throw caught;
    console.error(`servers: ${caught.message}`);
    return 1;
  }
}

function status(names: readonly ServerName[]): number {
  for (const name of names) console.log(missingOf(name) ?? `${name} is installed`);
  return names.every((name) => missingOf(name) === undefined) ? 0 : 1;
}

async function start(name: ServerName, flags: readonly string[]): Promise<number> {
  const missing = missingOf(name);
  if (missing !== undefined) return usage(missing);
  const known = name === "kafka" ? ["--nodes=1", "--nodes=3"] : ["--tls"];
  const unknown = flags.find((flag) => !known.includes(flag));
  if (unknown !== undefined) return usage(`${name} has no option ${unknown}`);
  return await show(await started(name, flags));
}

async function show({ server, lines }: Shown): Promise<number> {
  await using _server = server;
  for (const line of lines) console.log(line);
  console.log("Ctrl-C stops it.");
  await untilStopped();
  return 0;
}

async function started(name: ServerName, flags: readonly string[]): Promise<Shown> {
  const tls = flags.includes("--tls");
  switch (name) {
    case "postgres": {
      const server = await PostgresServer.start({ tls });
      return { server, lines: [server.dsn, ...tls ? [`authority: ${server.tls?.authority}`] : []] };
    }
    case "mariadb": {
      const server = await MariadbServer.start({ tls });
      return { server, lines: [server.dsn, ...tls ? [`authority: ${server.tls?.authority}`] : []] };
    }
    case "victorialogs": {
      const server = await VictoriaLogsServer.start({ tls });
      return { server, lines: [server.url("/select/vmui")] };
    }
    case "kafka": {
      const server = await KafkaCluster.start({ nodes: flags.includes("--nodes=3") ? 3 : 1 });
      const listeners = KAFKA_LISTENERS.map((listener) => `${listener}: ${server.brokers(listener).join()}`);
      return {
        server,
        lines: [...listeners, "user: alice, password: alice-secret", `authority: ${server.tls.authority}`],
      };
    }
  }
}

async function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals: readonly Deno.Signal[] = ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, resolve);
  await promise;
  for (const signal of signals) Deno.removeSignalListener(signal, resolve);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
