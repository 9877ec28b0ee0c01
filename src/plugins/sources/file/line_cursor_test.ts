import assert from "node:assert/strict";
import { segmentBytes } from "../../../message/mod.ts";
import { Charset } from "./charset.ts";
import { FramingRule } from "./framing_rule.ts";
import { LineCursor, type LineRules, type LineWindow } from "./line_cursor.ts";
import { GroupRule } from "./line_group.ts";

const RULES: LineRules = { lineBytesMax: 10, oversize: "truncate", messagesMax: 2000, group: undefined };

interface Cutting {
  readonly lines: string[];
  readonly starts: number[];
  readonly gaps: number[];
  readonly at: number;
  readonly inside: boolean;
  readonly cursor: LineCursor;
}

function cut(text: string | Uint8Array, rules: Partial<LineRules> = {}, window: Partial<LineWindow> = {}): Cutting {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const cursor = new LineCursor({ ...RULES, ...rules });
  const charset = new Charset("utf-8");
  const plain = { bytes, from: 0, base: 0, charset, inside: false, more: false, final: false, flush: false };
  cursor.start({ ...plain, ...window });
  const [lines, starts, gaps]: [string[], number[], number[]] = [[], [], []];
  for (let batch = cursor.next(); batch !== undefined; batch = cursor.next()) {
    for (let i = 0; i < batch.ends.length; i++) lines.push(new TextDecoder().decode(segmentBytes(batch, i)));
    starts.push(...batch.starts);
    gaps.push(batch.gap);
  }
  return { lines, starts, gaps, at: cursor.at, inside: cursor.inside, cursor };
}

Deno.test("LineCursor: leaves what does not end in a newline", () => {
  const { lines, starts, gaps, at } = cut("a\n\nbc\nde");
  assert.deepEqual({ lines, starts, gaps, at }, { lines: ["a", "", "bc"], starts: [0, 2, 3], gaps: [1], at: 6 });
});

Deno.test("LineCursor: takes the rest of a file that will not grow", () => {
  assert.deepEqual(cut("a\nde", {}, { final: true }).lines, ["a", "de"]);
  assert.deepEqual(cut("a\n", {}, { final: true }).lines, ["a"]);
  assert.deepEqual(cut("\n", {}, { final: true }).lines, [""]);
});

Deno.test("LineCursor: offsets count from the window's base", () => {
  const { starts, lines } = cut("xxa\nb\n", {}, { from: 2, base: 100 });
  assert.deepEqual({ starts, lines }, { starts: [102, 104], lines: ["a", "b"] });
});

Deno.test("LineCursor: drops the carriage return in front of a newline, and no other", () => {
  const { lines, gaps } = cut("a\r\nb\rc\n\r\nd\r\r\n");
  assert.deepEqual({ lines, gaps }, { lines: ["a", "b\rc", "", "d\r"], gaps: [0] });
});

Deno.test("LineCursor: a line of exactly the limit fits, with or without a carriage return", () => {
  assert.deepEqual(cut("0123456789\n0123456789\r\n").lines, ["0123456789", "0123456789"]);
  assert.deepEqual(cut("0123456789\r").at, 0);
});

Deno.test("LineCursor: cuts a line that is too long and counts it", () => {
  const { lines, starts, cursor } = cut("a\n0123456789abc\nb\n");
  assert.deepEqual({ lines, starts }, { lines: ["a", "0123456789", "b"], starts: [0, 2, 16] });
  assert.deepEqual(cursor.takeCounts(), { read: 0, skipped: 0, truncated: 0, merges: 0 });
});

Deno.test("LineCursor: leaves a line out that is too long where that is asked for", () => {
  assert.deepEqual(cut("a\n0123456789abc\nb\n", { oversize: "skip" }).lines, ["a", "b"]);
});

Deno.test("LineCursor: leaves the rest of a long line out although its end is not in sight", () => {
  const first = cut("0123456789abcdef", {}, { more: true });
  assert.deepEqual({ lines: first.lines, at: first.at, inside: first.inside }, {
    lines: ["0123456789"],
    at: 16,
    inside: true,
  });
  const second = cut("ghi", {}, { inside: true, more: true });
  assert.deepEqual({ lines: second.lines, at: second.at, inside: second.inside }, { lines: [], at: 3, inside: true });
  assert.deepEqual(cut("jkl\nb\n", {}, { inside: true }).lines, ["b"]);
});

Deno.test("LineCursor: does not cut a character in two", () => {
  assert.deepEqual(cut("12345678äöü\n").lines, ["12345678ä"]);
  assert.deepEqual(cut("123456789äöü\n").lines, ["123456789"]);
  assert.deepEqual(cut("1234567😀😀\n").lines, ["1234567"]);
});

Deno.test("LineCursor: keeps bytes that are no UTF-8", () => {
  const cursor = new LineCursor(RULES);
  const bytes = Uint8Array.of(0xe1, 0xff, 0x0a);
  const charset = new Charset("utf-8");
  cursor.start({ bytes, from: 0, base: 0, charset, inside: false, more: false, final: false, flush: false });
  assert.deepEqual(cursor.next()?.bytes, Uint8Array.of(0xe1, 0xff));
});

Deno.test("LineCursor: a short last batch waits for what follows it", () => {
  const { lines, at } = cut("1\n2\n3\n4\n5\n", { messagesMax: 2 }, { more: true });
  assert.deepEqual({ lines, at }, { lines: ["1", "2", "3", "4"], at: 8 });
  assert.equal(cut("1\n2\n3\n4\n5\n", { messagesMax: 2 }).lines.length, 5);
});

function group(match: "after" | "before", negate: boolean, pattern: string, limits = {}): { group: GroupRule } {
  const rule = { pattern, negate, match, max_lines: 500, max_bytes: 1000, timeout_ms: 2000, ...limits };
  return { group: new GroupRule(rule) };
}

const TRACE = "A\n at 1\n at 2\nB\nC\n at 3\n";

Deno.test("LineCursor: joins matching lines to the line before them", () => {
  const { lines, starts, at, cursor } = cut(TRACE, group("after", false, "^ "));
  assert.deepEqual({ lines, starts, at }, { lines: ["A\n at 1\n at 2", "B"], starts: [0, 14], at: 16 });
  assert.equal(cursor.waiting, true);
  assert.deepEqual(cut(TRACE, group("after", false, "^ "), { flush: true }).lines.at(-1), "C\n at 3");
});

Deno.test("LineCursor: joins lines that do not match to the line before them", () => {
  assert.deepEqual(cut(TRACE, group("after", true, "^[A-Z]"), { final: true }).lines, [
    "A\n at 1\n at 2",
    "B",
    "C\n at 3",
  ]);
});

Deno.test("LineCursor: joins lines to the line that follows them", () => {
  const text = "one \\\ntwo \\\nthree\nfour\nfive \\\n";
  assert.deepEqual(cut(text, { ...group("before", false, "\\\\$"), lineBytesMax: 20 }).lines, [
    "one \\\ntwo \\\nthree",
    "four",
  ]);
  assert.deepEqual(cut("a\nb;\nc;\n", group("before", true, ";$")).lines, ["a\nb;", "c;"]);
});

Deno.test("LineCursor: a group that reaches its limits is sent, and another begins", () => {
  assert.deepEqual(cut("A\n 1\n 2\n 3\n", group("after", false, "^ ", { max_lines: 2 }), { final: true }).lines, [
    "A\n 1",
    " 2\n 3",
  ]);
  assert.deepEqual(cut("A\n 1\n 2\n 3\n", group("after", false, "^ ", { max_bytes: 6 }), { final: true }).lines, [
    "A\n 1",
    " 2\n 3",
  ]);
});

Deno.test("LineCursor: a line that is too long ends its group", () => {
  const text = "A\n 0123456789\n 1\nB\n";
  assert.deepEqual(cut(text, group("after", false, "^ "), { final: true }).lines, ["A\n 012345678", " 1", "B"]);
  assert.deepEqual(cut(text, { ...group("after", false, "^ "), oversize: "skip" }, { final: true }).lines, [
    "A",
    " 1",
    "B",
  ]);
});

Deno.test("LineCursor: a decoder's framing joins lines, begins anew with each message, and leaves plain text alone", () => {
  // A line goes on while the number of bars in its message is odd.
  const isOpenAfter = (line: string, isOpen: boolean) => (line.split("|").length % 2 === 0) !== isOpen;
  const rule = () => ({ group: new FramingRule({ mark: 0x7c, isOpenAfter }) });
  const { lines, starts, cursor } = cut("a\nb|\nc\n|d\n|e\nf|g\n|", rule(), { final: true });
  assert.deepEqual({ lines, starts }, { lines: ["a", "b|\nc\n|d", "|e\nf|g", "|"], starts: [0, 2, 10, 17] });
  assert.ok(!cursor.waiting);
  assert.deepEqual(cut("a\nb\n", rule()).gaps, [1]);
  const open = cut("a\n|b\nc\n", rule());
  assert.deepEqual([open.lines, open.at, open.cursor.waiting], [["a"], 2, true]);
  assert.deepEqual(cut("|a\n0123456789abc\n|b\nc|\n", rule(), { final: true }).lines, ["|a\n0123456789", "|b\nc|"]);
});
