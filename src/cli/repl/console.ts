/** Owns what a console answers to each line, whoever typed it. */

import { exactJson } from "../../base/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import {
  type ExpressionLanguage,
  readSample,
  type ReplSession,
  type SessionStep,
  StatementLines,
} from "../../ops/mod.ts";
import { failureText, outputText, valueText } from "./answer_text.ts";
import { type Command, helpText, isCommand, parseCommand } from "./commands.ts";

/** What a console does to the world. */
export interface ConsoleIo {
  out(text: string): void;
  err(text: string): void;
  /** @throws {EventboatError} `usage` */
  readFile(path: string): string;
  /** @throws {EventboatError} `io` */
  writeFile(path: string, text: string): void;
}

/** How a console behaves. */
export interface ConsoleOptions {
  readonly session: ReplSession;
  readonly io: ConsoleIo;
  /** Somebody types: a blank line ends a block. */
  readonly isTyped: boolean;
  /** The metadata that every sample of the session is given, as JSON text. */
  readonly meta?: string;
}

/** What lines of a console are: statements of a script, or expressions of a language. */
export type ConsoleMode = "script" | ExpressionLanguage;

const PROMPTS: { readonly [mode in ConsoleMode]: string } = { script: ">>> ", cel: "cel> ", cesql: "cesql> " };
const PROMPT_MORE = "... ";
const LINE_END_REGEXP = /\s*\n\s*/g;

/** The console. One line at a time goes in; what it answers is written before the call returns. */
export class ReplConsole {
  readonly #session: ReplSession;
  readonly #io: ConsoleIo;
  readonly #meta: { readonly meta?: string };
  readonly #lines: StatementLines;
  #mode: ConsoleMode = "script";
  #hasFailed = false;

  constructor({ session, io, isTyped, meta }: ConsoleOptions) {
    this.#session = session;
    this.#io = io;
    this.#meta = meta === undefined ? {} : { meta };
    this.#lines = new StatementLines({ blankLineEnds: isTyped });
  }

  /** What stands in front of the next line. */
  get prompt(): string {
    return this.#lines.isOpen ? PROMPT_MORE : PROMPTS[this.#mode];
  }

  /** Whether any line failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether lines of a statement wait for more. */
  get isOpen(): boolean {
    return this.#lines.isOpen;
  }

  /** What lines are now. */
  get mode(): ConsoleMode {
    return this.#mode;
  }

  /** Takes a line without its end. False when it was asked to leave. */
  line(text: string): boolean {
    if (!this.#lines.isOpen && isCommand(text)) return this.#command(text);
    if (this.#mode === "script") {
      for (const statement of this.#lines.add(text)) this.#show(this.#session.add(statement));
    } else if (text.trim() !== "") this.#evaluate(this.#mode, text.trim());
    return true;
  }

  /** No line comes any more. */
  end(): void {
    for (const statement of this.#lines.end()) this.#show(this.#session.add(statement));
  }

  /** Forgets the lines of a statement that wait for more. */
  drop(): void {
    this.#lines.drop();
  }

  #show({ output, failure, source }: SessionStep): boolean {
    this.#io.out(outputText(output));
    if (failure !== undefined) this.#fail(failureText(failure, source, "script"));
    return failure === undefined;
  }

  #fail(text: string): void {
    this.#hasFailed = true;
    this.#io.err(text);
  }

  #evaluate(language: ExpressionLanguage, expression: string): void {
    const trial = this.#session.evaluate(language, expression);
    if (trial.ok) this.#io.out(valueText(trial.result));
    else this.#fail(failureText(trial.failure, expression, language));
  }

  #command(line: string): boolean {
    const command = parseCommand(line);
    if ("problem" in command) {
      this.#fail(`${command.problem}\n`);
      return true;
    }
    try {
      return this.#perform(command);
    } catch (caught) {
      if (!(caught instanceof EventboatError)) throw caught;
      this.#fail(`${caught.message.replaceAll(LINE_END_REGEXP, " ")}\n`);
      return true;
    }
  }

  #perform({ name, argument }: Command): boolean {
    const { payload, meta, filtered } = this.#session.message;
    switch (name) {
      case "help":
        this.#io.out(helpText());
        break;
      case "message":
        this.#message(argument);
        break;
      case "payload":
        this.#io.out(filtered ? "the message is filtered\n" : `${exactJson(payload, 2)}\n`);
        break;
      case "meta":
        this.#io.out(`${exactJson(meta, 2)}\n`);
        break;
      case "cel":
      case "cesql":
        if (argument === "") this.#mode = name;
        else this.#evaluate(name, argument);
        break;
      case "script":
        this.#script(argument);
        break;
      case "list":
        this.#list();
        break;
      case "undo":
        if (!this.#session.undo()) this.#fail("there is nothing to take back\n");
        break;
      case "reset":
        this.#session.reset();
        break;
      case "save":
        this.#save(argument);
        break;
      case "quit":
        return false;
    }
    return true;
  }

  #message(path: string): void {
    if (path === "") return this.#io.out(`${exactJson(this.#session.sample, 2)}\n`);
    const sample = readSample({ message: this.#io.readFile(path), ...this.#meta });
    if (this.#show(this.#session.resample(sample))) return;
    this.#io.err(
      `the session's script fails on ${path}, so the message stays what it was; :reset empties the script\n`,
    );
  }

  #script(path: string): void {
    if (path !== "") this.#show(this.#session.load(this.#io.readFile(path)));
    this.#mode = "script";
  }

  #list(): void {
    const lines = this.#session.source.split("\n").slice(0, -1);
    const columns = String(lines.length).length;
    this.#io.out(lines.map((line, index) => `${String(index + 1).padStart(columns)} | ${line}\n`).join(""));
  }

  #save(path: string): void {
    const { source } = this.#session;
    this.#io.writeFile(path, source);
    const lines = source.split("\n").length - 1;
    this.#io.out(`wrote ${lines} ${lines === 1 ? "line" : "lines"} to ${path}\n`);
  }
}
