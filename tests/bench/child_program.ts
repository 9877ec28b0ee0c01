/** Owns the processes that benchmarks run in: each a program of this folder, held to one core, that prints JSON lines. */

import { PROJECT_ROOT } from "../../scripts/project_files.ts";

/** How a child is run. */
export interface ChildOptions {
  readonly args?: readonly string[];
  /** The core or cores it is held to, where the platform can. */
  readonly core: number | readonly number[];
  /** Whether it is given the flags that the program is run with; a floor runs as bare as can be. */
  readonly asProgram?: boolean;
}

const DENO_ARGS: readonly string[] = ["run", "--no-prompt", "--allow-all", "--no-check"];
const V8_FLAGS_REGEXP = /--v8-flags=\S+/;

/** How long a child may take to end once it is asked to. */
const STOP_LIMIT_MS = 10_000;

/** A program of this folder while it runs. */
export class ChildProgram implements AsyncDisposable {
  readonly #name: string;
  readonly #process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  #rest = "";

  /** Starts `name`.ts. */
  constructor(name: string, { args = [], core, asProgram = false }: ChildOptions) {
    const program = new URL(`${name}.ts`, import.meta.url).pathname;
    this.#name = name;
    const [command, ...commandArgs] = pinned(core, [
      Deno.execPath(),
      ...DENO_ARGS,
      ...(asProgram ? programFlags() : []),
      program,
      ...args,
    ]);
    this.#process = new Deno.Command(command, { args: commandArgs, cwd: PROJECT_ROOT, stdin: "null", stdout: "piped" })
      .spawn();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next line it prints, as data. @throws {Error} when it ends without one. */
  async next<Line>(): Promise<Line> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        // Both ends of this pipe stand in one folder: the caller knows what its program prints.
        return JSON.parse(line) as Line;
      }
      const { value, done } = await this.#lines.read();
      if (done) throw new Error(`${this.#name} ended with ${(await this.#process.status).code} and said nothing`);
      this.#rest += value;
    }
  }

  /** Asks it to stop; it still prints what it has to say. */
  stop(): void {
    this.#kill("SIGTERM");
  }

  /** Asks it to stop where it has not, and ends it where it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    const status = this.#process.status;
    this.#kill("SIGTERM");
    const late = setTimeout(() => this.#kill("SIGKILL"), STOP_LIMIT_MS);
    await status;
    clearTimeout(late);
    await this.#lines.cancel();
  }

  #kill(signal: Deno.Signal): void {
    try {
      this.#process.kill(signal);
    } catch (caught) {
      // It has ended by itself.
      if (!(caught instanceof TypeError)) throw caught;
    }
  }
}

/** The flags of `deno task eventboat`: what is measured is the program as it is run. */
export function programFlags(): readonly string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", PROJECT_ROOT)));
  return V8_FLAGS_REGEXP.exec(tasks.eventboat.command) ?? [];
}

/** Runs a program to its end and gives the line it printed. */
export async function runChild<Line>(name: string, options: ChildOptions): Promise<Line> {
  await using child = new ChildProgram(name, options);
  return await child.next<Line>();
}

/** The command held to one core or some, on a platform that has `taskset`. */
export function pinned(
  core: number | readonly number[],
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  const cores = typeof core === "number" ? [core] : core;
  if (Deno.build.os !== "linux" || navigator.hardwareConcurrency <= Math.max(...cores)) return command;
  return ["taskset", "-c", cores.join(","), ...command];
}

/** Prints a line for the benchmark that started this program. */
export function tell(line: unknown): void {
  console.log(JSON.stringify(line));
}

/** The most memory this process has held, in megabytes; NaN where the platform does not say. */
export function peakMemoryMb(): number {
  if (Deno.build.os !== "linux") return NaN;
  const found = PEAK_REGEXP.exec(Deno.readTextFileSync("/proc/self/status"));
  return Number(found?.[1] ?? NaN) * 1024 / 1e6;
}

const PEAK_REGEXP = /^VmHWM:\s+(\d+) kB$/m;
