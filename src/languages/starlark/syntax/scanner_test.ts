/** Owns the tests of tokens: literals, indentation, what is no token. */

import assert from "node:assert/strict";
import { assertFailures, assertValues, issuesOf, runScript } from "../script_probe.ts";

Deno.test("literals: strings in all forms", () => {
  assertValues({
    "'a' + \"b\" + 'c'": '"abc"',
    "'''a\n'b'\"\"\"c'''": '"a\\n\'b\'\\"\\"\\"c"',
    "r'\\n\\''": '"\\\\n\\\\\'"',
    "'\\x41\\101\\u00e9\\U0001F600'": '"AAé😀"',
    "'a\\\nb'": '"ab"',
    "rb'\\n'": 'b"\\\\n"',
    "b'\\xff\\u00e9'": 'b"\\xffé"',
    "'#no comment'": '"#no comment"',
  });
  assertFailures([
    "'\\q'",
    "'\\xff'",
    "'\\400'",
    "'\\u12'",
    "'\\ud800'",
    "'\\U00110000'",
    "'\\x4'",
    "'a' b'b'",
    "'a' 'b'",
    "b'a' b'b'",
    "'a\nb'",
    "'",
  ]);
});

Deno.test("literals: numbers in all forms", () => {
  assertValues({
    "[0, 7, 0x1F, 0o17, 0b101, 0XA]": "[0, 7, 31, 15, 5, 10]",
    "[1., .5, 1e3, 1E-2, 0.0]": "[1.0, 0.5, 1000.0, 0.01, 0.0]",
    "123456789012345678901234567890": "123456789012345678901234567890",
    "9007199254740993": "9007199254740993",
    "0xffffffffffffffff": "18446744073709551615",
  });
  assertFailures(["012", "0x", "0b2", "0o8", "1e", "1e999", "1_000", "1a", "0x1g", "9" + "0".repeat(5000)]);
});

Deno.test("indentation: tabs reach the next multiple of eight; blank lines and comments do not count", () => {
  const source = "def f(x):\n\tif x:\n\n# comment\n\t\treturn 1\n        # other\n\treturn 2\npayload = [f(0), f(1)]\n";
  assert.deepEqual(runScript(source).payload, [2, 1]);
  assert.equal(issuesOf("if 1:\n    x = 1\n  y = 2\n").length, 1);
  assert.equal(issuesOf("  x = 1\n").length, 1);
  assert.equal(issuesOf("if 1:\nx = 1\n").length, 1);
});

Deno.test("lines: brackets and backslashes join them, semicolons split them, CRLF ends them", () => {
  assert.deepEqual(runScript("x = (1 +\n  2) ; y = \\\n  4\r\npayload = [x,\n# comment\n\n y]").payload, [3, 4]);
  assert.equal(runScript("\ufeffpayload = 1").payload, 1);
  assert.equal(runScript("").payloadChanged, false);
  assert.equal(runScript("# nothing\n\n").payloadChanged, false);
});

Deno.test("scanner: what is no token is named with its place", () => {
  assert.deepEqual(issuesOf("x = 1 ? 2"), ['"?": unexpected character "?"', '"2": got "2", want end of line']);
  assert.match(issuesOf("x = $")[0] ?? "", /^"\$": unexpected character/);
  assert.match(issuesOf("x = (1")[0] ?? "", /^"\(": bracket \( is never closed/);
  assert.match(issuesOf("x = 1)")[0] ?? "", /^"\)": unexpected \)/);
  assert.match(issuesOf("x = (1]")[0] ?? "", /^"\]": unexpected \]/);
});
