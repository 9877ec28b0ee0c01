import assert from "node:assert/strict";
import type { DeadLetter, DeadLetterClass } from "../store/mod.ts";
import { judgeDeadLetters } from "./judge_letters.ts";

function letter(node: string, letterClass: DeadLetterClass, reason: string): DeadLetter {
  const bytes = new Uint8Array();
  const rest = { id: 1, seq: 1, edge: "", branch: "", messageId: "", timeMs: 0, attempts: 1, source: "in", replays: 0 };
  return { ...rest, node, class: letterClass, reason, bytes, codec: "json", meta: {} };
}

const decode = letter("in", "decode", "cannot decode as json: x");
const runtime = letter("price", "runtime", "script: y");

Deno.test("judgeDeadLetters: a case that says nothing expects none", () => {
  assert.deepEqual(judgeDeadLetters(undefined, []), []);
  const [difference] = judgeDeadLetters(undefined, [decode]);
  assert.deepEqual([difference?.expected, difference?.found], ["none", "1"]);
  assert.equal(difference?.note, 'node "in", class decode: cannot decode as json: x');
});

Deno.test("judgeDeadLetters: class, node and a part of the reason choose, the count counts those", () => {
  assert.deepEqual(judgeDeadLetters([{ count: 1, reason_contains: "decode" }], [decode]), []);
  assert.deepEqual(judgeDeadLetters([{ class: "decode" }, { node: "price", count: 1 }], [decode, runtime]), []);
  assert.deepEqual(judgeDeadLetters([{ count: 2 }], [decode, runtime]), []);
  const [wrong] = judgeDeadLetters([{ count: 1, class: "encode", node: "out", reason_contains: "z" }], [decode]);
  assert.equal(wrong?.expected, '1 at node "out" of class encode with "z" in the reason');
  assert.equal(wrong?.found, "none like that");
});

Deno.test("judgeDeadLetters: a letter of no expected sort is a difference", () => {
  const [stray] = judgeDeadLetters([{ class: "decode" }], [decode, runtime]);
  assert.deepEqual([stray?.expected, stray?.found], ["no others", "1"]);
  assert.match(stray?.note ?? "", /node "price"/);
});

Deno.test("judgeDeadLetters: none at all where some are expected", () => {
  assert.equal(judgeDeadLetters([{}], []).length, 1);
  assert.equal(judgeDeadLetters([{ count: 0 }], [decode]).length, 1);
  assert.deepEqual(judgeDeadLetters([{ count: 0 }], []), []);
});
