/** Owns the tests of the `json` module and `safe_json_decode`. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("json.decode: ints stay ints and floats stay floats", () => {
  assertValues({
    "json.decode('[1, 1.0, 1e2, -0, 123456789012345678901234567890]')":
      "[1, 1.0, 100.0, 0, 123456789012345678901234567890]",
    'json.decode(\'{"a": [true, false, null], "b": {}}\')': '{"a": [True, False, None], "b": {}}',
    "json.decode(' \"caf\\\\u00e9 \\\\n\" ')": '"café \\n"',
    "json.decode('{\"__proto__\": 1}')": '{"__proto__": 1}',
    "json.decode('x', 7)": "7",
    "json.decode('x', default=None)": "None",
  });
  assertFailures([
    "json.decode('')",
    "json.decode('[1,]')",
    'json.decode(\'{"a": 1, "a": 2}\')',
    "json.decode('01')",
    "json.decode('\"a')",
    "json.decode('1 2')",
    "json.decode('NaN')",
    "json.decode('1e999')",
    "json.decode('[' * 10000)",
    "json.decode(1)",
  ]);
});

Deno.test("json.encode: keys in order, numbers exact", () => {
  assertValues({
    "json.encode({'b': 1, 'a': [1.5, None, True, 'x\"']})": '"{\\"a\\":[1.5,null,true,\\"x\\\\\\"\\"],\\"b\\":1}"',
    "json.encode(1 << 70)": '"1180591620717411303424"',
    "json.encode((1, range(2), set([3])))": '"[1,[0,1],[3]]"',
    "json.encode(2.0)": '"2.0"',
    "json.decode(json.encode(payload)) == payload": "True",
  });
  assertFailures([
    "json.encode({1: 2})",
    "json.encode(len)",
    'json.encode(float("nan"))',
    'json.encode([b"x"])',
    "(lambda x: [x.append(x), json.encode(x)])([])",
  ]);
});

Deno.test("json.indent and encode_indent: a member a line", () => {
  assertValues({
    "json.indent('{\"a\": [1, {}], \"b\": []}', indent=' ')":
      '"{\\n \\"a\\": [\\n  1,\\n  {}\\n ],\\n \\"b\\": []\\n}"',
    "json.encode_indent([1], prefix='> ')": '"[\\n> \\t1\\n> ]"',
  });
  assertFailures(["json.indent('{')"]);
});

Deno.test("safe_json_decode: the default for all that is no JSON", () => {
  assertValues({
    "safe_json_decode('{\"a\": 1}', None)": '{"a": 1}',
    "safe_json_decode('{\"a\": 1}', {}).a": "1",
    "safe_json_decode('{', {})": "{}",
    "safe_json_decode(None, 5)": "5",
    "safe_json_decode(b'[1]', 5)": "[1]",
    "safe_json_decode(b'\\xff', 5)": "5",
  });
});
