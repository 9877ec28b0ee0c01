/** Owns the verbs `dlq list`, `dlq count`, `dlq show` and `dlq export`. */

import { exactJson } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { type DlqListAnswer, type LetterHead, LIMIT_MAX, OPERATIONS } from "../ops/mod.ts";
import { countedText } from "./counted_text.ts";
import { EXIT_OK } from "./exit_code.ts";
import type { Invocation, LetterChoice, LetterSelection } from "./invocation.ts";
import { countText, headText, letterText, listEndText, notesText } from "./letters_text.ts";
import type { Session } from "./session.ts";

type Verb<Name extends string> = Invocation & { readonly verb: Name };

/** Prints dead letters as they are read. */
export async function dlqListVerb(invocation: Verb<"dlq list">, session: Session): Promise<number> {
  const { terminal, json } = session;
  const columns = terminal.outColumns();
  let printed = 0;
  const print = (letter: LetterHead) => {
    if (!json) return headText(letter, columns);
    // One document, written as it comes: a list of a hundred thousand does not fit a page of memory.
    return `${printed++ === 0 ? '{"letters":[\n' : ",\n"}${exactJson(letter)}`;
  };
  const input = { ...lettersInput(invocation), limit: invocation.limit };
  const answer = await session.perform(OPERATIONS.dlq_list, input, {
    onLetters: (letters) => terminal.out(letters.map(print).join("")),
  });
  if (!json) {
    terminal.err(listEndText(answer));
    return EXIT_OK;
  }
  const { letters: _streamed, ...rest } = answer;
  terminal.out(`${printed === 0 ? '{"letters":[' : "\n"}],${exactJson(rest).slice(1)}\n`);
  return EXIT_OK;
}

/** Prints how many dead letters there are, by node and class. */
export async function dlqCountVerb(invocation: Verb<"dlq count">, session: Session): Promise<number> {
  const answer = await session.perform(OPERATIONS.dlq_count, lettersInput(invocation));
  session.answer(answer, countText);
  if (!session.json) session.terminal.err(notesText({ ...answer, more: false }));
  return EXIT_OK;
}

/** Prints one dead letter. */
export async function dlqShowVerb(invocation: Verb<"dlq show">, session: Session): Promise<number> {
  const answer = await session.perform(OPERATIONS.dlq_show, { ...pipelineInput(invocation), id: invocation.id });
  session.answer(answer, letterText);
  return EXIT_OK;
}

/** Writes dead letters as NDJSON, to stdout or into a new file. */
export async function dlqExportVerb(invocation: Verb<"dlq export">, session: Session): Promise<number> {
  const { terminal } = session;
  const { to, limit = LIMIT_MAX } = invocation;
  const input = { ...lettersInput(invocation), limit, content: true };
  if (to === undefined) {
    const answer = await exportTo((text) => terminal.out(text), input, session);
    terminal.err(notesText(answer));
    return EXIT_OK;
  }
  using file = newFile(to);
  const answer = await exportTo((text) => file.write(text), input, session);
  const { letters: _streamed, ...counts } = answer;
  session.answer(
    { ...counts, to },
    () => `${countedText(answer.count, "dead letter")} ${answer.count === 1 ? "is" : "are"} now in ${to}\n`,
  );
  if (!session.json) terminal.err(notesText(answer));
  return EXIT_OK;
}

function exportTo(
  write: (text: string) => void,
  input: { readonly [field: string]: unknown },
  session: Session,
): Promise<DlqListAnswer> {
  return session.perform(OPERATIONS.dlq_list, input, {
    onLetters: (letters) => write(letters.map((letter) => `${exactJson(letter)}\n`).join("")),
  });
}

/** A file that was not there. What stands in it when writing fails stays, as what was exported by then. */
function newFile(path: string): { write(text: string): void } & Disposable {
  const encoder = new TextEncoder();
  const failed = (caught: unknown) => {
    const why = caught instanceof Deno.errors.AlreadyExists
      ? "it exists"
      : caught instanceof Error
      ? caught.message
      : String(caught);
    return new EventboatError("io", `cannot write ${path}: ${why}`, { cause: caught });
  };
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { write: true, createNew: true });
  } catch (caught) {
    throw failed(caught);
  }
  return {
    write(text) {
      try {
        for (let rest = encoder.encode(text); rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
      } catch (caught) {
        throw failed(caught);
      }
    },
    [Symbol.dispose]: () => file.close(),
  };
}

function lettersInput(choice: LetterChoice & LetterSelection) {
  const { since, where, ids } = choice;
  return { ...pipelineInput(choice), since, where, ids };
}

function pipelineInput({ config, overlays, dataDir, runtime }: LetterChoice) {
  return { config, overlays, data_dir: dataDir, runtime };
}
