/** Owns what the verbs of one call share: streams, the form of the answer, the operations. */

import type { TSchema } from "typebox";
import { exactJson, systemClock } from "../base/mod.ts";
import type { IsolateEntries, Operation, OperationContext } from "../ops/mod.ts";
import type { Plugin } from "../plugin/mod.ts";
import type { Terminal } from "./terminal.ts";

/** What a session is made of. */
export interface SessionOptions {
  readonly terminal: Terminal;
  /** Print one JSON document instead of text. */
  readonly json: boolean;
  readonly loadPlugins: () => Promise<readonly Plugin[]>;
  readonly entries: IsolateEntries;
}

/** One call of the program. */
export class Session {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.terminal = options.terminal;
    this.json = options.json;
    this.#options = options;
  }

  /** Performs an operation. `listeners` hear of what goes on meanwhile. @throws {EventboatError} */
  async perform<Input extends TSchema, Output>(
    operation: Operation<Input, Output>,
    input: { readonly [field: string]: unknown },
    listeners: Partial<OperationContext> = {},
  ): Promise<Output> {
    const { openRegistry, perform } = await import("../ops/mod.ts");
    const { silentLogger } = await import("../telemetry/mod.ts");
    const context: OperationContext = {
      registry: openRegistry(await this.#options.loadPlugins()),
      entries: this.#options.entries,
      clock: systemClock,
      env: (name) => this.terminal.env(name),
      signal: new AbortController().signal,
      openLog: () => silentLogger,
      ...listeners,
    };
    return await perform(operation, withoutUndefined(input), context);
  }

  /** Prints the answer: as JSON where that was asked for, else as the text that `render` makes of it. */
  answer<Answer>(answer: Answer, render: (answer: Answer) => string): void {
    this.terminal.out(this.json ? jsonText(answer) : render(answer));
  }
}

/** One JSON document with its newline; integers beyond 2^53 keep every digit. */
export function jsonText(value: unknown): string {
  return `${exactJson(value, 2)}\n`;
}

/** Options that were not given are absent, not undefined: a schema tells the two apart. */
function withoutUndefined(input: { readonly [field: string]: unknown }): { readonly [field: string]: unknown } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
