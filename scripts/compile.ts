/** Owns `deno task compile`: one executable, dist/eventboat, seen to start before anybody gets it. */

import { isolateEntries, MAIN_ENTRY } from "./bundle_plan.ts";
import { PROJECT_ROOT, projectFiles } from "./project_files.ts";

const DIST = new URL("dist/", PROJECT_ROOT);
const BUNDLE = new URL("bundle/", DIST);
const OUTPUT = new URL(Deno.build.os === "windows" ? "eventboat.exe" : "eventboat", DIST);

/**
 * Baked in: the control plane has all permissions, so that it can give each pipeline's isolate the ones its plan needs;
 * `--no-prompt` makes a refused one an error instead of a question.
 */
const PROGRAM_FLAGS: readonly string[] = [
  "--no-check",
  "--no-prompt",
  "--allow-all",
  "--unstable-worker-options",
  // Messages live for milliseconds. A larger nursery holds more of the dead and is no faster; a smaller one takes
  // messages in flight for old ones, which costs more time than it saves memory. And no place in the code makes its
  // objects among the old ones because a few of them outlived a collection: each would keep a message that is done.
  "--v8-flags=--max-semi-space-size=16,--no-allocation-site-pretenuring",
];

interface Program {
  readonly main: string;
  readonly includes: readonly string[];
  readonly flags: readonly string[];
}

async function main(): Promise<void> {
  const compiler = Deno.env.get("DENO_COMPILER") ?? Deno.execPath();
  await Deno.mkdir(DIST, { recursive: true });
  const entries = isolateEntries(projectFiles());
  const program = await bundled(entries) ?? unbundled(entries);
  const includes = program.includes.flatMap((path) => ["--include", path]);
  await run(compiler, [
    "compile",
    ...PROGRAM_FLAGS,
    ...program.flags,
    ...includes,
    "--output",
    OUTPUT.pathname,
    program.main,
  ]);
  await smoke();
}

/**
 * Few files instead of hundreds of modules, split so that a verb loads what it needs: the program starts in half the
 * time. An entry file keeps the name that the code refers to; what is JavaScript may be called .ts.
 */
async function bundled(entries: readonly string[]): Promise<Program | undefined> {
  await Deno.remove(BUNDLE, { recursive: true }).catch(ignoreNotFound);
  await Deno.mkdir(BUNDLE, { recursive: true });
  const args = ["bundle", "--quiet", "--keep-names", "--code-splitting", "--outdir", BUNDLE.pathname];
  try {
    await run(Deno.execPath(), [...args, MAIN_ENTRY, ...entries]);
  } catch (caught) {
    console.error(`compile: not bundled, so the program will start more slowly (${caught})`);
    return undefined;
  }
  for (const entry of entries) {
    const name = entry.slice(entry.lastIndexOf("/") + 1);
    await Deno.rename(new URL(name.replace(/\.ts$/, ".js"), BUNDLE), new URL(name, BUNDLE));
  }
  const files = [...Deno.readDirSync(BUNDLE)].map(({ name }) => new URL(name, BUNDLE).pathname).sort();
  const main = new URL("main.js", BUNDLE).pathname;
  return { main, includes: files.filter((file) => file !== main), flags: ["--no-config", "--no-lock"] };
}

function unbundled(entries: readonly string[]): Program {
  return { main: MAIN_ENTRY, includes: entries, flags: ["--frozen"] };
}

/** Runs the program without a Deno on its path: a compiler and a base that do not fit make a dud without saying so. */
async function smoke(): Promise<void> {
  const { size } = await Deno.stat(OUTPUT);
  const startMs = performance.now();
  const command = new Deno.Command(OUTPUT.pathname, { args: ["version"], clearEnv: true, env: { PATH: "" } });
  const { success, code, stdout, stderr } = await command.output();
  const tookMs = performance.now() - startMs;
  const decoder = new TextDecoder();
  const said = decoder.decode(stdout).trim();
  if (!success || !said.includes("eventboat")) {
    throw new Error(
      `dist/eventboat was built but does not run: "version" ended with ${code}, stdout "${said}", ` +
        `stderr "${decoder.decode(stderr).trim()}". Do the compiler and its base binary fit each other?`,
    );
  }
  console.error(`compile: dist/eventboat, ${(size / 1e6).toFixed(0)} MB, says "${said}" after ${tookMs.toFixed(0)} ms`);
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = new Deno.Command(command, { args: [...args], cwd: PROJECT_ROOT, stdout: "null", stderr: "piped" });
  const { success, code, stderr } = await child.output();
  if (!success) throw new Error(`${command} ${args[0]} ended with ${code}: ${new TextDecoder().decode(stderr).trim()}`);
}

function ignoreNotFound(caught: unknown): void {
  if (!(caught instanceof Deno.errors.NotFound)) throw caught;
}

if (import.meta.main) await main();
