/** Measures what costs on every message by itself, each beside a function written by hand: MILLISECONDS TURNS. */

import { CommitTracker } from "../../src/engine/mod.ts";
import {
  bindPredicate,
  compileCel,
  compileCesql,
  type Compiled,
  compileStarlark,
  type Condition,
  type Scope,
} from "../../src/languages/mod.ts";
import { tell } from "./child_program.ts";
import { inputLine } from "./input_lines.ts";
import { scriptContests } from "./script_contests.ts";

/** One line printed: nanoseconds a message in each turn. */
export interface ComputeMeasured {
  readonly name: string;
  readonly values: readonly number[];
  readonly references?: readonly number[];
  /** The least ratio to what is written by hand, and the most nanoseconds, that are asked for. */
  readonly bound?: number;
  readonly most?: number;
}

/** The payload of an input line, as far as it is used. */
interface Line {
  readonly region: string;
  readonly channel: string;
  readonly amount: number;
  readonly quantity: number;
  readonly note: string;
  readonly user: { readonly id: string; readonly tier: number };
}

type LineScope = Scope & { readonly payload: Line };

const MESSAGES = 2000;
const ENVIRONMENT = { constants: {}, parameters: {} };
const SEQUENCES = 1000;
const WINDOW = 90_000;

/** Works once on every message, and gives something that depends on all of it, so that nothing is left out. */
type Pass = (messages: readonly LineScope[]) => number;

/** A way to do it and, where there is one, the same by hand. */
interface Contest {
  readonly name: string;
  readonly pass: Pass;
  readonly reference?: Pass;
  readonly bound?: number;
  readonly most?: number;
}

/** Conditions may take so many times as long as what is written by hand, scripts so many. */
const CONDITION_RATIO_LEAST = 1 / 20;
const SCRIPT_RATIO_LEAST = 1 / 3;
const ONE_TERM_NS_MOST = 100;
const THREE_TERMS_NS_MOST = 300;
const SCRIPT_NS_MOST = 700;

const SCRIPT = `payload.total = payload.amount * payload.quantity
payload.band = "gold" if payload.total > 1000 else "std"
`;

function contests(): readonly Contest[] {
  return [
    { name: "commit tracker", pass: trackerPass() },
    {
      name: "CEL, one term",
      pass: countPass(predicate(`payload.region == "eu"`)),
      reference: countPass(({ payload }) => payload.region === "eu"),
      ...{ bound: CONDITION_RATIO_LEAST, most: ONE_TERM_NS_MOST },
    },
    {
      name: "CEL, three terms",
      pass: countPass(predicate(`payload.region == "eu" && payload.amount > 100.0 && payload.user.tier >= 2`)),
      reference: countPass(({ payload }) => payload.region === "eu" && payload.amount > 100 && payload.user.tier >= 2),
      ...{ bound: CONDITION_RATIO_LEAST, most: THREE_TERMS_NS_MOST },
    },
    {
      name: "CEL, has()",
      pass: countPass(predicate(`has(payload.user.tier) && payload.user.tier >= 2`)),
      reference: countPass(({ payload }) => payload.user?.tier !== undefined && payload.user.tier >= 2),
    },
    {
      name: "CEL, a macro over two",
      pass: countPass(predicate(`[payload.channel, payload.region].exists(name, name == "eu")`)),
      reference: countPass(({ payload }) => [payload.channel, payload.region].some((name) => name === "eu")),
    },
    {
      name: "CEL, a regular expression",
      pass: countPass(predicate(`payload.region.matches("^e[a-z]$")`)),
      reference: countPass(({ payload }) => /^e[a-z]$/.test(payload.region)),
    },
    {
      name: "CESQL, two terms",
      pass: countPass(predicate(`type = 'order' AND data.quantity > 5`, compileCesql)),
      reference: countPass(({ meta, payload }) => meta["type"] === "order" && payload.quantity > 5),
    },
    {
      name: "script, two lines",
      pass: scriptPass(),
      reference: handPass(),
      ...{ bound: SCRIPT_RATIO_LEAST, most: SCRIPT_NS_MOST },
    },
    ...scriptContests(),
  ];
}

function compiled<Program>(result: Compiled<Program>): Program {
  if (result.ok) return result.program;
  throw new Error(JSON.stringify(result.issues));
}

function predicate(
  source: string,
  compile: (source: string) => Compiled<Condition> = compileCel,
): (scope: LineScope) => boolean {
  return bindPredicate(compiled(compile(source)), ENVIRONMENT);
}

function countPass(test: (scope: LineScope) => boolean): Pass {
  return (messages) => {
    let count = 0;
    for (const message of messages) if (test(message)) count++;
    return count;
  };
}

/** Sequences are given, registered, ended and passed as the engine does it, in batches. */
function trackerPass(): Pass {
  const tracker = new CommitTracker(WINDOW, 0);
  let next = 1;
  return (messages) => {
    for (let done = 0; done < messages.length; done += SEQUENCES) {
      tracker.assign(next, SEQUENCES);
      tracker.arrive(next, SEQUENCES);
      for (let seq = next; seq < next + SEQUENCES; seq++) tracker.done(seq);
      tracker.advance();
      next += SEQUENCES;
    }
    return tracker.frontier;
  };
}

function scriptPass(): Pass {
  const run = compiled(compileStarlark(SCRIPT)).bind(ENVIRONMENT);
  return (messages) => {
    let changed = 0;
    for (const message of messages) if (run(message).payloadChanged) changed++;
    return changed;
  };
}

function handPass(): Pass {
  return (messages) => {
    let changed = 0;
    for (const { payload } of messages) {
      const total = payload.amount * payload.quantity;
      const result = { ...payload, total, band: total > 1000 ? "gold" : "std" };
      if (result !== payload) changed++;
    }
    return changed;
  };
}

/** Nanoseconds a message over at least so many milliseconds. */
function time(pass: Pass, messages: readonly LineScope[], ms: number): number {
  const startMs = performance.now();
  let passes = 0;
  let sum = 0;
  let tookMs = 0;
  do {
    sum += pass(messages);
    passes++;
    tookMs = performance.now() - startMs;
  } while (tookMs < ms);
  if (sum === 0) throw new Error("a contest did nothing");
  return tookMs * 1e6 / (passes * messages.length);
}

function main([ms = "", turns = ""]: readonly string[]): void {
  const messages = Array.from(
    { length: MESSAGES },
    (_, i): LineScope => ({ payload: JSON.parse(inputLine(i)), meta: { type: i % 3 === 0 ? "refund" : "order" } }),
  );
  for (const { name, pass, reference, ...bounds } of contests()) {
    const values: number[] = [];
    const references: number[] = [];
    // The first turn warms up and does not count.
    for (let turn = 0; turn <= Number(turns); turn++) {
      const value = time(pass, messages, Number(ms));
      const by = reference === undefined ? undefined : time(reference, messages, Number(ms));
      if (turn === 0) continue;
      values.push(value);
      if (by !== undefined) references.push(by);
    }
    tell({ name, values, references, ...bounds } satisfies ComputeMeasured);
  }
  tell(null);
}

if (import.meta.main) main(Deno.args);
