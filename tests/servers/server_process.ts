/** Owns a real server's process in tests: starting it, what it says, its signals and its end, each bounded in time. */

import assert from "node:assert/strict";
import { findProgram, type ServerUser } from "./installed.ts";

/** How long a server may take until it answers, on a machine that does much else. */
const START_PATIENCE_MS = 90_000;
/** How long one may take to stop by itself. */
const STOP_PATIENCE_MS = 60_000;
/** How long what runs may take to come to a state that a test waits for. */
const AGREEMENT_PATIENCE_MS = 60_000;
/** After its end: how long its output may stay open, which a child of it may still hold. */
const OUTPUT_PATIENCE_MS = 1_000;
const LOOK_EVERY_MS = 50;
/** What is kept of the output: its end. */
const OUTPUT_CHARS_MAX = 64 * 1024;

/** How to start a server, and how to know that it answers. */
export interface ServerCommand {
  /** For messages: `postgres`, `kafka node 2`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whom to run it as; this process's own user when left out. */
  readonly user?: ServerUser | undefined;
  /** Whether it takes requests by now. Called again and again; must not throw. */
  readonly isReady: () => Promise<boolean>;
  /** What asks it to stop in good order; SIGTERM unless told. */
  readonly stopSignal?: Deno.Signal;
}

interface RunningServer {
  readonly child: Deno.ChildProcess;
  readonly ended: Promise<Deno.CommandStatus>;
  status: Deno.CommandStatus | undefined;
}

/** A server that can be stopped and started again with the same data and port. Killed when its scope ends. */
export class ServerProcess implements AsyncDisposable {
  readonly #command: ServerCommand;
  #running: RunningServer | undefined;
  #output = "";

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** The process's id. Fails while it is stopped. */
  get pid(): number {
    return this.#alive("its pid").child.pid;
  }

  /** Whether it runs, paused or not. */
  get running(): boolean {
    return this.#running !== undefined && this.#running.status === undefined;
  }

  /** The end of what it wrote, on both streams and over all its starts. */
  get output(): string {
    return this.#output;
  }

  /** Starts it and waits until it answers. Rejects, with what it said, when it ends before or takes too long. */
  async start(): Promise<void> {
    this.spawn();
    await this.untilReady();
  }

  /** Starts it without waiting: for servers that need each other. */
  spawn(): void {
    assert.ok(!this.running, `${this.#command.name} runs already`);
    const { command, args } = tiedToThisProcess(this.#command);
    const child = new Deno.Command(command, {
      args: [...args],
      env: { ...this.#command.env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const running: RunningServer = { child, ended: this.#untilEnded(child), status: undefined };
    this.#running = running;
    // The end is awaited by whoever stops it; a start that fails looks at the status.
    void running.ended.then((status) => running.status = status);
  }

  /** Waits until it answers. */
  async untilReady(): Promise<void> {
    const endMs = performance.now() + START_PATIENCE_MS;
    while (!await this.#command.isReady()) {
      const running = this.#running;
      if (running?.status !== undefined) {
        await running.ended;
        assert.fail(`${this.#command.name} ended with code ${running.status.code}; it said:\n${this.#output}`);
      }
      if (performance.now() > endMs) {
        assert.fail(`${this.#command.name} did not answer within ${START_PATIENCE_MS} ms; it said:\n${this.#output}`);
      }
      await delay(LOOK_EVERY_MS);
    }
  }

  /** Sends a signal. */
  signal(signal: Deno.Signal): void {
    this.#alive(`sending ${signal}`).child.kill(signal);
  }

  /**
   * Freezes the process: its connections stay open and nobody answers. Children go on, and PostgreSQL's sessions are
   * such: `WeakLink` can stall those.
   */
  pause(): void {
    this.signal("SIGSTOP");
  }

  /** Lets a paused process go on. */
  resume(): void {
    this.signal("SIGCONT");
  }

  /** Asks it to stop, paused or not, and waits for its end. Rejects, after killing it, when it does not. */
  async stop(signal: Deno.Signal = this.#command.stopSignal ?? "SIGTERM"): Promise<void> {
    const running = this.#alive("stopping it");
    running.child.kill(signal);
    // A paused one takes no other signal.
    running.child.kill("SIGCONT");
    if (await within(STOP_PATIENCE_MS, running.ended)) return;
    await this.kill();
    assert.fail(
      `${this.#command.name} did not stop within ${STOP_PATIENCE_MS} ms of ${signal}; it said:\n${this.#output}`,
    );
  }

  /** Kills it with SIGKILL and waits for its end. */
  async kill(): Promise<void> {
    const running = this.#alive("killing it");
    running.child.kill("SIGKILL");
    await running.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.running) await this.kill();
  }

  #alive(wanted: string): RunningServer {
    const running = this.#running;
    assert.ok(running !== undefined && this.running, `${this.#command.name} is stopped: ${wanted} needs it running`);
    return running;
  }

  async #untilEnded(child: Deno.ChildProcess): Promise<Deno.CommandStatus> {
    const readers = [child.stdout.getReader(), child.stderr.getReader()];
    const read = Promise.all(readers.map((reader) => this.#collect(reader)));
    const status = await child.status;
    if (!await within(OUTPUT_PATIENCE_MS, read)) {
      await Promise.all(readers.map((reader) => reader.cancel()));
      await read;
    }
    return status;
  }

  async #collect(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#output = (this.#output + decoder.decode(value, { stream: true })).slice(-OUTPUT_CHARS_MAX);
    }
  }
}

/** Looks again and again until something is so. Rejects, and says what it waited for, when it is not so in time. */
export async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + AGREEMENT_PATIENCE_MS;
  while (!await look()) {
    assert.ok(performance.now() < endMs, `${AGREEMENT_PATIENCE_MS} ms passed before ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Runs a command of a server to its end and gives what it wrote to stdout. Rejects with its stderr when it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly user?: ServerUser | undefined; readonly env?: Record<string, string>; readonly stdin?: string } =
    {},
): Promise<string> {
  const started = asUser({ command, args }, options.user);
  await using child = new Deno.Command(started.command, {
    args: [...started.args],
    env: { ...options.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [{ success, stdout, stderr }] = await Promise.all([child.output(), writeAll(child.stdin, options.stdin ?? "")]);
  const said = new TextDecoder().decode(stdout);
  assert.ok(success, `${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}${said}`);
  return said;
}

/** Whether somebody listens on a port of 127.0.0.1. */
export async function acceptsConnections(port: number): Promise<boolean> {
  try {
    using _connection = await Deno.connect({ hostname: "127.0.0.1", port });
    return true;
  } catch (caught) {
    if (!(caught instanceof Deno.errors.ConnectionRefused)) throw caught;
    return false;
  }
}

/** Ports of 127.0.0.1 that nobody listens on at the moment, all different. */
export function freePorts(count: number): number[] {
  using held = new DisposableStack();
  return Array.from({ length: count }, () => {
    const listener = held.use(Deno.listen({ hostname: "127.0.0.1", port: 0 }));
    return listener.addr.port;
  });
}

/** A command as it is spawned. */
export interface StartedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A command, and whom to run it as. */
export interface UnstartedCommand extends StartedCommand {
  readonly user?: ServerUser | undefined;
}

async function writeAll(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (caught) {
    // It ended without reading all of it, and its exit code tells why.
    if (!(caught instanceof Deno.errors.BrokenPipe)) throw caught;
  }
}

/**
 * The command as it is spawned: as its user, and on Linux ended by the kernel with the process that spawns it, so that
 * a killed test run leaves no server behind.
 */
export function tiedToThisProcess({ command, args, user }: UnstartedCommand): StartedCommand {
  const setpriv = Deno.build.os === "linux" ? findProgram("setpriv") : undefined;
  if (setpriv === undefined) return asUser({ command, args }, user);
  const identity = user === undefined ? [] : identityFlags(user);
  return { command: setpriv, args: ["--pdeathsig", "KILL", ...identity, command, ...args] };
}

function asUser(started: StartedCommand, user: ServerUser | undefined): StartedCommand {
  if (user === undefined) return started;
  const setpriv = findProgram("setpriv");
  assert.ok(setpriv !== undefined, `running ${started.command} as ${user.name} needs setpriv, of util-linux`);
  return { command: setpriv, args: [...identityFlags(user), started.command, ...started.args] };
}

function identityFlags(user: ServerUser): string[] {
  return [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
}

/** Whether the promise settles in time. */
async function within(timeoutMs: number, settled: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  try {
    return await Promise.race([settled.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
