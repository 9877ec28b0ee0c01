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

/** Text in colours, as Deno writes it also where nobody sees them. */
// deno-lint-ignore no-control-regex -- the escape character is what begins a colour
const COLOUR_REGEXP = /\x1b\[[0-9;]*m/g;
/** Where what Deno says of its own inside begins. */
const BACKTRACE_REGEXP = /\n\s*Stack backtrace:[\s\S]*$/;
/** What stands before a line that is worth telling. */
const LINE_HEAD_REGEXP = /^\s*(?:\d+: |error: |Caused by:)?/;

/** A step that failed: what is worth telling is in the message. */
class StepError extends Error {
  override readonly name = "StepError";
}

async function main(): Promise<number> {
  await Deno.mkdir(DIST, { recursive: true });
  const entries = isolateEntries(projectFiles());
  try {
    await compile(await bundled(entries) ?? unbundled(entries));
    await smoke();
    return 0;
  } catch (caught) {
    if (!(caught instanceof StepError)) throw caught;
    console.error(`compile: no executable was made: ${caught.message}`);
    return 1;
  } finally {
    await Deno.remove(BUNDLE, { recursive: true }).catch(ignoreNotFound);
  }
}

async function compile({ main, includes, flags }: Program): Promise<void> {
  const compiler = Deno.env.get("DENO_COMPILER") ?? Deno.execPath();
  const included = includes.flatMap((path) => ["--include", path]);
  const args = ["compile", ...PROGRAM_FLAGS, ...flags, ...included, "--output", OUTPUT.pathname, main];
  try {
    await run(compiler, args);
  } catch (caught) {
    if (!(caught instanceof StepError)) throw caught;
    throw new StepError(
      `${caught.message}\n  hint: a first compile fetches Deno's base binary over the network. Where there is none, ` +
        "let DENORT_BIN name a denort of the compiler's version, or DENO_COMPILER a Deno that has fetched its own.",
    );
  }
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
    if (!(caught instanceof StepError)) throw caught;
    console.error(`compile: not bundled, so the program will start more slowly: ${caught.message}`);
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
  const options = { args: ["version"], clearEnv: true, env: { PATH: "" } };
  const { success, code, stdout, stderr } = await output(OUTPUT.pathname, options);
  const tookMs = performance.now() - startMs;
  const decoder = new TextDecoder();
  const said = decoder.decode(stdout).trim();
  if (!success || !said.includes("eventboat")) {
    throw new StepError(
      `dist/eventboat was built but does not run: "version" ended with ${code}, stdout "${said}", ` +
        `stderr "${decoder.decode(stderr).trim()}". Do the compiler and its base binary fit each other?`,
    );
  }
  console.error(`compile: dist/eventboat, ${(size / 1e6).toFixed(0)} MB, says "${said}" after ${tookMs.toFixed(0)} ms`);
}

/** Runs a command of Deno. @throws {StepError} when it fails, with what it said */
async function run(command: string, args: readonly string[]): Promise<void> {
  const options: Deno.CommandOptions = { args: [...args], cwd: PROJECT_ROOT, stdout: "null", stderr: "piped" };
  const { success, code, stderr } = await output(command, options);
  if (!success) throw new StepError(`${command} ${args[0]} ended with ${code}: ${causes(stderr)}`);
}

async function output(command: string, options: Deno.CommandOptions): Promise<Deno.CommandOutput> {
  try {
    return await new Deno.Command(command, options).output();
  } catch (caught) {
    throw new StepError(`cannot start ${command}: ${caught instanceof Error ? caught.message : caught}`);
  }
}

/** The error and its causes in one line: without colours, progress and a stack that leads nowhere. */
function causes(stderr: Uint8Array): string {
  const text = new TextDecoder().decode(stderr).replaceAll(COLOUR_REGEXP, "").replace(BACKTRACE_REGEXP, "");
  const told: string[] = [];
  for (const line of text.slice(Math.max(0, text.indexOf("error: "))).split("\n")) {
    const cause = line.replace(LINE_HEAD_REGEXP, "").trim().replace(/\.$/, "");
    // A cause repeats the end of what it caused.
    if (cause !== "" && !told.some((earlier) => earlier.includes(cause))) told.push(cause);
  }
  return told.join(": ");
}

function ignoreNotFound(caught: unknown): void {
  if (!(caught instanceof Deno.errors.NotFound)) throw caught;
}

if (import.meta.main) Deno.exit(await main());
