/** Owns what the command line knows of its surroundings: two streams, their terminals, signals, the way out. */

/** The surroundings of one call of the program. Tests hold one that remembers. */
export interface Terminal {
  /** Writes to stdout, whole, before it returns. */
  out(text: string): void;
  /** Writes to stderr, whole, before it returns. */
  err(text: string): void;
  /** Whether stderr is a terminal: live lines are shown and logs are text only there. */
  readonly errIsTerminal: boolean;
  /** Columns of the terminal that stderr is. */
  errColumns(): number;
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

/** The process's own surroundings. */
export function processTerminal(): Terminal {
  const encoder = new TextEncoder();
  const write = (stream: typeof Deno.stdout, text: string) => {
    let bytes = encoder.encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
    } catch (caught) {
      // The reader has gone (`eventboat ... | head`): what it does not want need not be said.
      if (!(caught instanceof Deno.errors.BrokenPipe)) throw caught;
    }
  };
  return {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text),
    errIsTerminal: Deno.stderr.isTerminal(),
    // A terminal that does not know its width says 0.
    errColumns: () => (Deno.stderr.isTerminal() && Deno.consoleSize().columns) || COLUMNS_DEFAULT,
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
