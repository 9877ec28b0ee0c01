/** Owns what the command line knows of its surroundings: two streams, their terminals, signals, the way out. */

import { EventboatError } from "../diagnostics/mod.ts";

/** The surroundings of one call of the program. Tests hold one that remembers. */
export interface Terminal {
  /** Writes to stdout, whole, before it returns. @throws {EventboatError} `io`, once: what comes after is dropped. */
  out(text: string): void;
  /** Writes to stderr, whole, before it returns. Never throws: what cannot be written is dropped. */
  err(text: string): void;
  /** Whether stderr is a terminal: live lines are shown and logs are text only there. */
  readonly errIsTerminal: boolean;
  /** Columns of the terminal that stderr is. */
  errColumns(): number;
  /** Columns of the terminal that stdout is; undefined where it is none. */
  outColumns(): number | undefined;
  env(name: string): string | undefined;
  /** Calls back on each request to stop; the returned function ends that. */
  onStop(callback: (signal: string, exitCode: number) => void): () => void;
  /** Ends the program at once. */
  exit(code: number): never;
}

const SIGNALS = Deno.build.os === "windows"
  ? [["SIGINT", 130], ["SIGBREAK", 149]] as const
  : [["SIGINT", 130], ["SIGTERM", 143]] as const;

const COLUMNS_DEFAULT = 80;

/** What bytes are written to: a stream of the process, or a test's. */
export interface ByteStream {
  writeSync(bytes: Uint8Array): number;
}

/** The process's own surroundings. */
export function processTerminal(stdout: ByteStream = Deno.stdout, stderr: ByteStream = Deno.stderr): Terminal {
  let outFailed = false;
  return {
    out(text) {
      if (outFailed) return;
      try {
        writeWhole(stdout, text);
      } catch (caught) {
        outFailed = true;
        // The reader has gone (`eventboat ... | head`): what it does not want need not be said.
        if (caught instanceof Deno.errors.BrokenPipe) return;
        const why = caught instanceof Error ? caught.message : String(caught);
        throw new EventboatError("io", `cannot write to stdout: ${why}`, { cause: caught });
      }
    },
    err(text) {
      try {
        writeWhole(stderr, text);
      } catch {
        // Nobody reads it any more, or the disk it goes to is full. There is no better place to say so, and the work
        // must not stop for want of a line about it.
      }
    },
    errIsTerminal: Deno.stderr.isTerminal(),
    // A terminal that does not know its width says 0.
    errColumns: () => (Deno.stderr.isTerminal() && Deno.consoleSize().columns) || COLUMNS_DEFAULT,
    outColumns: () => Deno.stdout.isTerminal() ? Deno.consoleSize().columns || COLUMNS_DEFAULT : undefined,
    env: (name) => Deno.env.get(name),
    onStop(callback) {
      const listeners = SIGNALS.map(([name, exitCode]) => {
        const listener = () => callback(name, exitCode);
        Deno.addSignalListener(name, listener);
        return () => Deno.removeSignalListener(name, listener);
      });
      return () => listeners.forEach((remove) => remove());
    },
    exit: (code) => Deno.exit(code),
  };
}

const encoder = new TextEncoder();

function writeWhole(stream: ByteStream, text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}
