/** Owns the scripts that are measured beside functions written by hand: one that only reads, one of text, one of a loop. */

import { compileStarlark, type Scope } from "../../src/languages/mod.ts";

/** The payload of an input line, as far as these scripts use it. */
interface Line {
  readonly region: string;
  readonly channel: string;
  readonly amount: number;
  readonly quantity: number;
  readonly note: string;
  readonly user: { readonly id: string; readonly tier: number };
}

type LineScope = Scope & { readonly payload: Line };

/** A script and the same by hand, each working once on every message; with what is asked for, where something is. */
export interface ScriptContest {
  readonly name: string;
  readonly pass: (messages: readonly LineScope[]) => number;
  readonly reference: (messages: readonly LineScope[]) => number;
  readonly bound?: number;
  readonly most?: number;
}

const READING_RATIO_LEAST = 1 / 20;
const READING_NS_MOST = 500;

const READING = `user = payload.user
is_known = payload.user.tier >= 2 and user.id != "u0"
is_large = payload["amount"] * payload.quantity > 100 and payload["user"]["tier"] < 4
is_near = payload.region == "eu" or payload.channel == "shop"
price = payload.amount / payload.quantity if payload.quantity > 1 else payload.amount
verdict = "check" if is_known and is_large and is_near and price > 10 else "pass"
`;
const TEXT = `words = [word.capitalize() for word in payload.note.split()]
payload.note = " ".join(words)
payload.key = "%s/%s" % (payload.region.upper(), payload.user.id)
`;
const LOOP = `def total():
    sum = 0
    for i in range(100):
        sum += i * payload.quantity
    return sum
payload.total = total()
`;

function scriptPass(source: string): ScriptContest["pass"] {
  const compiled = compileStarlark(source);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.issues));
  const run = compiled.program.bind({ constants: {}, parameters: {} });
  return (messages) => {
    let steps = 0;
    for (const message of messages) steps += run(message).steps;
    return steps;
  };
}

/** What a function written by hand does to a payload; the result is looked at, so that none of it is left out. */
function handPass(work: (payload: Line) => { readonly mark: number }): ScriptContest["reference"] {
  return (messages) => {
    let marks = 0;
    for (const { payload } of messages) marks += work(payload).mark;
    return marks;
  };
}

function readByHand({ user, amount, quantity, region, channel }: Line) {
  const isKnown = user.tier >= 2 && user.id !== "u0";
  const isLarge = amount * quantity > 100 && user.tier < 4;
  const isNear = region === "eu" || channel === "shop";
  const price = quantity > 1 ? amount / quantity : amount;
  return { mark: isKnown && isLarge && isNear && price > 10 ? 2 : 1 };
}

function textByHand(payload: Line) {
  const words = payload.note.split(" ").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
  const key = `${payload.region.toUpperCase()}/${payload.user.id}`;
  const changed = { ...payload, note: words.join(" "), key };
  return { mark: changed.note.length };
}

function loopByHand(payload: Line) {
  let total = 0;
  for (let i = 0; i < 100; i++) total += i * payload.quantity;
  const changed = { ...payload, total };
  return { mark: changed.total };
}

/** All of them. */
export function scriptContests(): readonly ScriptContest[] {
  return [
    {
      name: "script, nested reads",
      pass: scriptPass(READING),
      reference: handPass(readByHand),
      ...{ bound: READING_RATIO_LEAST, most: READING_NS_MOST },
    },
    { name: "script, text", pass: scriptPass(TEXT), reference: handPass(textByHand) },
    { name: "script, a loop of 100", pass: scriptPass(LOOP), reference: handPass(loopByHand) },
  ];
}
