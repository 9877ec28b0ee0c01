/**
 * Owns the installing of the real servers that tests start: packages of Debian, jars from Maven, programs of Go. Where
 * each package manager downloads from is its own configuration's affair.
 */

import {
  findGo,
  findProgram,
  KAFKA_VERSION,
  kafkaJars,
  missingOf,
  type ServerName,
  serversFolder,
  VICTORIALOGS_VERSION,
  victoriaLogsProgram,
} from "../tests/servers/installed.ts";
import { classArchive } from "../tests/servers/kafka/class_archive.ts";
import { KafkaCluster } from "../tests/servers/kafka_cluster.ts";

const LOG4J_VERSION = "2.25.5";

/** The oldest Go that builds the pinned VictoriaLogs, and the one that is fetched where there is none as new. */
const GO_VERSION_MIN = "1.26.5";
const GO_VERSION = "1.26.8";
const GO_VERSION_REGEXP = /\bgo(\d+)\.(\d+)(?:\.(\d+))?/;

/** How long a single command may take; a build of Go on a slow machine is the longest. */
const COMMAND_TIMEOUT_MS = 15 * 60_000;
/** Downloads fail now and then; how often each step is tried, and the wait before it is tried again. */
const ATTEMPTS_MAX = 3;
const ATTEMPT_WAIT_MS = 5_000;

/** A command of the install that failed. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

/** Installs what is missing of these servers. `tell` hears what is done. Rejects with {@linkcode InstallError}. */
export async function installServers(servers: readonly ServerName[], tell: (text: string) => void): Promise<void> {
  const missing = servers.filter((server) => missingOf(server) !== undefined);
  const packages = missing.flatMap(debianPackages);
  if (Deno.build.os === "linux" && findProgram("setpriv") === undefined) packages.push("util-linux");
  if (packages.length > 0) await timed(`apt-get: ${packages.join(" ")}`, tell, () => installPackages(packages));
  await Deno.mkdir(serversFolder(), { recursive: true });
  if (missing.includes("kafka")) await timed(`maven: kafka ${KAFKA_VERSION}`, tell, copyKafkaJars);
  if (missing.includes("victorialogs")) {
    await timed(`go: victoria-logs ${VICTORIALOGS_VERSION}`, tell, buildVictoriaLogs);
  }
  for (const server of servers) {
    const lacking = missingOf(server);
    if (lacking !== undefined) throw new InstallError(`after the install: ${lacking}`);
  }
  if (servers.includes("kafka") && !await exists(classArchive("tools"))) {
    try {
      await timed("kafka: classes for quicker starts", tell, recordClasses);
    } catch (caught) {
      // Kafka starts without them too, only later.
      tell(`kafka: no classes for quicker starts: ${caught}`);
    }
  }
}

async function timed(what: string, tell: (text: string) => void, work: () => Promise<void>): Promise<void> {
  const startMs = performance.now();
  for (let attempt = 1;; attempt++) {
    try {
      await work();
      break;
    } catch (caught) {
      if (attempt === ATTEMPTS_MAX || !(caught instanceof InstallError)) throw caught;
      tell(`${what}: failed and is tried again: ${caught.message}`);
      await new Promise((resolve) => setTimeout(resolve, ATTEMPT_WAIT_MS));
    }
  }
  tell(`${what}: ${Math.round((performance.now() - startMs) / 1000)} s`);
}

/** What a server and its build need that is not there. */
function debianPackages(server: ServerName): string[] {
  const unless = (program: string | undefined, name: string) => program === undefined ? [name] : [];
  switch (server) {
    case "postgres":
      return ["postgresql"];
    case "mariadb":
      return ["mariadb-server"];
    case "kafka":
      return [
        ...unless(findProgram("javac"), "openjdk-17-jdk-headless"),
        ...unless(findProgram("mvn"), "maven"),
      ];
    case "victorialogs":
      return unless(findGo(), "golang-go");
  }
}

async function installPackages(packages: readonly string[]): Promise<void> {
  const root = Deno.uid() === 0 ? [] : ["sudo", "--preserve-env=DEBIAN_FRONTEND"];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run([...root, "apt-get", "update", "-qq"], { env });
  await run([...root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
}

async function copyKafkaJars(): Promise<void> {
  const project = await Deno.makeTempDir({ dir: serversFolder() });
  try {
    await Deno.writeTextFile(`${project}/pom.xml`, kafkaProject());
    const output = `-DoutputDirectory=${project}/jars`;
    await run([program("mvn"), "-q", "-B", "dependency:copy-dependencies", output], { cwd: project });
    // Whole or not at all.
    await Deno.rename(`${project}/jars`, kafkaJars());
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

function kafkaProject(): string {
  const dependencies = [
    ["org.apache.kafka", "kafka_2.13", KAFKA_VERSION],
    ["org.apache.kafka", "kafka-tools", KAFKA_VERSION],
    ["org.apache.logging.log4j", "log4j-slf4j-impl", LOG4J_VERSION],
  ].map(([group, name, version]) => {
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion>
<groupId>eventboat</groupId><artifactId>test-servers</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
${dependencies.join("\n")}
</dependencies></project>
`;
}

async function buildVictoriaLogs(): Promise<void> {
  const folder = await Deno.makeTempDir({ dir: serversFolder() });
  try {
    const module = `github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs@v${VICTORIALOGS_VERSION}`;
    // Each Go knows its own root; one that the environment names may be another's.
    await run([await goProgram(), "install", module], { cwd: folder, env: { GOBIN: folder, GOROOT: "" } });
    await Deno.rename(`${folder}/victoria-logs`, victoriaLogsProgram());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A Go that is new enough: the machine's own, else one of Go's modules, which any Go can fetch. */
async function goProgram(): Promise<string> {
  const go = findGo();
  if (go === undefined) throw new InstallError("go is not on the PATH");
  // Its own version, not that of another Go which it would fetch for the folder's go.mod.
  if (isAtLeast(await run([go, "env", "GOVERSION"], { env: { GOTOOLCHAIN: "local" } }), GO_VERSION_MIN)) return go;
  const [os, arch] = (await run([go, "env", "GOOS", "GOARCH"])).trim().split("\n");
  const toolchain = `golang.org/toolchain@v0.0.1-go${GO_VERSION}.${os}-${arch}`;
  const { Dir: folder } = JSON.parse(await run([go, "mod", "download", "-json", toolchain])) as { Dir: string };
  // A module's files are never executable; a Go that fetches it by itself sets this too.
  await run(["chmod", "-R", "a+x", `${folder}/bin`, `${folder}/pkg/tool`]);
  return `${folder}/bin/go`;
}

function isAtLeast(version: string, wanted: string): boolean {
  const numbers = (text: string) => (GO_VERSION_REGEXP.exec(text) ?? []).slice(1).map((part) => Number(part ?? 0));
  const found = numbers(version);
  for (const [index, number] of numbers(`go${wanted}`).entries()) {
    const difference = (found[index] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Starts a node once and lets it and the tools write down which classes they loaded. */
async function recordClasses(): Promise<void> {
  await using cluster = await KafkaCluster.start({ classes: "record" });
  await cluster.createTopic("warm-up");
  await cluster.produce("warm-up", [{ value: "once" }], { compression: "gzip" });
  await cluster.read("warm-up");
  await cluster.node(1).stop();
}

function program(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new InstallError(`${name} is not on the PATH`);
  return path;
}

async function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<string> {
  const [name = "", ...args] = command;
  const { success, stdout, stderr } = await new Deno.Command(name, {
    args,
    ...options,
    signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
  }).output();
  const said = new TextDecoder().decode(stdout);
  if (!success) throw new InstallError(`${command.join(" ")} failed:\n${said}${new TextDecoder().decode(stderr)}`);
  return said;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return false;
  }
}
