import assert from "node:assert/strict";
import { compilePattern, repetitionTrouble, SUBJECT_UNITS_MAX, subjectOf } from "./regexp_guard.ts";

Deno.test("repetitionTrouble: finds repetitions in repetitions and ambiguous repeated choices", () => {
  const patterns = [
    "(a+)+",
    "(a*)*$",
    "((a+)b?)*",
    "(?:\\w+\\s?)+:",
    "(a|a)*",
    "(a|ab)+",
    "(\\d|1){2,}",
    "(x+){20}",
    "(.|b)*",
  ];
  for (const pattern of patterns) assert.notEqual(repetitionTrouble(pattern), undefined, pattern);
});

Deno.test("repetitionTrouble: lets patterns pass that tell how a line begins", () => {
  const patterns = [
    "^\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}",
    "^\\s+at .+|^Caused by: .*",
    "^(?:\\d{1,3}\\.){3}\\d{1,3} ",
    "^\\[(ERROR|WARN|INFO)\\] .*",
    "\\\\$",
    "^[^\\s(+*]+\\s",
    "(?<level>a+)b",
    "(a|b|c)+",
    "[(+)+]+",
    "\\(a+\\)+",
    "(?=a+)b*",
  ];
  for (const pattern of patterns) assert.equal(repetitionTrouble(pattern), undefined, pattern);
});

Deno.test("compilePattern: takes flags in front", () => {
  assert.equal(compilePattern("(?i)^error").test("ERROR x"), true);
  assert.throws(() => compilePattern("("), SyntaxError);
});

Deno.test("subjectOf: bounds a long line and keeps both its ends", () => {
  const subject = subjectOf(`<${"x".repeat(100_000)}>`);
  assert.equal(subject.length, SUBJECT_UNITS_MAX);
  assert.match(subject, /^<x+>$/);
  assert.equal(subjectOf("short"), "short");
});
