/** Owns the tests of the string methods that cut text up or trim it. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("split: at a separator, from the left", () => {
  assertValues({
    '"a,b,,c".split(",")': '["a", "b", "", "c"]',
    '"a,b,c".split(",", 1)': '["a", "b,c"]',
    '"a,b,c".split(",", 0)': '["a,b,c"]',
    '"a,b,c".split(",", -1)': '["a", "b", "c"]',
    '"".split(",")': '[""]',
    '"a::b".split("::")': '["a", "b"]',
  });
  assertFailures(['"a".split("")', '"a".split(1)']);
});

Deno.test("split: at runs of space when no separator is given", () => {
  assertValues({
    '"  one  two\\tthree\\n".split()': '["one", "two", "three"]',
    '"  one  two  three ".split(None, 1)': '["one", "two  three "]',
    '"  one  two ".split(None, 0)': '["one  two "]',
    '"   ".split()': "[]",
    '"".split()': "[]",
  });
});

Deno.test("rsplit: from the right", () => {
  assertValues({
    '"a,b,c".rsplit(",", 1)': '["a,b", "c"]',
    '"a,b,c".rsplit(",")': '["a", "b", "c"]',
    '" one  two  three ".rsplit(None, 1)': '[" one  two", "three"]',
    '"one two".rsplit()': '["one", "two"]',
  });
});

Deno.test("splitlines: a newline ends a line, and nothing else", () => {
  assertValues({
    '"a\\nb\\r\\nc\\rd".splitlines()': '["a", "b\\r", "c\\rd"]',
    '"a\\n\\nb\\n".splitlines()': '["a", "", "b"]',
    '"a\\nb\\r\\n".splitlines(True)': '["a\\n", "b\\r\\n"]',
    '"".splitlines()': "[]",
  });
});

Deno.test("strip: space or any of the characters", () => {
  assertValues({
    '"  hi \\n".strip()': '"hi"',
    '"  hi ".lstrip()': '"hi "',
    '"  hi ".rstrip()': '"  hi"',
    '"xxhixyx".strip("xy")': '"hi"',
    '"😀a😀".strip("😀")': '"a"',
    '"aaa".strip("a")': '""',
    '"abc".lstrip("ba")': '"c"',
  });
});

Deno.test("elems and codepoints: one element a code point", () => {
  assertValues({
    'list("a😀".elems())': '["a", "😀"]',
    'list("a😀".codepoints())': '["a", "😀"]',
    'list("a😀".elem_ords())': "[97, 128512]",
    'list("a😀".codepoint_ords())': "[97, 128512]",
    '"ab".elems()': '"ab".elems()',
    'type("ab".elems())': '"string.elems"',
    'len("abc".elems())': "3",
    'list(b"ab".elems())': "[97, 98]",
  });
  assertFailures(['list("abc")', '[x for x in "abc"]']);
});
