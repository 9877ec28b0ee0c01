/** Owns the program on a pseudo-terminal, as somebody types into it. */

import assert from "node:assert/strict";
import { programTest, type Subject } from "./program.ts";

/** How long what is typed may go without its answer. */
const PATIENCE_MS = 60_000;
const INTERRUPT_EVERY_MS = 100;

/** Gives a program a pseudo-terminal; part of every Linux, while its twin on macOS takes other arguments. */
const SCRIPT_PROGRAM = "/usr/bin/script";

/** Registers a test as `programTest` does; where there is no pseudo-terminal to be had it is skipped and says so. */
export function typedProgramTest(name: string, fn: (subject: Subject, folder: string) => Promise<void>): void {
  if (Deno.build.os === "linux" && exists(SCRIPT_PROGRAM)) return programTest(name, fn);
  console.error(`SKIPPED: ${name}: ${SCRIPT_PROGRAM} of util-linux is missing`);
  const required = Deno.build.os === "linux" && Deno.env.get("CI") === "true";
  Deno.test({ name, ignore: !required, fn: () => assert.fail(`${SCRIPT_PROGRAM} is missing`) });
}

/** A program that somebody types into. Disposing ends it. */
export class TypedProgram implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #reading: Promise<void>;
  #heard = "";
  #ended = false;
  #told = () => {};

  constructor(
    subject: Subject,
    args: readonly string[],
    { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    const command = [subject.command, ...subject.args, ...args].map((word) => `'${word}'`).join(" ");
    this.#child = new Deno.Command(SCRIPT_PROGRAM, {
      args: ["--quiet", "--return", "--flush", "--command", `exec ${command}`, "/dev/null"],
      cwd,
      env: { ...subject.env, ...env, NO_COLOR: "1", TERM: "xterm", SHELL: "/bin/sh" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Types keys, waits for what the screen must show behind them, and gives what it showed. */
  async answers(keys: string, expected: string): Promise<string> {
    this.#heard = "";
    await this.#type(keys);
    await this.#until(
      () => this.#heard.includes(expected),
      `${JSON.stringify(keys)} shows ${JSON.stringify(expected)}`,
    );
    return this.#heard;
  }

  /** Types keys that end the program and gives its exit code. */
  async ends(keys: string): Promise<number> {
    await this.#type(keys);
    await this.#until(() => this.#ended, `${JSON.stringify(keys)} ends it`);
    return (await this.#child.status).code;
  }

  /** Types Ctrl-C until the program has ended by it. */
  async interrupted(): Promise<void> {
    const timer = setInterval(() => void this.#type("\x03"), INTERRUPT_EVERY_MS);
    try {
      await this.#until(() => this.#ended, "Ctrl-C ends it");
    } finally {
      clearInterval(timer);
    }
    const { code } = await this.#child.status;
    assert.equal(code, 130);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) this.#child.kill("SIGKILL");
    await this.#writer.close().catch(() => {});
    await this.#reading;
    await this.#child.status;
  }

  async #type(keys: string): Promise<void> {
    // What has ended reads no more; whoever waits for something finds that out.
    if (keys !== "") await this.#writer.write(new TextEncoder().encode(keys)).catch(() => {});
  }

  async #until(done: () => boolean, what: string): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#told();
    }, PATIENCE_MS);
    try {
      while (!done()) {
        assert.ok(!late, `${PATIENCE_MS} ms passed before ${what}; the screen: ${JSON.stringify(this.#heard)}`);
        assert.ok(!this.#ended, `the program ended before ${what}; the screen: ${JSON.stringify(this.#heard)}`);
        await new Promise<void>((resolve) => this.#told = resolve);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#heard += text;
      this.#told();
    }
    this.#ended = true;
    this.#told();
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return false;
  }
}
