/** Owns the answer to SIGINT and SIGTERM: the first asks to stop, the second ends the program at once. */

import type { Terminal } from "./terminal.ts";

/** Turns requests to stop into an abort. Dispose it when nothing is left to stop. */
export class StopSignals implements Disposable {
  readonly #controller = new AbortController();
  readonly #remove: () => void;

  constructor(terminal: Pick<Terminal, "onStop" | "exit">) {
    this.#remove = terminal.onStop((name, exitCode) => {
      if (this.#controller.signal.aborted) terminal.exit(exitCode);
      this.#controller.abort(new DOMException(`${name} asked to stop`, "AbortError"));
    });
  }

  /** Aborts at the first request. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#remove();
  }
}
