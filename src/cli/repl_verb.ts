/** Owns the verb `repl`: one answer, or a console. */

import {
  isScriptAnswer,
  OPERATIONS,
  readEnvironment,
  readSample,
  REPL_STEPS_DEFAULT,
  type ReplAnswer,
  ReplSession,
  type SampleTexts,
} from "../ops/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { EXIT_FAILED, EXIT_OK } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import { failureText, outcomeText, outputText, stepsText, valueText } from "./repl/answer_text.ts";
import { complete } from "./repl/completion.ts";
import { ReplConsole } from "./repl/console.ts";
import { History, historyPath } from "./repl/history.ts";
import { InputTexts, readTextFile, STDIN_NAME, writeTextFile } from "./input_text.ts";
import { pipedLines } from "./repl/piped_lines.ts";
import { readTypedLines } from "./repl/typed_lines.ts";
import type { Session } from "./session.ts";

type ReplInvocation = Invocation & { readonly verb: "repl" };

const BANNER = "eventboat repl: Starlark, a line at a time; :help tells more, Ctrl-D leaves\n";
const LEAVING_HINT = "(Ctrl-D or :quit leaves)\n";

/** Tries a script or an expression, or opens a console. */
export async function replVerb(invocation: ReplInvocation, session: Session): Promise<number> {
  const texts = new InputTexts(() => Deno.stdin.readable);
  const { script, cel, cesql, steps, message, meta, constants, parameters } = invocation;
  const expression = cel ?? cesql;
  const opensConsole = script === undefined && expression === undefined;
  if (opensConsole && [message, meta, constants, parameters].includes(STDIN_NAME)) {
    throw new EventboatError("usage", `a console reads its lines from standard input: "${STDIN_NAME}" is taken`);
  }
  const sample = await sampleTexts(invocation, texts);
  if (opensConsole) return await openConsole(invocation, sample, session);
  const source = expression ?? await texts.file(script ?? "");
  const request = { ...sample, script: expression === undefined ? source : undefined, cel, cesql, steps };
  const answer = await session.perform(OPERATIONS.repl, request);
  if (session.json) session.answer(answer, () => "");
  else printAnswer(answer, source, { session, name: script ?? answer.language });
  return answer.ok ? EXIT_OK : EXIT_FAILED;
}

async function sampleTexts(
  { message, meta, constants, parameters }: ReplInvocation,
  texts: InputTexts,
): Promise<SampleTexts> {
  return {
    ...(message === undefined ? {} : { message: await texts.json(message) }),
    ...(meta === undefined ? {} : { meta: await texts.json(meta) }),
    ...(constants === undefined ? {} : { constants: await texts.json(constants) }),
    ...(parameters === undefined ? {} : { parameters: await texts.json(parameters) }),
  };
}

function printAnswer(
  answer: ReplAnswer,
  source: string,
  { session, name }: { readonly session: Session; readonly name: string },
): void {
  const { terminal } = session;
  if (isScriptAnswer(answer)) {
    const { printed, printed_dropped: dropped = 0, result, steps = 0 } = answer;
    terminal.out(outputText({ lines: printed.map((text) => ({ kind: "printed", text })), dropped }));
    if (result !== undefined) terminal.out(outcomeText(result) + stepsText(steps));
  } else if (answer.result !== undefined) terminal.out(valueText(answer.result));
  if (answer.error !== undefined) terminal.err(failureText(answer.error, source, name));
}

async function openConsole(
  { history, steps }: ReplInvocation,
  texts: SampleTexts,
  { terminal }: Session,
): Promise<number> {
  const sample = readSample(texts);
  const stepsMax = steps ?? REPL_STEPS_DEFAULT;
  const session = new ReplSession({ sample, environment: readEnvironment(texts), stepsMax });
  const isTyped = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
  const repl = new ReplConsole({
    session,
    isTyped,
    io: {
      out: (text) => terminal.out(text),
      err: (text) => terminal.err(text),
      readFile: readTextFile,
      writeFile: writeTextFile,
    },
    ...(texts.meta === undefined ? {} : { meta: texts.meta }),
  });
  if (!isTyped) return await answerPiped(repl);
  terminal.out(BANNER);
  await readTypedLines({
    get prompt() {
      return repl.prompt;
    },
    line: (text) => repl.line(text),
    interrupt() {
      if (!repl.isOpen) terminal.out(LEAVING_HINT);
      repl.drop();
    },
    complete: (line) => complete(line, session, repl.mode),
  }, {
    history: History.open(history ? historyPath((name) => terminal.env(name)) : undefined),
    mayTakeLong: stepsMax > REPL_STEPS_DEFAULT,
  });
  return EXIT_OK;
}

/** Lines from a pipe are answered one by one; a failed one is told, the next ones are answered all the same. */
async function answerPiped(repl: ReplConsole): Promise<number> {
  for await (const line of pipedLines(Deno.stdin.readable)) if (!repl.line(line)) break;
  repl.end();
  return repl.hasFailed ? EXIT_FAILED : EXIT_OK;
}
