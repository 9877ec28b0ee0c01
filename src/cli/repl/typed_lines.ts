/** Owns lines that somebody types on a terminal: editing them, earlier ones, completion. */

import process from "node:process";
import { createInterface } from "node:readline";
import type { Completion } from "./completion.ts";
import { type History, HISTORY_LINES_MAX } from "./history.ts";

/** Who answers what is typed. Every call writes what it has to say before it returns. */
export interface TypedLinesListener {
  /** What stands in front of the next line. */
  readonly prompt: string;
  /** Takes a line; false ends it all. */
  line(text: string): boolean;
  /** Ctrl-C was typed; the line is gone. */
  interrupt(): void;
  complete(line: string): Completion;
}

/** How lines are typed. */
export interface TypedLinesOptions {
  readonly history: History;
  /**
   * Whether a line may take long: Ctrl-C then ends the program, as no code of ours runs that could see the key. It costs
   * a change of the terminal's mode each line.
   */
  readonly mayTakeLong: boolean;
}

/** Reads lines from the terminal until the listener or the user has enough. */
export function readTypedLines(
  listener: TypedLinesListener,
  { history, mayTakeLong }: TypedLinesOptions,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { stdin, stdout } = process;
  const editor = createInterface({
    input: stdin,
    output: stdout,
    terminal: true,
    history: history.lines.toReversed(),
    historySize: HISTORY_LINES_MAX,
    removeHistoryDuplicates: true,
    completer: (line: string) => [...listener.complete(line)],
  });
  const ask = () => {
    editor.setPrompt(listener.prompt);
    editor.prompt();
  };
  editor.on("line", (line) => {
    try {
      history.add(line);
      if (mayTakeLong) stdin.setRawMode(false);
      const goesOn = listener.line(line);
      if (mayTakeLong) stdin.setRawMode(true);
      if (goesOn) ask();
      else editor.close();
    } catch (caught) {
      // Thrown on to the editor it would end the program without a word of ours.
      reject(caught);
      editor.close();
    }
  });
  editor.on("SIGINT", () => {
    // The line stays to be read, as a shell leaves it; only the editor forgets it.
    editor.write(null, { ctrl: true, name: "e" });
    stdout.write("^C\n");
    editor.setPrompt("");
    editor.write(null, { ctrl: true, name: "u" });
    listener.interrupt();
    ask();
  });
  editor.on("close", () => resolve());
  ask();
  return promise;
}
