/** Owns Kafka's own clients in tests: one Java process that answers requests, a line of JSON each. */

import assert from "node:assert/strict";
import { findProgram, kafkaJars } from "../installed.ts";
import { archiveFlags, type ArchiveUse } from "./class_archive.ts";
import { tiedToThisProcess } from "../server_process.ts";

const SOURCE = new URL("KafkaTools.java", import.meta.url);
/** Large enough to read and write a million messages; the machine is shared with the brokers. */
const HEAP_MEGABYTES = 192;

/** What every answer's last line looks like. */
interface LastAnswer {
  readonly end?: boolean;
  readonly error?: string;
}

/** The process. Its requests are carried out one after the other, each within a minute unless it streams. */
export class KafkaTools implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string>;
  readonly #complaints: Promise<void>;
  #said = "";
  /** Settles when the request before has had its last answer. */
  #turn: Promise<void> = Promise.resolve();

  readonly #archive: ArchiveUse;

  /** Starts it: what is asked waits until it runs. */
  constructor(archive: ArchiveUse) {
    this.#archive = archive;
    const { command, args } = tiedToThisProcess({ command: javaProgram(), args: this.#args() });
    this.#child = new Deno.Command(command, { args: [...args], stdin: "piped", stdout: "piped", stderr: "piped" })
      .spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
    this.#complaints = this.#collect();
  }

  /** Asks, and gives the answers as they come. One that is left early is read to its end all the same. */
  async *stream<Answer>(verb: string, request: Record<string, unknown> = {}): AsyncGenerator<Answer> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    let ended = false;
    const next = async (): Promise<(Answer & LastAnswer) | undefined> => {
      const { done, value } = await this.#lines.next();
      ended = true;
      assert.ok(done !== true, `Kafka's tools ended during ${verb}; they said:\n${this.#said}`);
      const answer: Answer & LastAnswer = JSON.parse(value);
      assert.equal(answer.error, undefined, `Kafka's tools could not ${verb} ${JSON.stringify(request).slice(0, 500)}`);
      ended = answer.end === true;
      return ended ? undefined : answer;
    };
    try {
      await this.#writer.write(new TextEncoder().encode(`${JSON.stringify({ verb, ...request })}\n`));
      for (let answer = await next(); answer !== undefined; answer = await next()) {
        // No answer is a promise: it was JSON.
        yield answer as Awaited<Answer>;
      }
    } finally {
      while (!ended) await next();
      resolve();
    }
  }

  /** Asks, and gives all answers. */
  async ask<Answer>(verb: string, request: Record<string, unknown> = {}): Promise<Answer[]> {
    return await Array.fromAsync(this.stream<Answer>(verb, request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Only one that ends by itself, when its input does, writes its archive.
    if (this.#archive === "load") this.#child.kill("SIGKILL");
    // The pipe to a killed process may be broken already; nothing is left to be written.
    await this.#writer.close().catch(() => {});
    await this.#child.status;
    while ((await this.#lines.next()).done !== true);
    await this.#complaints;
  }

  #args(): string[] {
    return [...javaFlags(HEAP_MEGABYTES), ...archiveFlags("tools", this.#archive), SOURCE.pathname];
  }

  async #collect(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) this.#said += text;
  }
}

/** The absolute path of Java. */
export function javaProgram(): string {
  const path = findProgram("java");
  assert.ok(path !== undefined, "java is not installed");
  return path;
}

/** The flags of every virtual machine here: small, and soon up to speed rather than fast after minutes. */
export function javaFlags(heapMegabytes: number): string[] {
  return [`-Xmx${heapMegabytes}m`, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", `${kafkaJars()}/*`];
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
