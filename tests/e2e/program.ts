/** The program as its users start it, from source and compiled, for the end-to-end suites. */

import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);
const BINARY = new URL(Deno.build.os === "windows" ? "dist/eventboat.exe" : "dist/eventboat", ROOT);

/** How long a test waits for what must come, before it fails and shows what the program said. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 25;
/** How long a program may run that ends by itself, on a machine that does much else. */
const END_PATIENCE_MS = 180_000;

/** A way to start the program. */
export interface Subject {
  readonly name: string;
  readonly compiled: boolean;
  readonly command: string;
  /** What comes before the program's own arguments. */
  readonly args: readonly string[];
  /** The compiled program is run without anything on its path: it must not need a Deno. */
  readonly env: Readonly<Record<string, string>>;
}

/** A program of this project, run from its source; `main` is its path from the project's root. */
export function sourceProgram(main: string): Subject {
  const args = ["run", "--no-prompt", "--allow-all", "--quiet", new URL(main, ROOT).pathname];
  return { name: "from source", compiled: false, command: Deno.execPath(), args, env: {} };
}

/** Compiles another program of this project, as `deno task compile` does the shipped one. */
export async function compileProgram(main: string, includes: readonly string[], output: string): Promise<Subject> {
  const flags = ["--quiet", "--no-check", "--no-prompt", "--allow-all", "--frozen", "--output", output];
  const { success, stderr } = await new Deno.Command(Deno.env.get("DENO_COMPILER") ?? Deno.execPath(), {
    args: ["compile", ...flags, ...includes.flatMap((path) => ["--include", path]), main],
    cwd: ROOT,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return { name: "compiled", compiled: true, command: output, args: [], env: { PATH: "" } };
}

const SOURCE = sourceProgram("src/main.ts");

const COMPILED: Subject = { name: "compiled", compiled: true, command: BINARY.pathname, args: [], env: { PATH: "" } };

/**
 * Registers a test once for each way to start the program. Where dist/eventboat is missing that half is skipped and says
 * so; with `CI=true` it fails.
 */
export function programTest(name: string, fn: (subject: Subject, folder: string) => Promise<void>): void {
  for (const subject of [SOURCE, COMPILED]) {
    const missing = subject === COMPILED && !exists(BINARY);
    const required = Deno.env.get("CI") === "true";
    Deno.test({
      name: `${name} (${subject.name})`,
      ignore: missing && !required,
      async fn() {
        assert.ok(!missing, 'dist/eventboat is missing: run "deno task compile" first');
        const folder = await Deno.makeTempDir({ prefix: "eventboat-e2e-" });
        try {
          await fn(subject, folder);
        } finally {
          await Deno.remove(folder, { recursive: true });
        }
      },
    });
  }
  if (!exists(BINARY)) console.error(`SKIPPED: ${name} (compiled): "deno task compile" makes dist/eventboat`);
}

/** What a run of the program left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. Disposing kills it, should it still run. */
export class RunningProgram implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: Promise<Finished>;
  readonly #heard: (text: string) => void;
  #finished = false;
  #said = "";

  constructor(subject: Subject, args: readonly string[], options: RunOptions) {
    this.#child = new Deno.Command(subject.command, {
      args: [...subject.args, ...args],
      cwd: options.cwd,
      env: { ...subject.env, ...options.env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#heard = options.heard ?? (() => {});
    this.#output = this.#collect();
  }

  /** The process's id, for signals that a test sends by itself. */
  get pid(): number {
    return this.#child.pid;
  }

  /** What it has written so far, on either stream. */
  get said(): string {
    return this.#said;
  }

  /** Sends a signal; a program that has ended does not mind. */
  kill(signal: Deno.Signal): void {
    try {
      if (!this.#finished) this.#child.kill(signal);
    } catch (caught) {
      // It ended just now, and what it said is still being read.
      if (!(caught instanceof TypeError)) throw caught;
    }
  }

  /** Waits for the end; kills the program and fails when it does not come. */
  async finished(): Promise<Finished> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.kill("SIGKILL");
    }, END_PATIENCE_MS);
    const finished = await this.#output;
    clearTimeout(timer);
    assert.ok(!late, `the program did not end within ${END_PATIENCE_MS} ms; it said:\n${this.#said}`);
    return finished;
  }

  /** Waits until `look` gives something; fails when the program ends or the patience does. */
  async until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      assert.ok(!this.#finished, `the program ended before ${what}; it said:\n${this.#said}`);
      assert.ok(performance.now() < endMs, `${PATIENCE_MS} ms passed before ${what}; the program said:\n${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGKILL");
    await this.#output;
  }

  async #collect(): Promise<Finished> {
    const read = async (stream: ReadableStream<Uint8Array>) => {
      let text = "";
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        this.#said += chunk;
        this.#heard(chunk);
      }
      return text;
    };
    const [stdout, stderr, { code }] = await Promise.all([
      read(this.#child.stdout),
      read(this.#child.stderr),
      this.#child.status,
    ]);
    this.#finished = true;
    return { code, stdout, stderr };
  }
}

/** Where and with what a program is started. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Told what the program writes, on either stream, as it comes. */
  readonly heard?: (text: string) => void;
}

/** Runs the program to its end. */
export async function runProgram(subject: Subject, args: readonly string[], options: RunOptions): Promise<Finished> {
  await using program = new RunningProgram(subject, args, options);
  return await program.finished();
}

/** The whole lines of a file as JSON; none while the file is not there. */
export function jsonLines(path: string): Record<string, unknown>[] {
  let text = "";
  try {
    text = Deno.readTextFileSync(path);
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Copies an example into the folder and gives the copy's path: a run writes beside the pipeline. */
export function copyExample(name: string, folder: string): string {
  const target = `${folder}/${name}`;
  copyFolder(new URL(`examples/${name}/`, ROOT), target);
  return target;
}

/** A port on loopback that nobody listens on at the moment. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function copyFolder(from: URL, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const entry of Deno.readDirSync(from)) {
    if (entry.name === "out") continue;
    if (entry.isDirectory) copyFolder(new URL(`${entry.name}/`, from), `${to}/${entry.name}`);
    else Deno.copyFileSync(new URL(entry.name, from), `${to}/${entry.name}`);
  }
}

function exists(file: URL): boolean {
  try {
    Deno.statSync(file);
    return true;
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return false;
  }
}
