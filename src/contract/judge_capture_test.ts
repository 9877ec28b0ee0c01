import assert from "node:assert/strict";
import { judgeCapture } from "./judge_capture.ts";

const captured = (...payloads: unknown[]) =>
  payloads.map((payload) => ({ payload, meta: {}, bytes: new Uint8Array() }));
const judge = (messages: Parameters<typeof judgeCapture>[0]["messages"], found: unknown[], count?: number) =>
  judgeCapture(
    { at: "out", ...(messages === undefined ? {} : { messages }), ...(count === undefined ? {} : { count }) },
    captured(...found),
  );

Deno.test("judgeCapture: what is as expected has no differences", () => {
  assert.deepEqual(judge([{ "payload.n": 1 }, { "payload.n": 2 }], [{ n: 1, x: 0 }, { n: 2 }]), []);
  assert.deepEqual(judge(undefined, [], 0), []);
  assert.deepEqual(judge([], []), []);
});

Deno.test("judgeCapture: a wrong value is told with its message and path", () => {
  assert.deepEqual(judge([{ "payload.n": 1 }, { "payload.n": 2, "payload.m": 3 }], [{ n: 1 }, { n: 5, m: 3 }]), [
    { where: 'sink "out", message 2', path: "payload.n", expected: "2", found: "5" },
  ]);
});

Deno.test("judgeCapture: a misspelt path names the key that is meant, another what there is", () => {
  const [misspelt] = judge([{ "payload.totl": 1 }], [{ total: 1, tier: "x" }]);
  assert.equal(misspelt?.note, 'did you mean "total"?');
  const [missing] = judge([{ "payload.weight": 1 }], [{ total: 1, tier: "x" }]);
  assert.equal(missing?.note, "there is total, tier");
  const [deep] = judge([{ "payload.total.cents": 1 }], [{ total: 1 }]);
  assert.equal(deep?.note, "payload.total is 1");
});

Deno.test("judgeCapture: of a sink that got nothing the reason is told, and nothing else", () => {
  assert.deepEqual(judgeCapture({ at: "out", messages: [{ "payload.n": 1 }] }, [], "3 filtered"), [
    { where: 'sink "out"', expected: "1 message", found: "no messages", note: "3 filtered" },
  ]);
});

Deno.test("judgeCapture: another order is told as such", () => {
  const differences = judge([{ "payload.n": 1 }, { "payload.n": 2 }], [{ n: 2 }, { n: 1 }]);
  assert.deepEqual(differences.map(({ found }) => found), ["it as message 2", "it as message 1"]);
});

Deno.test("judgeCapture: a message too few names the nearest, one too many what came", () => {
  const few = judge([{ "payload.n": 1, "payload.k": "a" }, { "payload.n": 2, "payload.k": "a" }], [{ n: 3, k: "a" }]);
  assert.deepEqual(few.map(({ where, expected, found, note }) => [where, expected, found, note]), [
    ['sink "out"', "2 messages", "1 message", 'it got {"n":3,"k":"a"}'],
    [
      'sink "out", expected message 1',
      'payload.n: 1, payload.k: "a"',
      "nothing",
      "nearest is message 1, where payload.n is 3",
    ],
    [
      'sink "out", expected message 2',
      'payload.n: 2, payload.k: "a"',
      "nothing",
      "nearest is message 1, where payload.n is 3",
    ],
  ]);
  const many = judge([{ "payload.n": 1 }], [{ n: 1 }, { n: 1 }]);
  assert.deepEqual(many.map(({ expected, found }) => [expected, found]), [["1 message", "2 messages"]]);
});

Deno.test("judgeCapture: with a larger count the listed messages are found in order among the others", () => {
  const found = [{ n: 1 }, { n: 2 }, { n: 3 }];
  assert.deepEqual(judge([{ "payload.n": 1 }, { "payload.n": 3 }], found, 3), []);
  assert.equal(judge([{ "payload.n": 3 }, { "payload.n": 1 }], found, 3).length, 1);
  assert.equal(judge([{ "payload.n": 1 }], found, 2).length, 1);
});
