import assert from "node:assert/strict";
import { failureText, outcomeText, outputText, stepsText, valueText } from "./answer_text.ts";

Deno.test("outcomeText: a line a place, in the way of a diff", () => {
  const changes = [
    { path: "payload.a", before: 1, after: 2n ** 64n },
    { path: "payload.b", before: "x" },
    { path: "meta.c", after: [null] },
  ];
  assert.equal(
    outcomeText({ filtered: false, changes }),
    '~ payload.a: 1 -> 18446744073709551616\n- payload.b: "x"\n+ meta.c: [null]\n',
  );
  assert.equal(outcomeText({ filtered: false, changes: [] }), "the message is unchanged\n");
  assert.equal(outcomeText({ filtered: true, changes: [] }), "the message is filtered: it goes no further\n");
});

Deno.test("valueText: the type is told where the value does not tell it", () => {
  assert.equal(valueText({ value: true, type: "bool" }), "true\n");
  assert.equal(valueText({ value: "90s", type: "google.protobuf.Duration" }), '"90s"  (google.protobuf.Duration)\n');
});

Deno.test("outputText: what was too much is counted", () => {
  const lines = [{ kind: "printed" as const, text: "a\nb" }];
  assert.equal(outputText({ lines, dropped: 0 }), "a\nb\n");
  assert.match(outputText({ lines, dropped: 2 }), /^a\nb\n\(2 more lines/);
  assert.deepEqual([stepsText(1), stepsText(2)], ["1 step\n", "2 steps\n"]);
});

Deno.test("failureText: every finding with its line, its caret below tabs and far to the right, and its hint", () => {
  const issue = { message: "undefined\x1b[31m", line: 2, column: 3, hint: "did you mean that?" };
  const compile = { kind: "compile" as const, ...issue, issues: [issue, { message: "two", line: 3, column: 201 }] };
  const text = failureText(compile, `a\n\tx y\n${"z".repeat(200)}!`, "f.star").split("\n");
  assert.deepEqual(text.slice(0, 4), [
    "error[compile] f.star:2:3: undefined\\u001b[31m",
    "  2 | \tx y",
    "    | \t ^",
    "  hint: did you mean that?",
  ]);
  const [, , , , head, line = "", caret = "", end] = text;
  assert.deepEqual([head, end], ["error[compile] f.star:3:201: two", ""]);
  assert.ok(line.length < 180);
  assert.equal(line[caret.length - 1], "!");
});

Deno.test("failureText: frames are told where there is more than the top", () => {
  const failure = { kind: "runtime" as const, message: "m", line: 1, column: 1 };
  const top = failureText({ ...failure, backtrace: "<toplevel> script:1:1" }, "x", "script");
  assert.doesNotMatch(top, /backtrace/);
  const inner = failureText({ ...failure, backtrace: "<toplevel> script:4:2\nf script:1:1" }, "x", "script");
  assert.match(inner, /backtrace, outermost first:\n {4}<toplevel> script:4:2\n {4}f script:1:1\n$/);
});
